#!/usr/bin/env python3
"""What the dashboard's server costs with a million pages, while the watcher runs.

    cargo build --release
    (cd ui && npm ci)
    python3 bench/serve.py [--pages 1000000] [--recrawl PATH]

Needs nginx, wrk and chromium (apt-get install nginx wrk chromium) and node. Makes a log of
so many pages, a hundred on a site, three observations each, and imports it. The sites are
10,000 addresses of loopback, all answered by one nginx, so that `recrawl watch --serve`
on that store really visits: 20 pages a second, 1.7 million a day, with the usual host gap.
Then, in turn:

- overview: the first one asked for, and sixty more, two a second; the slowest counts;
- page list by site, by prefix, by an order over all pages, by an order within a site:
  wrk (two connections, bench's own Lua script, a different question each time) for the CPU
  a request: user + system of the process, less what the watcher took in an equal time with
  nobody asking; then 100 requests a second for latency. wrk cannot hold a rate, so these
  are sent by an asyncio client that sends on time whether or not answers have come, and
  counts from the moment a request was due;
- first paint of Overview in headless Chromium, and what the page weighs packed;
- `recrawl serve` on the same store, nobody visiting: a thousand idle event streams.

Each number is printed beside its bar; one that is not met makes the exit code 1.
"""

import argparse
import asyncio
import http.client
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

from watch import free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECRAWL = ROOT / "target" / "release" / "recrawl"
DAY = 86_400
OF_SITE = 100
VISITS = 3
VISITS_A_SECOND = 20  # of the watcher
RATE = 100  # requests a second for latency
STREAMS = 1_000
OVERVIEWS = 60
BARS = {"cpu": 10.0, "p99": 50.0, "overview": 100.0, "paint": 1_000.0, "weight": 300.0, "streams": 50.0}

LUA = """
local paths, count = {}, 0
for line in io.lines(os.getenv("BENCH_PATHS")) do paths[#paths + 1] = line end
request = function()
  count = count + 1
  return wrk.format("GET", paths[count % #paths + 1])
end
"""

PAINT = """
import { chromium } from "playwright-core";
const browser = await chromium.launch({ executablePath: process.argv[2], args: ["--no-sandbox"] });
for (let run = 0; run < 5; run++) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(process.argv[1], { waitUntil: "load" });
  const paint = await page.waitForFunction(() => {
    const found = performance.getEntriesByName("first-contentful-paint")[0];
    return found && found.startTime;
  });
  console.log(await paint.jsonValue());
  await page.context().close();
}
await browser.close();
"""


class Report:
    """Numbers beside their bars."""

    def __init__(self):
        self.missed = 0

    def line(self, what, value, unit, bar=None, more=""):
        told = f"{what:52}{value:10.2f} {unit:3}"
        if bar is not None:
            limit, good = BARS[bar], value <= BARS[bar]
            self.missed += not good
            told += f" bar {limit:g}: {'ok' if good else 'NOT MET'}"
        print(f"{told}  {more}".rstrip(), flush=True)


def site(number):
    return f"127.{number // 62_500 + 1}.{number // 250 % 250}.{number % 250 + 1}"


def write_log(path, pages, port):
    """Visits a day apart; page p changes with a chance that grows with its number."""
    with open(path, "w", encoding="ascii") as out:
        out.write("page,time,changed\n")
        for visit in range(VISITS):
            for page in range(pages):
                changed = "" if visit == 0 else int((page * 2654435761 + visit * 40503) % 100 < page % 30)
                at = 1_790_000_000 + visit * DAY + page % DAY
                out.write(f"http://{site(page // OF_SITE)}:{port}/section-{page % 7}/page-{page},{at},{changed}\n")


def start_nginx(folder, port):
    """Every address of loopback: a page that changes by the minute, and no robots.txt."""
    config = folder / "nginx.conf"
    config.write_text(
        f"""
        {"user root;" if os.geteuid() == 0 else ""}
        worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{ worker_connections 4096; }}
        http {{
          access_log off; default_type text/html; keepalive_timeout 5s;
          client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
          uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
          map $time_iso8601 $minute {{ "~^(?<until>.{{16}})" $until; }}
          server {{
            listen 0.0.0.0:{port}; allow 127.0.0.0/8; deny all;
            location = /robots.txt {{ return 404; }}
            location / {{ return 200 "<!doctype html><title>$uri</title><p>The page $uri of $host at $minute.</p>"; }}
          }}
        }}
        """
    )
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    process = subprocess.Popen([nginx, "-p", str(folder), "-c", str(config)], stderr=subprocess.DEVNULL)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.05)
    process.terminate()
    sys.exit(f"nginx does not listen: {(folder / 'error.log').read_text()}")


