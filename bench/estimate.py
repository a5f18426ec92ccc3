"""Times `recrawl estimate --method cho` against the same work in pandas and polars.

    python -m venv .venv && .venv/bin/pip install numpy pandas polars pyarrow
    cargo build --release
    .venv/bin/python bench/estimate.py

Makes ten million observations of half a million pages (rows in order of time,
visits irregular), as CSV and as Parquet, and estimates every page's rate: reads
the file, brings each page's visits into order, forms intervals, solves Cho's
equation and writes the rates. recrawl also computes and writes the 95 % intervals.

- pandas as people write it: groupby and apply, each page solved by itself.
- pandas, all at once: the solving left to numpy, vectorised over all pages, which
  takes some skill.
- polars, all at once: the same.
- polars, only counting: a lower bound on polars. It takes
  -ln((n-X+0.5)/(n+0.5))/mean interval, which is wrong on irregular visits.

Every run is a process of its own, with its peak memory. Ratios are to recrawl in the
same run, by CPU seconds (user and system, all threads: what the work costs) and by
wall seconds (how long it takes: recrawl and polars use all cores, pandas one; others
on the machine make it longer). With --repeat the least of each counts, runs of all
tools taking turns. Results are compared.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

PAGES, OBSERVATIONS, SITES = 500_000, 10_000_000, 5_000
DAY = 86_400


def make(stem, pages, observations):
    """Writes STEM.csv and STEM.parquet unless they are there already."""
    import numpy as np
    import polars as pl

    if all(os.path.exists(f"{stem}.{kind}") for kind in ("csv", "parquet")):
        return
    rng = np.random.default_rng(1)
    page = np.concatenate([np.arange(pages), rng.integers(0, pages, observations - pages)])
    rng.shuffle(page)
    at = np.sort(rng.integers(1_700_000_000, 1_700_000_000 + 365 * DAY, observations))
    # Distinct times within a page: a page's visits are spread over the year.
    rate = np.exp(rng.uniform(np.log(0.005), np.log(1.0), pages)) / DAY
    order = np.lexsort((at, page))
    gap = np.diff(at[order], prepend=0).astype(float)
    first = np.r_[True, np.diff(page[order]) != 0]
    keep = first | (gap > 0)
    changed = rng.random(observations) < -np.expm1(-rate[page[order]] * gap)
    cell = np.empty(observations, dtype=np.int8)
    cell[order] = np.where(first, -1, changed)
    kept = np.zeros(observations, dtype=bool)
    kept[order] = keep
    frame = pl.DataFrame({"page": page[kept], "time": at[kept], "changed": cell[kept]}).with_columns(
        page=pl.format("https://site{}.example/path/{}", pl.col("page") % SITES, pl.col("page")),
        changed=pl.when(pl.col("changed") >= 0).then(pl.col("changed")),
    )
    frame.write_csv(f"{stem}.csv")
    frame.with_columns(pl.col("changed").cast(pl.Boolean)).write_parquet(f"{stem}.parquet")


def solve_cho(start, days, changed):
    """Cho's rate of each page by Newton on the logarithm, over all pages at once.

    `start` holds the first row of each page among the intervals."""
    import numpy as np

    n = np.diff(np.r_[start, len(days)])
    mean = np.add.reduceat(days, start) / n
    exposure = np.add.reduceat(np.where(changed, 0.0, days), start) + mean / 2
    x = np.add.reduceat(changed.astype(float), start)
    seen = np.add.reduceat(np.where(changed, days, 0.0), start)
    rate = x / (exposure + seen / 2)
    hits = np.flatnonzero(changed)
    page_of_hit = np.repeat(np.arange(len(start)), n)[hits]
    t = days[hits]
    some = x > 0
    with_hits = np.flatnonzero(some)
    hit_start = np.searchsorted(page_of_hit, with_hits)
    for _ in range(20):
        odds = 1 / np.expm1(rate[page_of_hit] * t)
        value = np.add.reduceat(t * odds, hit_start)
        slope = np.add.reduceat(t * t * odds * (1 + odds), hit_start)
        step = np.log(value / exposure[with_hits]) * value / slope
        rate[with_hits] += step
        if (np.abs(step) <= 1e-8 * rate[with_hits]).all():
            break
    return rate


def run_pandas(source, target):
    import numpy as np
    import pandas as pd

    columns = ["page", "time", "changed"]
    read = pd.read_csv if source.endswith(".csv") else pd.read_parquet
    frame = read(source, usecols=columns) if source.endswith(".csv") else read(source, columns=columns)
    frame = frame.sort_values(["page", "time"])
    days = frame.groupby("page", sort=False)["time"].diff().to_numpy() / DAY
    inside = ~np.isnan(days)
    frame, days = frame[inside], days[inside]
    page = frame["page"].to_numpy()
    start = np.flatnonzero(np.r_[True, page[1:] != page[:-1]])
    rate = solve_cho(start, days, frame["changed"].to_numpy(dtype=float) == 1)
    answer = pd.DataFrame({"page": page[start], "rate": rate})
    answer.to_csv(target, index=False) if target.endswith(".csv") else answer.to_parquet(target)


def run_pandas_by_page(source, target):
    import numpy as np
    import pandas as pd

    def cho(page):
        page = page.sort_values("time")
        days = np.diff(page["time"].to_numpy()) / DAY
        if not len(days):
            return np.nan
        return solve_cho(np.array([0]), days, page["changed"].to_numpy(dtype=float)[1:] == 1)[0]

    frame = pd.read_csv(source) if source.endswith(".csv") else pd.read_parquet(source)
    rates = frame.groupby("page")[["time", "changed"]].apply(cho)
    answer = rates.rename("rate").reset_index()
    answer.to_csv(target, index=False) if target.endswith(".csv") else answer.to_parquet(target)


def polars_frame(source):
    import polars as pl

    scan = pl.scan_csv if source.endswith(".csv") else pl.scan_parquet
    return scan(source).select("page", "time", pl.col("changed").cast(pl.Float32))


def run_polars(source, target):
    import numpy as np
    import polars as pl

    lists = (
        polars_frame(source)
        .group_by("page")
        .agg(pl.col("time").sort(), pl.col("changed").sort_by("time"))
        .with_columns(
            days=pl.col("time").list.diff(null_behavior="drop") / DAY,
            changed=pl.col("changed").list.slice(1),
        )
        .filter(pl.col("days").list.len() > 0)
        .select("page", "days", "changed")
        .collect()
    )
    n = lists["days"].list.len().to_numpy().astype(np.int64)
    start = np.r_[0, np.cumsum(n)[:-1]]
    flat = lists["days"].explode().to_numpy()
    rate = solve_cho(start, flat, lists["changed"].explode().to_numpy() == 1)
    answer = pl.DataFrame({"page": lists["page"], "rate": rate})
    answer.write_csv(target) if target.endswith(".csv") else answer.write_parquet(target)


def run_polars_closed(source, target):
    import polars as pl

    n, x = pl.len() - 1, pl.col("changed").sum()
    span = (pl.col("time").max() - pl.col("time").min()) / DAY
    answer = (
        polars_frame(source)
        .group_by("page")
        .agg(rate=-((n - x + 0.5) / (n + 0.5)).log() * n / span)
        .collect()
    )
    answer.write_csv(target) if target.endswith(".csv") else answer.write_parquet(target)


RUNS = {
    "pandas as people write it": run_pandas_by_page,
    "pandas, all at once": run_pandas,
    "polars, all at once": run_polars,
    "polars, only counting": run_polars_closed,
}
# Those that solve the same equation, and so must agree.
SAME = list(RUNS)[:3]


def measure(command):
    """Runs a command; returns CPU seconds, wall seconds, peak bytes."""
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begun, usage.ru_maxrss * 1024


def agree(a, b):
    """Largest relative difference between the rates of two answers."""
    import polars as pl

    read = pl.read_csv if a.endswith(".csv") else pl.read_parquet
    both = read(a).select("page", "rate").join(read(b).select("page", "rate"), on="page")
    both = both.filter((pl.col("rate") > 0) & (pl.col("rate_right") > 0))
    assert len(both) > 0
    return ((both["rate"] / both["rate_right"]) - 1).abs().max()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recrawl", default="target/release/recrawl", help="the command to time")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--observations", type=int, default=OBSERVATIONS)
    parser.add_argument("--data", default=None, help="folder to keep the data in [default: a temporary one]")
    parser.add_argument("--repeat", type=int, default=1, help="runs each, in turns; the least of each measure counts, of memory the most")
    parser.add_argument("--skip", action="append", default=[], choices=list(RUNS), help="leave this one out")
    parser.add_argument("--make", metavar="STEM", help=argparse.SUPPRESS)
    parser.add_argument("--agree", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--run", nargs=3, metavar=("TOOL", "SOURCE", "TARGET"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.make:
        make(args.make, args.pages, args.observations)
        return
    if args.agree:
        print(f"{agree(*args.agree):.1e}")
        return
    if args.run:
        RUNS[args.run[0]](args.run[1], args.run[2])
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.data or temporary
        os.makedirs(folder, exist_ok=True)
        stem = os.path.join(folder, f"visits-{args.pages}-{args.observations}")
        # In a process of its own: a child's peak memory counts what its parent held.
        size = ["--pages", str(args.pages), "--observations", str(args.observations)]
        subprocess.run([sys.executable, __file__, "--make", stem, *size], check=True)
        for kind in ("csv", "parquet"):
            source = f"{stem}.{kind}"
            print(f"\n{kind}: {os.path.getsize(source) / 1e6:.0f} MB, {args.observations:,} observations")
            print(f"{'':27}{'CPU s':>9}{'wall s':>9}{'peak MB':>10}{'B/obs':>8}{'CPU ratio':>11}{'wall ratio':>12}")
            runs = [name for name in RUNS if name not in args.skip]
            target = {name: os.path.join(temporary, f"{name.replace(', ', '-').replace(' ', '-')}.{kind}") for name in ["recrawl", *runs]}
            commands = {"recrawl": [args.recrawl, "estimate", source, "--method", "cho", "--output", target["recrawl"]]}
            for name in runs:
                commands[name] = [sys.executable, __file__, "--run", name, source, target[name]]
            measured = {name: [] for name in commands}
            for _ in range(args.repeat):
                for name, command in commands.items():
                    measured[name].append(measure(command))
            base = None
            for name, some in measured.items():
                cpu, wall, peak = min(s[0] for s in some), min(s[1] for s in some), max(s[2] for s in some)
                base = base or (cpu, wall)
                print(
                    f"{name:27}{cpu:9.2f}{wall:9.2f}{peak / 1e6:10.0f}{peak / args.observations:8.0f}"
                    f"{cpu / base[0]:11.1f}{wall / base[1]:12.1f}"
                )
            for name in runs:
                if name not in SAME:
                    continue
                compare = [sys.executable, __file__, "--agree", target["recrawl"], target[name]]
                difference = subprocess.run(compare, check=True, capture_output=True, text=True).stdout.strip()
                print(f"rates of recrawl and {name} differ by at most {difference}, relative")


if __name__ == "__main__":
    main()
