#!/usr/bin/env python3
"""Speed of `recrawl simulate` beside a vectorised numpy version, in one run.

    cargo build --release -p recrawl
    python3 bench/simulate.py [--quick]

Needs numpy. Both sides simulate cho-ntoulas-v (252 sites of 1,400 pages, greedy,
R = 100,000 downloads a cycle, 100 cycles). numpy computes ChangeRatio only; recrawl
runs the engine batch by batch and computes every score. CPU seconds are user +
system time of the whole process; for numpy also without its import. Then memory at
ten million pages, and straight lines through time over pages and over budget.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECRAWL = ROOT / "target" / "release" / "recrawl"


def numpy_greedy(cycles, budget):
    """Greedy on the V-shaped world, ChangeRatio only. Prints its own CPU time."""
    import numpy as np

    imported = time.process_time()
    rng = np.random.Generator(np.random.SFC64(1))
    sites, pages = 252, 1400
    weights = np.array([0.35, 0.19, 0.10, 0.06, 0.04, 0.02, 0.02, 0.02, 0.02, 0.18])
    rho = (rng.choice(10, size=sites, p=weights / weights.sum()) + rng.random(sites)) / 10
    rho = np.clip(rho, 1e-9, 1 - 1e-9)
    chance = rng.beta(np.repeat(2 * rho, pages), np.repeat(2 * (1 - rho), pages))
    chance = chance.reshape(sites, pages).astype(np.float32)
    samples = round((pages * budget / chance.size) ** 0.5)
    changed = np.zeros((sites, pages), bool)
    coin = np.empty((sites, pages), np.float32)
    rows = np.arange(sites)[:, None]
    ratios = []
    for _ in range(cycles):
        rng.random(out=coin, dtype=np.float32)
        changed |= coin < chance
        # Samples of every site without putting back: drawn with, and drawn again
        # where a page came twice, which is seldom.
        picks = np.sort(rng.integers(0, pages, (sites, samples)), axis=1)
        while (twice := (np.diff(picks, axis=1) == 0).any(axis=1)).any():
            again = rng.integers(0, pages, (int(twice.sum()), samples))
            picks[twice] = np.sort(again, axis=1)
        hits = changed[rows, picks].sum(axis=1)
        found = int(hits.sum())
        changed[rows, picks] = False
        order = np.argsort(-(hits + rng.random(sites)))
        left = budget - samples * sites
        whole, rest = divmod(left, pages - samples)
        best = order[:whole]
        found += int(np.count_nonzero(changed[best]))
        changed[best] = False
        site = order[whole]
        free = np.setdiff1d(np.arange(pages), picks[site], assume_unique=True)
        some = rng.permutation(free)[:rest]
        found += int(np.count_nonzero(changed[site, some]))
        changed[site, some] = False
        ratios.append(found / budget)
    total = time.process_time()
    print(json.dumps({"import": imported, "work": total - imported, "ratio": sum(ratios) / cycles}))


def cpu_of(command):
    """CPU seconds, peak memory in MB and standard output of a command."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, env={**os.environ, **SINGLE})
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"{command} failed")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read().decode()


SINGLE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}


def simulate(*arguments):
    cpu, memory, text = cpu_of([str(RECRAWL), "simulate", *map(str, arguments), "--format", "json"])
    return cpu, memory, json.loads(text)["results"][0]


def side_by_side(cycles, repetitions):
    print(f"cho-ntoulas-v, greedy, R = 100,000, {cycles} cycles: CPU seconds")
    ours, theirs, work = [], [], []
    for _ in range(repetitions):
        cpu, _, text = cpu_of([sys.executable, __file__, "--numpy", str(cycles)])
        answer = json.loads(text)
        theirs.append(cpu)
        work.append(answer["work"])
        cpu, memory, result = simulate(
            "--world", "cho-ntoulas-v", "--policy", "greedy", "--cycles", cycles
        )
        ours.append(cpu)
        print(
            f"  numpy {theirs[-1]:.3f} ({work[-1]:.3f} without import), ChangeRatio {answer['ratio']:.3f};"
            f"  recrawl {cpu:.3f}, ChangeRatio {result['mean']['change_ratio']:.3f}, {memory:.0f} MB"
        )
    numpy_best, ours_best, work_best = min(theirs), min(ours), min(work)
    visits = 100_000 * cycles
    print(f"  least CPU: numpy {numpy_best:.3f} ({work_best:.3f} without import), recrawl {ours_best:.3f}")
    print(f"  recrawl / numpy: {ours_best / numpy_best:.2f} (without import {ours_best / work_best:.2f})")
    print(f"  recrawl: {ours_best / visits * 1e9:.1f} ns CPU a visit (bar: 50)")


def recipe(sites, pages):
    spec = tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False)
    spec.write(
        f"sites = {sites}\npages_per_site = {pages}\n"
        "[rho]\nlaw = \"deciles\"\nweights = [0.35, 0.19, 0.10, 0.06, 0.04, 0.02, 0.02, 0.02, 0.02, 0.18]\n"
        "[pages]\nlaw = \"beta\"\nconcentration = 2.0\n"
    )
    spec.close()
    return spec.name


def ten_million():
    spec = recipe(10_000, 1_000)
    cpu, memory, result = simulate(
        "--synthetic", spec, "--policy", "greedy", "--cycles", 10, "--budget-ratio", 0.28
    )
    os.unlink(spec)
    print(f"ten million pages, 10 cycles: {memory:.0f} MB at most (bar: 4096), {cpu:.1f} s CPU")


def straight_line(name, points):
    """Least squares y = a + b x, and the share of variance it explains."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )
    start = mean_y - slope * mean_x
    left = sum((y - start - slope * x) ** 2 for x, y in points)
    whole = sum((y - mean_y) ** 2 for _, y in points)
    print(f"time over {name}: {start:.3f} s + {slope * 1e9:.1f} ns each, R^2 {1 - left / whole:.4f}")
    for x, y in points:
        print(f"  {x:>12,}  {y:.3f} s")


def growth(largest):
    points = []
    for share in (1, 2, 3, 4):
        sites = largest * share // 4 // 1000
        spec = recipe(sites, 1_000)
        cpu = min(
            simulate("--synthetic", spec, "--policy", "greedy", "--cycles", 10, "--budget", 100_000)[0]
            for _ in range(2)
        )
        os.unlink(spec)
        points.append((sites * 1_000, cpu))
    straight_line("pages (10 cycles, R = 100,000)", points)
    points = []
    spec = recipe(largest // 1_000, 1_000)
    for share in (1, 2, 3, 4):
        budget = largest // 2 * share // 4
        cpu = min(
            simulate("--synthetic", spec, "--policy", "greedy", "--cycles", 10, "--budget", budget)[0]
            for _ in range(2)
        )
        points.append((budget * 10, cpu))
    os.unlink(spec)
    straight_line(f"visits ({largest:,} pages, 10 cycles)", points)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--numpy", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    args = parser.parse_args()
    if args.numpy:
        return numpy_greedy(args.numpy, 100_000)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    side_by_side(20 if args.quick else 100, 3 if args.quick else 5)
    if not args.quick:
        ten_million()
    growth(400_000 if args.quick else 2_000_000)


if __name__ == "__main__":
    main()