class Server:
    """A recrawl process that serves; its address is on standard error."""

    def __init__(self, folder, *command):
        self.talk = folder / "talk.txt"
        with open(self.talk, "w") as talk:
            self.process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=talk)
        began = time.monotonic()
        while not (found := re.search(r"http://(127\.0\.0\.1:\d+)", self.talk.read_text())):
            if self.process.poll() is not None or time.monotonic() - began > 600:
                sys.exit(f"{' '.join(map(str, command))} does not serve:\n{self.talk.read_text()}")
            time.sleep(0.05)
        self.address = found.group(1)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(120)

    def cpu(self):
        """CPU seconds so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident bytes."""
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text()).group(1)) * 1024

    def get(self, target, **headers):
        """Milliseconds, and the body as it was sent."""
        began = time.perf_counter()
        connection = http.client.HTTPConnection(self.address, timeout=600)
        connection.request("GET", target, headers=headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        if response.status != 200:
            sys.exit(f"GET {target}: {response.status} {body[:300]!r}")
        return 1000 * (time.perf_counter() - began), body

    def json(self, target):
        return json.loads(self.get(f"/api/v1{target}")[1])

    def visits(self):
        """The number of the watcher's last visit; the cheapest question there is."""
        items = self.json("/activity?limit=1")["items"]
        return items[0]["visit"] if items else 0


def questions(server, pages, port):
    """Targets by kind, each kind a thousand different ones."""
    draw = random.Random(8)
    hosts = [site(draw.randrange(max(1, pages // OF_SITE))) for _ in range(1_000)]
    name = server.json("/pages?limit=1")["items"][0]["site"]
    sites = [host if ":" not in name else f"{host}:{port}" for host in hosts]
    orders = ["rate", "last_visit", "last_change", "visits", "changes", "added", "url"]
    directions = ["asc", "desc"]
    base = "/api/v1/pages?limit=50"
    kinds = {
        "by site": [f"{base}&site={quote(name)}" for name in sites],
        "by prefix": [f"{base}&prefix={quote(f'http://{host}:{port}/section-', safe='')}" for host in hosts],
        "in order, all pages": [f"{base}&sort={draw.choice(orders)}&order={draw.choice(directions)}" for _ in hosts],
        "by site, in order": [f"{base}&site={quote(name)}&sort={draw.choice(orders)}&order=desc" for name in sites],
    }
    for kind, targets in kinds.items():
        total = json.loads(server.get(targets[0])[1])["total"]
        wanted = pages if kind == "in order, all pages" else OF_SITE
        if total != wanted:
            sys.exit(f"{kind}: {targets[0]} finds {total} pages, not {wanted}")
    return kinds


def wrk(server, folder, targets, seconds):
    """Requests answered in so many seconds by two connections without a pause."""
    (folder / "paths.txt").write_text("\n".join(targets) + "\n")
    (folder / "ask.lua").write_text(LUA)
    command = ["wrk", "-t1", "-c2", f"-d{seconds}s", "--timeout", "30s", "-s", folder / "ask.lua", f"http://{server.address}"]
    environment = os.environ | {"BENCH_PATHS": str(folder / "paths.txt")}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment)
    found = re.search(r"(\d+) requests in", done.stdout)
    if done.returncode != 0 or not found or "Non-2xx" in done.stdout:
        sys.exit(f"wrk: {done.stdout}{done.stderr}")
    return int(found.group(1))


async def paced(address, targets, seconds):
    """Milliseconds from when each request was due to the end of its answer."""
    host, port = address.split(":")
    idle, took = [], []

    async def ask(target, due):
        reader, writer = idle.pop() if idle else await asyncio.open_connection(host, int(port))
        writer.write(f"GET {target} HTTP/1.1\r\nhost: {address}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            sys.exit(f"GET {target}: {head[:200]!r}")
        length = int(re.search(rb"content-length: (\d+)", head.lower()).group(1))
        await reader.readexactly(length)
        took.append(1000 * (loop.time() - due))
        idle.append((reader, writer))

    loop = asyncio.get_running_loop()
    start, asked = loop.time() + 0.1, []
    for number in range(seconds * RATE):
        due = start + number / RATE
        await asyncio.sleep(max(0.0, due - loop.time()))
        asked.append(asyncio.create_task(ask(targets[number % len(targets)], due)))
    await asyncio.gather(*asked)
    for _, writer in idle:
        writer.close()
    return took


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def overviews(server, report):
    first, _ = server.get("/api/v1/overview")
    report.line("overview, the first", first, "ms", "overview")
    took = []
    for _ in range(OVERVIEWS):
        time.sleep(0.5)
        took.append(server.get("/api/v1/overview")[0])
    more = f"median {statistics.median(took):.2f} ms of {len(took)}"
    report.line("overview, the slowest after it", max(took), "ms", "overview", more)


def lists(server, folder, arguments, report):
    seconds = arguments.seconds
    kinds = questions(server, arguments.pages, arguments.port)
    visits, before = server.visits(), server.cpu()
    time.sleep(seconds)
    idle = server.cpu() - before
    made = server.visits() - visits
    report.line("watcher alone", 100 * idle / seconds, "%", more=f"of a core; {made / seconds:.1f} visits a second")
    for kind, targets in kinds.items():
        before = server.cpu()
        count = wrk(server, folder, targets, seconds)
        spent = 1000 * (server.cpu() - before - idle) / count
        report.line(f"list {kind}, CPU a request", spent, "ms", "cpu", f"{count / seconds:.0f} requests a second")
    for kind, targets in kinds.items():
        visits = server.visits()
        took = asyncio.run(paced(server.address, targets, seconds))
        made = server.visits() - visits
        more = f"p50 {quantile(took, 0.5):.2f} ms, worst {max(took):.1f} ms; {made} visits meanwhile"
        report.line(f"list {kind}, p99 at {RATE}/s", quantile(took, 0.99), "ms", "p99", more)
        if made == 0:
            sys.exit("the watcher made no visit meanwhile: this is no measurement under load")


def page(server, report):
    weights = {
        name: len(server.get(name, **{"accept-encoding": "gzip"})[1]) / 1e3 for name in ("/", "/app.js", "/app.css", "/icon.svg")
    }
    more = ", ".join(f"{name} {weight:.1f}" for name, weight in weights.items())
    report.line("weight of the page, gzip", sum(weights.values()), "KB", "weight", more)
    browser = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
    command = ["node", "--input-type=module", "-e", PAINT, f"http://{server.address}/", browser]
    done = subprocess.run(command, cwd=ROOT / "ui", capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"no paint: {done.stderr[-1_500:]}")
    took = [float(line) for line in done.stdout.split()]
    report.line(
        "first contentful paint of Overview",
        statistics.median(took),
        "ms",
        "paint",
        "runs " + " ".join(f"{one:.0f}" for one in took),
    )


def streams(server, report):
    """Resident memory before and after, with all of them open and answered."""
    server.get("/api/v1/overview")
    time.sleep(2)
    before, held = server.memory(), []
    for _ in range(STREAMS):
        stream = socket.create_connection(tuple(server.address.split(":")), timeout=30)
        stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nhost: {server.address}\r\n\r\n".encode())
        held.append(stream)
    for stream in held:
        if not stream.recv(4_096).startswith(b"HTTP/1.1 200"):
            sys.exit("a stream of events was refused")
    time.sleep(20)  # beyond the first heartbeat
    after = server.memory()
    more = f"{before / 1e6:.0f} to {after / 1e6:.0f} MB"
    report.line(f"{STREAMS} idle event streams", (after - before) / 1e6, "MB", "streams", more)
    for stream in held:
        stream.close()


def need():
    """Ends with a word on what is missing, before minutes were spent."""
    for tool, package in (("wrk", "wrk"), ("node", "nodejs"), ("chromium", "chromium")):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing: apt-get install {package}")
    if not (shutil.which("nginx") or pathlib.Path("/usr/sbin/nginx").exists()):
        sys.exit("nginx is missing: apt-get install nginx")
    if not (ROOT / "ui" / "node_modules" / "playwright-core").exists():
        sys.exit("playwright-core is missing: cd ui && npm ci")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8_192)), hard))


def measure(arguments, folder, report):
    log, store = folder / "log.csv", folder / "store"
    arguments.port = free_port()
    write_log(log, arguments.pages, arguments.port)
    began = time.monotonic()
    subprocess.run([arguments.recrawl, "import", log, "--store", store], check=True, capture_output=True)
    report.line(f"import of {arguments.pages * VISITS} observations", time.monotonic() - began, "s")
    log.unlink()
    nginx = start_nginx(folder, arguments.port)
    try:
        began = time.monotonic()
        watch = ["watch", "--store", store, "--budget", f"{VISITS_A_SECOND * DAY}/d", "--allow-private", "--serve", "127.0.0.1:0"]
        server = Server(folder, arguments.recrawl, *watch)
        try:
            server.get("/api/v1/health")
            report.line("watch --serve, until it answers", time.monotonic() - began, "s", more=f"{server.memory() / 1e6:.0f} MB")
            overviews(server, report)
            lists(server, folder, arguments, report)
            page(server, report)
        finally:
            server.stop()
    finally:
        nginx.terminate()
        nginx.wait()
    server = Server(folder, arguments.recrawl, "serve", "--store", store, "--address", "127.0.0.1:0")
    try:
        streams(server, report)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=20, help="length of each measurement")
    parser.add_argument("--recrawl", type=pathlib.Path, default=RECRAWL, help="the program")
    arguments = parser.parse_args()
    if not arguments.recrawl.exists():
        sys.exit(f"{arguments.recrawl} is missing: cargo build --release")
    need()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="recrawl-bench-") as folder:
        measure(arguments, pathlib.Path(folder), report)
    print(f"{report.missed} bars missed" if report.missed else "all bars met")
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
