#!/usr/bin/env python3
"""Whether Prometheus can read the alerts and every expression of the dashboard.

    python3 monitoring/check.py

Needs promtool (Debian: package prometheus). That both name what /metrics really exports is
checked by crates/serve/contract/run.py.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# What Grafana puts in for its variables before Prometheus sees them.
VARIABLES = {"$__rate_interval": "5m", "$job": ".*", "$instance": ".*"}


def expressions():
    dashboard = json.loads((HERE / "grafana-dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            text = target["expr"]
            for name, value in VARIABLES.items():
                text = text.replace(name, value)
            yield f"{panel['title']} {target['refId']}", text


def promtool(*arguments):
    done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True)
    print((done.stdout + done.stderr).strip())
    return done.returncode == 0


def main():
    if not shutil.which("promtool"):
        sys.exit("promtool is missing: apt-get install prometheus")
    rules = [{"record": f"panel:{number}", "expr": text} for number, (_, text) in enumerate(expressions())]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as made:
        json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, made)  # JSON is YAML
        made.flush()
        good = promtool("check", "rules", made.name)
    good &= promtool("check", "rules", HERE / "alerts.yml")
    good &= promtool("test", "rules", HERE / "alerts.test.yml")
    print(f"{len(rules)} expressions of the dashboard")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
