"""Times the known-rate optimum against numpy and plain Python, side by side.

    python -m venv .venv && .venv/bin/pip install numpy
    cargo build --release -p recrawl-allocate --example allocate
    .venv/bin/python bench/allocate.py              # a million pages; --huge: also 10^7 and 10^8

The problem: visits of N pages that make the weighted score best, 0.1 N visits per
unit of time in all, weights 1/(0.01 + U), rates log-uniform on [1e-3, 10], both
columns in single precision. Three measures: harmonic (LambdaCrawl, Kolobov et al.
2019), memoryless (freshness with random visits, Azar et al. 2018), freshness (at
regular intervals, Cho & Garcia-Molina 2003).

- `ours`: the example `allocate` of crates/allocate, from columns to visits.
- `numpy`: what takes some skill; bisection on the multiplier over whole arrays
  (harmonic), sorting and prefix sums (memoryless), bisection with Newton's method
  inside for all pages at once (freshness).
- `python`: the published algorithms as they are written down, page by page in
  plain Python: bisection on the multiplier (LambdaCrawl), and the exact method on
  pages sorted by weight over rate (Azar et al.).

Everything ends within 1e-9 of the budget, relative, and the visits are compared.
Times are CPU seconds of one thread (wall time on a shared machine means little):
the median of `--repeats` for ours and numpy, one run of python. Reading and making
columns is not counted. The huge runs draw their columns in the example; their
memory is the peak of the process less the two columns of four bytes.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

# One core for all: numpy must not start threads.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

CLOSE = 1e-9  # of the budget, relative
BARS = {"harmonic": (200, 5), "memoryless": (120, 5), "freshness": (None, 5)}


def numpy_harmonic(rate, weight, budget):
    low, high = 1e-12, 1e12
    while True:
        price = math.sqrt(low * high)
        worth = weight / (rate * price)
        visits = rate * 2 * worth / (1 + np.sqrt(1 + 4 * worth))
        spent = visits.sum()
        if abs(spent / budget - 1) < CLOSE:
            return visits
        low, high = (price, high) if spent > budget else (low, price)


def numpy_memoryless(rate, weight, budget):
    order = np.argsort(-weight / rate)
    rates, roots = rate[order], np.sqrt(weight[order] * rate[order])
    level = (budget + np.cumsum(rates)) / np.cumsum(roots)
    # A page is visited while its root, at the level of its prefix, exceeds its rate.
    active = np.count_nonzero(roots * level > rates)
    visits = np.zeros_like(rate)
    visits[order[:active]] = roots[:active] * level[active - 1] - rates[:active]
    return visits


def numpy_freshness(rate, weight, budget):
    low, high = 1e-12, float((weight / rate).max())
    visits, x = np.zeros_like(rate), None
    while True:
        price = math.sqrt(low * high)
        share = price * rate / weight
        some = share < 1
        rest = -np.log1p(-share[some])  # x - ln(1 + x) at the solution
        x = rest + np.sqrt(2 * rest)
        while True:
            step = (x - np.log1p(x) - rest) * (1 + x) / x
            x -= step
            if np.abs(step).max() < 1e-9:
                break
        visits[:] = 0
        visits[some] = rate[some] / x
        spent = visits.sum()
        if abs(spent / budget - 1) < CLOSE or high / low < 1 + 1e-15:
            return visits
        low, high = (price, high) if spent > budget else (low, price)


def python_harmonic(rates, weights, budget):
    """LambdaCrawl for pages without a feed: bisection on the multiplier."""
    low, high = 1e-12, 1e12
    while True:
        price = math.sqrt(low * high)
        visits, spent = [], 0.0
        for rate, weight in zip(rates, weights):
            of_page = (-rate + math.sqrt(rate * rate + 4 * weight * rate / price)) / 2
            visits.append(of_page)
            spent += of_page
        if abs(spent / budget - 1) < CLOSE:
            return visits
        if spent > budget:
            low = price
        else:
            high = price


def python_memoryless(rates, weights, budget):
    """Azar et al.: pages by falling weight over rate, until one is worth no visit."""
    order = sorted(range(len(rates)), key=lambda page: -weights[page] / rates[page])
    sum_rates, sum_roots, active = budget, 0.0, []
    for page in order:
        root = math.sqrt(weights[page] * rates[page])
        level = (sum_rates + rates[page]) / (sum_roots + root)
        if root * level <= rates[page]:
            break
        sum_rates += rates[page]
        sum_roots += root
        active.append(page)
    level = sum_rates / sum_roots
    visits = [0.0] * len(rates)
    for page in active:
        visits[page] = math.sqrt(weights[page] * rates[page]) * level - rates[page]
    return visits


def cpu(run, repeats):
    """Median CPU seconds and the last result."""
    seconds, result = [], None
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        seconds.append(time.process_time() - start)
    return sorted(seconds)[len(seconds) // 2], result


def example(binary, *arguments):
    """Report of the example."""
    return json.loads(subprocess.check_output([binary, *map(str, arguments)]))


def side_by_side(binary, pages, repeats):
    rng = np.random.default_rng(1)
    rate = (10 ** rng.uniform(-3, 1, pages)).astype(np.float32)
    weight = (1 / (0.01 + rng.random(pages))).astype(np.float32)
    budget = 0.1 * pages
    good = True
    print(f"{pages} pages, CPU seconds of one thread")
    print(f"{'measure':<12}{'ours':>10}{'numpy':>10}{'python':>10}{'numpy/ours':>12}{'python/ours':>13}"
          f"{'ours off by':>13}{'as f32':>10}{'differs':>10}")
    with tempfile.TemporaryDirectory() as folder:
        rate.tofile(f"{folder}/rates.f32")
        weight.tofile(f"{folder}/weights.f32")
        wide = rate.astype(float), weight.astype(float)
        lists = [column.tolist() for column in wide]
        for name, (plain_bar, numpy_bar) in BARS.items():
            report = example(binary, "columns", folder, name, budget, repeats)
            ours = np.fromfile(f"{folder}/{name}.f32", dtype=np.float32)
            in_numpy, theirs = cpu(lambda: globals()[f"numpy_{name}"](*wide, budget), min(repeats, 3))
            plain = globals().get(f"python_{name}")
            in_python = math.nan
            if plain:
                in_python, visits = cpu(lambda: plain(*lists, budget), 1)
                assert abs(sum(visits) / budget - 1) < CLOSE
                assert np.allclose(visits, theirs, rtol=1e-6, atol=1e-6)
            # A page at the brink may differ, all others not: count visits moved.
            differs = np.abs(ours - theirs).sum() / budget
            ratios = in_numpy / report["seconds"], in_python / report["seconds"]
            print(f"{name:<12}{report['seconds']:>10.4f}{in_numpy:>10.3f}{in_python:>10.2f}{ratios[0]:>12.1f}"
                  f"{ratios[1]:>13.0f}{report['error']:>13.1e}{report['rounded_error']:>10.1e}{differs:>10.1e}")
            good &= ratios[0] >= numpy_bar and report["error"] < CLOSE and differs < 1e-6
            good &= plain_bar is None or ratios[1] >= plain_bar
    print("to reach: 5 times numpy; 200 (harmonic) and 120 (memoryless) times python:", "yes" if good else "NO")
    return good


def huge(binary):
    good = True
    print("\nlarge collections, ours")
    print(f"{'measure':<12}{'pages':>12}{'seconds':>10}{'ns a page':>11}{'bytes a page':>14}{'off by':>10}{'as f32':>10}")
    for name in [*BARS, "age", "changes"]:
        for pages in (10**6, 10**7, 10**8):
            report = example(binary, "drawn", pages, name, 1)
            beyond = report["peak_bytes"] / pages - 8
            print(f"{name:<12}{pages:>12}{report['seconds']:>10.3f}{report['seconds'] / pages * 1e9:>11.1f}"
                  f"{beyond:>14.1f}{report['error']:>10.1e}{report['rounded_error']:>10.1e}")
            good &= report["error"] < CLOSE and (pages < 10**7 or beyond <= 12)
    return good


def replan(binary, sizes):
    print("\na new plan after a thousand pages were learned anew (CPU seconds)")
    print(f"{'measure':<12}{'pages':>12}{'seconds':>12}{'budget off by':>15}")
    for name in ("freshness", "age", "changes", "harmonic"):
        for pages in sizes:
            report = example(binary, "replan", pages, name)
            print(f"{name:<12}{pages:>12}{report['seconds']:>12.6f}{report['budget_error']:>15.1e}")


def sites(binary):
    print("\nhalf of the sites bound by a cap (CPU seconds)")
    print(f"{'measure':<12}{'pages':>12}{'sites':>10}{'bound':>10}{'seconds':>10}{'off by':>10}")
    for name in ("freshness", "harmonic"):
        for pages, number in ((10**5, 10**2), (10**6, 10**3), (10**6, 10**5)):
            report = example(binary, "sites", pages, number, name)
            print(f"{name:<12}{pages:>12}{number:>10}{report['bound']:>10}{report['seconds']:>10.3f}"
                  f"{report['error']:>10.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default="target/release/examples/allocate")
    parser.add_argument("--pages", type=int, default=10**6)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--huge", action="store_true", help="also 10^7 and 10^8 pages, 1.2 GB")
    arguments = parser.parse_args()
    good = side_by_side(arguments.binary, arguments.pages, arguments.repeats)
    replan(arguments.binary, (10**4, 10**6, *([10**7] if arguments.huge else [])))
    sites(arguments.binary)
    if arguments.huge:
        good &= huge(arguments.binary)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
