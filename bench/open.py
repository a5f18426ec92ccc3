#!/usr/bin/env python3
"""What a million pages cost the live watcher: CPU to open the store, memory, scheduling.

    cargo build --release
    python3 bench/open.py [--pages 1000000] [--visits 3]

Makes an observation log of so many pages on a thousand sites, imports it into a store,
and starts `recrawl watch` on that store with a budget it cannot spend in the second it
runs (every host is held back by its gap). Printed: CPU seconds (user + system) and peak
memory of the watcher, against the bars: 5 CPU seconds, 60 MB plus 100 bytes a page. What
scheduling a visit costs is printed by `cargo bench -p recrawl-engine --bench live`, which
is run at the end unless --no-bench is given. A bar that is not met makes the exit code 1.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECRAWL = ROOT / "target" / "release" / "recrawl"
SITES = 1000
DAY = 86_400


def write_log(path, pages, visits):
    """Visits a day apart; page p changes with a chance that grows with its number."""
    with open(path, "w", encoding="ascii") as out:
        out.write("page,time,changed\n")
        for visit in range(visits):
            for page in range(pages):
                changed = "" if visit == 0 else int((page * 2654435761 + visit * 40503) % 100 < page % 30)
                at = 1_790_000_000 + visit * DAY + page % DAY
                out.write(f"https://site{page % SITES}.example/section/page-{page},{at},{changed}\n")


def run(command):
    """CPU seconds and peak bytes of a command that must succeed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    talk = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{talk.decode()}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--visits", type=int, default=3)
    parser.add_argument("--no-bench", action="store_true")
    arguments = parser.parse_args()
    if not RECRAWL.exists():
        sys.exit(f"{RECRAWL} is missing: cargo build --release")
    with tempfile.TemporaryDirectory() as directory:
        log, store = pathlib.Path(directory) / "log.csv", pathlib.Path(directory) / "store"
        write_log(log, arguments.pages, arguments.visits)
        seconds, peak = run([RECRAWL, "import", log, "--store", store])
        rows = arguments.pages * arguments.visits
        print(f"import: {rows} observations, {seconds:.2f} CPU s, peak {peak / 1e6:.0f} MB")
        size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file())
        print(f"store: {size / 1e6:.0f} MB, {size / rows:.1f} bytes an observation, pages included")
        watch = [RECRAWL, "watch", "--store", store, "--budget", "1000000/d", "--for", "1s", "--host-gap", "1h"]
        seconds, peak = run(watch)
    limit = 60e6 + 100 * arguments.pages
    print(f"watch: opened and stopped, {seconds:.2f} CPU s (bar 5), peak {peak / 1e6:.0f} MB (bar {limit / 1e6:.0f})")
    if not arguments.no_bench:
        subprocess.run(["cargo", "bench", "-q", "-p", "recrawl-engine", "--bench", "live"], cwd=ROOT, check=True)
    sys.exit(0 if seconds <= 5 and peak <= limit else 1)


if __name__ == "__main__":
    main()
