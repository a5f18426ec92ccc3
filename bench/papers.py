#!/usr/bin/env python3
"""The simulated numbers of Cho & Ntoulas (VLDB 2002) at full size.

    cargo build --release -p recrawl
    python3 bench/papers.py

Published or reference value, ours, and the difference; exits 1 if one is outside its
tolerance. The tests of crates/simulate hold smaller versions to the same numbers.
"""

import json
import pathlib
import subprocess
import sys

RECRAWL = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "recrawl"

NORMAL = ["--world", "cho-ntoulas-normal", "--cycles", "5", "--runs", "20", "--budget", "100000"]
V = ["--world", "cho-ntoulas-v", "--cycles", "5", "--runs", "12", "--changed", "per-cycle"]
TWO = ["--world", "cho-ntoulas-two-sites", "--cycles", "5000", "--changed", "per-cycle", "--budget", "100"]

# Section 4.8, 5-cycle means; the V-shaped stand-in of section 4, per cycle; Fig. 1.
EXPERIMENTS = [
    ("section 4.8", NORMAL, 0.02, {
        "round-robin": 0.713,
        "proportional:samples=10": 0.712,
        "greedy:samples=10": 0.832,
        "adaptive:samples=10,confidence=0.9": 0.840,
    }),
    ("V-shaped, R = 100,000", V + ["--budget", "100000"], 0.02, {
        "round-robin": 0.35,
        "proportional:samples=10": 0.68,
        "greedy:samples=10": 0.831,
        "greedy:samples=20": 0.832,
        "greedy:samples=50": 0.814,
        "greedy:samples=100": 0.770,
        "adaptive:samples=10,confidence=0.9": 0.844,
    }),
    ("V-shaped, R = 5,000", V + ["--budget", "5000"], 0.03, {
        "greedy:samples=10": 0.649,
        "subset:samples=10": 0.872,
    }),
    ("Fig. 1", TWO, 0.006, {
        "round-robin": 0.45,
        "greedy:samples=1": 0.5707,
        "greedy:samples=3": 0.6362,
        "greedy:samples=6": 0.6560,
        "greedy:samples=10": 0.6473,
        "greedy:samples=20": 0.6000,
        "proportional:samples=2": 0.5915,
        "proportional:samples=10": 0.5631,
    }),
]


def main():
    outside = 0
    for name, world, tolerance, expected in EXPERIMENTS:
        command = [str(RECRAWL), "simulate", *world, "--format", "json"]
        for policy in expected:
            command += ["--policy", policy]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        print(name)
        for result in answer["results"]:
            mean = result["mean"]
            reference = expected[result["policy"]]
            difference = mean["change_ratio"] - reference
            verdict = "" if abs(difference) <= tolerance else "  OUTSIDE"
            outside += bool(verdict)
            low, high = mean["low"]["change_ratio"], mean["high"]["change_ratio"]
            interval = f" [{low:.3f}, {high:.3f}]" if low is not None else ""
            print(
                f"  {result['policy']:<36} {reference:.4f}  ours {mean['change_ratio']:.4f}{interval}"
                f"  {difference:+.4f}{verdict}"
            )
    sys.exit(1 if outside else 0)


if __name__ == "__main__":
    main()
