#!/usr/bin/env python3
"""The server held to its word: contract, hostile input, a crawler from end to end, monitoring files.

    cargo build
    python3 crates/serve/contract/run.py [--recrawl target/debug/recrawl] [--only PART ...]

Parts, about a minute and a half in all:

- schema: schemathesis asks `recrawl demo` what its own OpenAPI document allows and forbids.
  Left out are `positive_data_acceptance` (no schema tells which text is a cursor, a policy or
  an address) and the stateful phase (a removed page stays readable: its history is kept);
- hostile: every parameter, path, header and field of the demo with what nobody should send
  (hostile.py), and slow clients beside it;
- tokens: a server that wants a token (tokens.py);
- crawler: a simulated crawler uses `recrawl serve` as its scheduler (crawler.py);
- monitoring: /metrics is OpenMetrics, and the files in monitoring/ name what it exports, all of it.

Needs Python 3.11 with venv (Debian: python3-venv); requirements.txt is installed into --venv.
Exit 0 if all of it holds, 1 if something does not, each fault a line.
"""

import argparse
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import crawler
import tokens
from hostile import BASE, Hostile
from server import Server

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PARTS = ("schema", "hostile", "tokens", "crawler", "monitoring")
CYCLES = 4  # of the demo, before it is asked
EXAMPLES, SEED = 60, 8
SCHEMA_LIMIT = 240  # seconds; it takes 20 to 60


def virtual_environment(folder):
    """The interpreter's folder, with what requirements.txt names installed."""
    wanted = hashlib.sha256((HERE / "requirements.txt").read_bytes()).hexdigest()
    mark = folder / "requirements.sha256"
    if not mark.exists() or mark.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--requirement", HERE / "requirements.txt"], check=True)
        mark.write_text(wanted)
    return folder / "bin"


def demo(recrawl):
    """A demo that has seen a few cycles."""
    server = Server(recrawl, "demo", "--serve", "127.0.0.1:0", "--for", "600s")
    end = time.monotonic() + 60
    while len(server.json("GET", f"{BASE}/cycles")["items"]) < CYCLES:
        if time.monotonic() > end:
            server.stop()
            sys.exit(f"the demo did not begin {CYCLES} cycles within a minute")
        time.sleep(0.2)
    return server


def schema(arguments):
    faults = []
    with demo(arguments.recrawl) as server, tempfile.TemporaryDirectory() as folder:
        document = server.json("GET", f"{BASE}/openapi.json")
        faults += [f"the document refers to {name}, which is not in it" for name in sorted(dangling(document))]
        url = f"http://127.0.0.1:{server.port}"
        command = [
            arguments.bin / "schemathesis", "--no-color", "run", f"{url}{BASE}/openapi.json", "--url", url, "--checks", "all",
            "--exclude-path", f"{BASE}/events", "--exclude-checks", "positive_data_acceptance", "--phases", "examples,coverage,fuzzing",
            "--max-examples", str(EXAMPLES),
            "--seed", str(SEED), "--generation-database", "none", "--request-timeout", "15",
            "--continue-on-failure", "--suppress-health-check", "all",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SCHEMA_LIMIT)
        except subprocess.TimeoutExpired:
            return [*faults, f"schemathesis did not end within {SCHEMA_LIMIT} s"]
        generated = re.search(r"\d+ generated.*", done.stdout)
        print(f"  {len(document['paths'])} paths, test cases: {generated.group(0) if generated else 'unknown'}, seed {SEED}")
        if done.returncode != 0 or not generated:
            faults.append(f"schemathesis:\n{done.stdout[-15_000:]}{done.stderr[-3_000:]}")
        if "panicked" in server.said():
            faults.append(f"a thread of the server panicked: {server.said()[-1_000:]}")
    return faults


def dangling(node, names=None):
    """References of the document to what it does not hold."""
    names = names if names is not None else {f"#/components/schemas/{name}" for name in node["components"]["schemas"]}
    if isinstance(node, dict):
        own = {node["$ref"]} - names if isinstance(node.get("$ref"), str) else set()
        return own.union(*(dangling(value, names) for value in node.values()))
    return set().union(*(dangling(value, names) for value in node)) if isinstance(node, list) else set()


def hostile(arguments):
    with demo(arguments.recrawl) as server:
        asked = Hostile(server)
        faults = asked.run()
    tell(asked.tried)
    return faults


def token(arguments):
    with tempfile.TemporaryDirectory() as folder:
        faults, tried = tokens.run(arguments.recrawl, folder)
    tell(tried)
    return faults


def crawl(arguments):
    with tempfile.TemporaryDirectory() as folder:
        scenario = crawler.Scenario(arguments.recrawl, folder)
        faults = scenario.run()
    for sentence in scenario.tried:
        print(f"  {sentence}")
    return faults


def tell(tried):
    print("  requests: " + ", ".join(f"{group} {count}" for group, count in tried.items()))


STRICT = """
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    for sample in family.samples:
        print(sample.name)
"""


def monitoring(arguments):
    """Names in the dashboard and the alerts against names in /metrics, both ways."""
    with demo(arguments.recrawl) as server:
        text = server.ask("GET", "/metrics").body.decode()
    command = [arguments.bin / "python", "-c", STRICT]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        return [f"/metrics is no OpenMetrics: {done.stderr[-1_000:]}"]
    exported = set(done.stdout.split())
    # A histogram is one thing to a reader: its buckets stand for its sum and count.
    wanted = {name for name in exported if not re.search(r"_(sum|count|created)$", name)}
    faults = []
    dashboard, alerts = (ROOT / "monitoring" / name for name in ("grafana-dashboard.json", "alerts.yml"))
    for path in (dashboard, alerts):
        used = set(re.findall(r"\brecrawl_[a-z_]+\b", path.read_text())) - recorded(alerts)
        faults += [f"{path.name} names {name}, which /metrics does not export" for name in sorted(used - exported)]
    shown = set(re.findall(r"\brecrawl_[a-z_]+\b", dashboard.read_text()))
    faults += [f"{dashboard.name} does not show {name}" for name in sorted(wanted - shown)]
    print(f"  {len(exported)} names exported, {len(shown)} shown")
    return faults


def recorded(alerts):
    """Names the rules themselves make."""
    return set(re.findall(r"record:\s*(\S+)", alerts.read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recrawl", type=pathlib.Path, default=ROOT / "target" / "debug" / "recrawl", help="the program")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / "target" / "contract-venv", help="where Python packages go")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to run")
    arguments = parser.parse_args()
    arguments.recrawl = arguments.recrawl.resolve()
    if not arguments.recrawl.exists():
        sys.exit(f"{arguments.recrawl} is missing: cargo build")
    arguments.bin = virtual_environment(arguments.venv.resolve())
    tests = dict(zip(PARTS, (schema, hostile, token, crawl, monitoring), strict=True))
    failed = 0
    for part in arguments.only:
        print(f"{part}:", flush=True)
        began = time.monotonic()
        faults = tests[part](arguments)
        for fault in faults:
            print(f"  FAULT {fault}")
        failed += len(faults)
        print(f"  {'FAILED' if faults else 'passed'} after {time.monotonic() - began:.0f} s", flush=True)
    print(f"{failed} faults" if failed else "all of it holds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
