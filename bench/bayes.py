"""How `bayes` does beside every other policy, printed as tables.

    cargo build --release
    python bench/bayes.py [--data DIR] [--runs 8] [--seed 2026] [--sites] [--only cells|laws|worlds|freshness|order|cost]

`cells`: weekly cycles over the last 104 weeks of the update histories in DIR
(docs, terms, periodic), budgets of 2, 10 and 30 per cent of the pages, mean
ChangeRatio and share of changes caught, with standard errors. `laws`: the same of `bayes` as it is and with
steady rates assumed. `freshness`: `cells` with `--objective freshness`. With `--sites`, sites whose history
ends before the last cycle are left out of all three. `order` (needs pyarrow): freshness on terms at 2 per cent with
the pages named in 24 orders drawn by chance: how far policies that go through pages in order owe their score to the
order of the list. `worlds`: the
named worlds of Cho & Ntoulas over 100 cycles, and one in which a tenth of the
pages exchange their rates every five cycles, ChangeRatio by block of cycles.
`cost`: CPU time a visit and a cycle on a million pages, beside `greedy`; then, of
the scheduler alone, what learning and deciding take with one and ten million
pages and with sites of sixteen pages, and memory beside `round-robin`, which keeps
nothing of its own.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECRAWL = ROOT / "target" / "release" / "recrawl"
OTHERS = [
    "round-robin", "frequency", "proportional", "greedy", "adaptive", "subset",
    "optimal-freshness", "nutch-adaptive", "stormcrawler-adaptive",
    "changedetection-fixed", "miniflux-entry-frequency",
]
BOUNDS = ["rate-oracle", "oracle"]
# Orders that the list of pages is brought into.
ORDERS = 24
DRIFT = """
sites = 252
pages_per_site = 140
[rho]
law = "deciles"
weights = [35, 19, 10, 6, 4, 2, 2, 2, 2, 18]
[pages]
law = "beta"
concentration = 2
[drift]
every = 5
share = 0.1
"""


def simulate(arguments, policies):
    """The results of `recrawl simulate`, by policy."""
    command = [RECRAWL, "simulate", "--format", "json", *map(str, arguments)]
    for policy in policies:
        command += ["--policy", policy]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    results = json.loads(answer.stdout)["results"]
    return {result["policy"]: result for result in results}


def number(value):
    """A mean, whether plain or with its interval."""
    return value["value"] if isinstance(value, dict) else value


def table(columns, policies, others, score, runs, title):
    """Means over runs with their standard errors, and the best other policy."""
    print(title)
    print(f"{'':26}" + "".join(f"{name:>17}" for name in columns))
    for policy in policies:
        row = "".join(f"{cell(column[policy]['mean'], score, runs):>17}" for column in columns.values())
        print(f"{policy:26}{row}")
    best = {name: max(others, key=lambda policy: number(column[policy]["mean"][score]))
            for name, column in columns.items()}
    print(f"{'best other':26}" + "".join(f"{policy[:16]:>17}" for policy in best.values()))


# Student's t at 97.5 %, by runs less one: what the 95 % intervals of
# `recrawl simulate` are standard errors times.
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]


def cell(means, score, runs):
    """A mean and, of several runs, its standard error."""
    low, high = (means.get(end, {}).get(score) for end in ("low", "high"))
    if low is None or not 2 <= runs <= len(STUDENT) + 1:
        return f"{number(means[score]):.4f}"
    return f"{number(means[score]):.4f}±{(high - low) / 2 / STUDENT[runs - 2]:.4f}"


def cells(options, score, extra, others=OTHERS, bounds=BOUNDS):
    """One row a policy, one column a set and budget."""
    policies = ["bayes", *others, *bounds]
    columns = {}
    for name in ["docs", "terms", "periodic"]:
        folder = pathlib.Path(options.data) / name
        for share in [0.02, 0.1, 0.3]:
            world = ["--pages", folder / "pages.parquet", "--updates", folder / "updates.parquet",
                     "--alive-throughout", "--cycle", "7d", "--cycles", 104,
                     "--budget-ratio", share, "--runs", options.runs, "--seed", options.seed]
            if options.sites:
                world += ["--sites", folder / "sites.parquet"]
            columns[f"{name} {share:.0%}"] = simulate(world + extra, policies)
    ended = ", sites that end before left out" if options.sites else ""
    title = f"mean {score}, {options.runs} runs, seed {options.seed}{ended} {' '.join(extra)}"
    table(columns, policies, others, score, options.runs, title)
    if score == "change_ratio":
        title = f"share of changes caught, {options.runs} runs"
        table(columns, policies, others, "caught", options.runs, title)


def order(options):
    """Freshness with the pages named in other orders."""
    import pyarrow
    from pyarrow import parquet

    folder = pathlib.Path(options.data) / "terms"
    pages, updates = (parquet.read_table(folder / f"{name}.parquet") for name in ("pages", "updates"))
    count, chance = pages.num_rows, random.Random(options.seed)
    policies = ["bayes", "frequency", "round-robin"]
    scores = {policy: [] for policy in policies}
    for turn in range(1 + ORDERS):
        named = list(range(count))
        if turn > 0:
            chance.shuffle(named)
        place = {page: at for at, page in enumerate(named)}
        turned = pages.take(named)
        turned = turned.set_column(turned.column_names.index("page_id"), "page_id",
                                   pyarrow.array(range(count), pyarrow.uint32()))
        ids = pyarrow.array([place[page] for page in updates["page_id"].to_pylist()], pyarrow.uint32())
        moved = updates.set_column(updates.column_names.index("page_id"), "page_id", ids)
        moved = moved.sort_by([("page_id", "ascending"), ("t", "ascending")])
        with tempfile.TemporaryDirectory() as copy:
            files = [pathlib.Path(copy) / f"{name}.parquet" for name in ("pages", "updates")]
            parquet.write_table(turned, files[0])
            parquet.write_table(moved, files[1])
            world = ["--pages", files[0], "--updates", files[1], "--alive-throughout", "--cycle", "7d",
                     "--cycles", 104, "--budget-ratio", 0.02, "--objective", "freshness",
                     "--runs", options.runs, "--seed", options.seed]
            for policy, result in simulate(world, policies).items():
                scores[policy].append(number(result["mean"]["freshness"]))
    print(f"terms 2%, objective freshness, {ORDERS} orders of the pages: mean, standard error, least to most, as the list comes")
    for policy, (as_it_comes, *drawn) in scores.items():
        print(f"  {policy:12} {mean(drawn):.4f}±{error(drawn):.4f}  {min(drawn):.4f} to {max(drawn):.4f}  {as_it_comes:.4f}")
    ahead = [one - other for one, other in zip(scores["bayes"][1:], scores["frequency"][1:])]
    print(f"  bayes - frequency {mean(ahead):+.4f}±{error(ahead):.4f}, ahead in {sum(one > 0 for one in ahead)} of {ORDERS}")


def worlds(options):
    """ChangeRatio by block of ten cycles."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = pathlib.Path(folder) / "drift.toml"
        recipe.write_text(DRIFT)
        kinds = {
            "cho-ntoulas-normal": ["--world", "cho-ntoulas-normal"],
            "cho-ntoulas-v": ["--world", "cho-ntoulas-v"],
            "drift": ["--synthetic", recipe, "--budget", 10_000],
        }
        policies = ["bayes", "frequency", "greedy", "adaptive", "rate-oracle"]
        for name, world in kinds.items():
            ratios = {policy: [] for policy in policies}
            for run in range(options.world_runs):
                common = [*world, "--cycles", 100, "--seed", options.seed + run]
                for policy, result in simulate(common, policies).items():
                    ratios[policy].append([number(cycle["change_ratio"]) for cycle in result["cycles"]])
            print(f"{name}: ChangeRatio, {options.world_runs} worlds from seed {options.seed}; by blocks of ten cycles")
            blocks = [(start, start + 10) for start in range(0, 100, 10)]
            for policy, runs in ratios.items():
                over = lambda first, last: mean([mean(run[first:last]) for run in runs])
                print(f"  {policy:12} run {over(0, 100):.4f}  1-5 {over(0, 5):.3f}  11-100 {over(10, 100):.4f}  "
                      f"last 20 {over(80, 100):.4f}  | " + " ".join(f"{over(*block):.3f}" for block in blocks))
            if options.world_runs > 1:
                ahead = [[[mean(run[first:last]) for run in ratios[policy]] for first, last in blocks]
                         for policy in ["bayes", "frequency"]]
                print("  bayes - frequency, and two standard errors of it were the worlds not the same: "
                      + " ".join(f"{mean(one) - mean(other):+.3f}±{2 * (error(one)**2 + error(other)**2)**.5:.3f}"
                                 for one, other in zip(*ahead)))


def mean(values):
    """Their mean."""
    return sum(values) / len(values)


def error(values):
    """The standard error of their mean."""
    middle = mean(values)
    return (sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values)) ** 0.5


def cost(options):
    """CPU time of ten cycles of a million pages: twelve cycles less two."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = pathlib.Path(folder) / "million.toml"
        text = DRIFT[:DRIFT.index("[drift]")]
        recipe.write_text(text.replace("252", "1000").replace("140", "1000"))
        print("a million pages, 280,000 visits a cycle: CPU time, world and scores included")
        for policy in ["bayes", "greedy"]:
            seconds = []
            for cycles in [2, 12]:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                simulate(["--synthetic", recipe, "--budget", 280_000, "--cycles", cycles,
                          "--seed", options.seed], [policy])
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            cycle = (seconds[1] - seconds[0]) / 10
            print(f"  {policy:12} {cycle:.2f} s a cycle, {cycle / 280_000 * 1e9:.0f} ns a visit")


def scheduler_cost():
    """`crates/engine/benches/cycle.rs` on other worlds than its own too."""
    for pages, of_a_site in [(1_000_000, 1_000), (1_000_000, 16), (10_000_000, 1_000)]:
        for policy in ["bayes", "round-robin"]:
            world = {"RECRAWL_BENCH_PAGES": str(pages), "RECRAWL_BENCH_SITE_PAGES": str(of_a_site),
                     "RECRAWL_BENCH_POLICY": policy}
            subprocess.run(["cargo", "bench", "--quiet", "-p", "recrawl-engine", "--bench", "cycle"],
                           check=True, cwd=ROOT, env={**os.environ, **world})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("RECRAWL_DATA"))
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--world-runs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--sites", action="store_true", help="leave out sites whose history ends before the last cycle")
    parser.add_argument("--only", choices=["cells", "laws", "freshness", "order", "worlds", "cost"])
    options = parser.parse_args()
    if options.only not in ("worlds", "cost") and not options.data:
        print("skipped: name the folder of update histories with --data or RECRAWL_DATA")
    if options.data and options.only in (None, "cells"):
        cells(options, "change_ratio", [])
    if options.data and options.only in (None, "laws"):
        cells(options, "change_ratio", [], ["bayes:law=poisson"], [])
    if options.data and options.only in (None, "freshness"):
        cells(options, "freshness", ["--objective", "freshness"])
    if options.data and options.only == "order":
        order(options)
    if options.only in (None, "worlds"):
        worlds(options)
    if options.only in (None, "cost"):
        cost(options)
        scheduler_cost()


if __name__ == "__main__":
    main()
