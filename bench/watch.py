#!/usr/bin/env python3
"""CPU a page costs the live watcher, beside a bare loop and Scrapy, in one run.

    cargo build --release --workspace --bins --example bare_loop
    python3 bench/watch.py --scrapy VENV/bin/python [--pages 10000] [--runs 3]

Needs nginx; Scrapy is left out without `--scrapy`, an interpreter that has it.
nginx serves distinct 20 KB pages on 20 addresses of loopback; 64 connections, no
delay. Each client fetches all pages as 200s, then asks for all of them again
conditionally and gets 304s:

- bare: reqwest in a loop on one thread, hashing each body (crates/fetch/examples/bare_loop.rs);
- fetcher: the same loop with our fetcher;
- watch: `recrawl watch` with store, log, text extraction and the default policy; after
  the 304s every page gets a new text, so that 200s are compared as well. `watch on` is
  what a further cycle costs in a running watch, without start-up and the log's replay;
- scrapy: tuned as it can be (no delay, cookies, retries, redirects, robots or telnet).

All but Scrapy, which runs once, take turns. Printed: user + system CPU seconds of the
client per 1,000 pages, start-up included, the median of the runs with all of them
beside it, and ratios to `bare`. A bar that is not met makes the exit code 1. With
`--touch-memory` 512 MB are written and deleted before each client, which helps those that
write: the watcher's numbers vary less, and are lower.
"""

import argparse
import os
import pathlib
import random
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / "target" / "release"
ADDRESSES = 20
CONNECTIONS = 64
SINCE = "Fri, 31 Dec 2027 00:00:00 GMT"
BARS = [("304", "watch on", "bare", 2.0), ("200", "watch", "bare", 3.0), ("200 new text", "watch", "bare", 3.0)]
SCRAPY_BAR = 30.0
TOUCHED_MEGABYTES = 512


# Text as people write it: the documents of this repository, in stretches of a paragraph.
WORDS = " ".join(
    "".join(c for c in path.read_text() if c not in "|`<>&#*") for path in sorted(ROOT.glob("docs/**/*.md"))
).split()
PARAGRAPH = 60


def page_text(number, version):
    """About 20 KB of HTML: a head, navigation, and paragraphs unlike those of other pages."""
    draw = random.Random(number * 1000 + version)
    links = "".join(f'<li class="item"><a href="/p{i}">to page {i}</a></li>' for i in range(20))
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page {number}</title>',
        "<style>p { margin: 1em }</style><script>var shown = 1;</script></head><body>",
        f"<nav><ul>{links}</ul></nav><main><h1>Page {number}, version {version}</h1>",
    ]
    size = sum(map(len, parts))
    while size < 20_400:
        start = draw.randrange(len(WORDS) - PARAGRAPH)
        parts.append('<p class="text">' + " ".join(WORDS[start : start + PARAGRAPH]) + "</p>\n")
        size += len(parts[-1])
    parts.append("</main><footer><p>Contact</p></footer></body></html>")
    return "".join(parts)


def write_pages(folder, count, version):
    modified = time.time() - 86_400 * (10 - version)
    for number in range(count):
        path = folder / f"p{number}"
        path.write_text(page_text(number, version))
        os.utime(path, (modified, modified))


def start_nginx(folder, port):
    listens = "\n".join(f"listen 127.0.0.{n}:{port};" for n in range(1, ADDRESSES + 1))
    config = folder / "nginx.conf"
    config.write_text(
        f"""
        {"user root;" if os.geteuid() == 0 else ""}
        worker_processes 2; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{ worker_connections 1024; }}
        http {{
          access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
          etag on; if_modified_since before; default_type text/html;
          open_file_cache max=20000 inactive=600s; open_file_cache_valid 1s;
          client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
          uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
          server {{ {listens} root {folder}/pages; }}
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
    sys.exit(f"nginx does not listen: see {folder}/error.log")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def touch_memory(folder):
    """With --touch-memory, before each client alike. On a virtual machine whoever first writes to
    memory nobody used lately seems to pay for it: without this, runs of one program that
    keeps 20 KB a page differed by up to 60 us a page."""
    path = folder / "memory"
    with open(path, "wb", buffering=0) as file:
        for _ in range(TOUCHED_MEGABYTES):
            file.write(bytes(1 << 20))
    path.unlink()


def cpu_of(arguments, command, folder):
    """CPU seconds of a command, and what it printed."""
    if arguments.touch_memory:
        touch_memory(folder)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def expect(printed, wanted):
    if wanted not in printed:
        sys.exit(f"expected `{wanted}`, got: {printed.strip()[-500:]}")


def loop(arguments, kind, urls, conditional):
    pages = arguments.pages
    command = [RELEASE / "examples" / "bare_loop", kind, urls, str(CONNECTIONS)]
    seconds, printed = cpu_of(arguments, command + ([SINCE] if conditional else []), urls.parent)
    expect(printed, f"unmodified {pages if conditional else 0}")
    return seconds


def watch(arguments, urls, store, cycles, expected):
    """Cycles with a visit for every page, and the wait until the next may begin."""
    command = [
        arguments.recrawl, "watch", urls, "--store", store, "--budget", str(arguments.pages),
        "--cycle", f"{arguments.cycle}s", "--cycles", str(cycles), "--host-gap", "0s", "--host-connections", "4",
        "--connections", str(CONNECTIONS), "--second-looks", "0", "--allow-private", "--format", "json",
    ]  # fmt: skip
    seconds, printed = cpu_of(arguments, command, urls.parent)
    expect(printed.replace(" ", ""), expected)
    time.sleep(arguments.cycle + 1)
    return seconds


def watch_all(arguments, folder, urls, run, note):
    """200s of new pages, 304s, 200s of pages with a new text."""
    pages, store = arguments.pages, folder / f"store{run}"
    note("200", "watch", watch(arguments, urls, store, 1, f'"first":{pages}'), pages)
    once = watch(arguments, urls, store, 1, f'"unchanged":{pages}')
    note("304", "watch", once, pages)
    again = watch(arguments, urls, store, 3, f'"unchanged":{3 * pages}')
    note("304", "watch on", again - once, 2 * pages)
    write_pages(folder / "pages", pages, 2 * run + 1)
    time.sleep(1.5)  # until nginx looks at its files again
    note("200 new text", "watch", watch(arguments, urls, store, 1, f'"changed":{pages}'), pages)
    new = folder / "new"
    new.mkdir()
    write_pages(new, pages, 2 * run + 2)
    once = watch(arguments, urls, store, 1, f'"unchanged":{pages}')
    turn = threading.Timer(0.6 * arguments.cycle, swap, [folder / "pages", new])
    turn.start()
    both = watch(arguments, urls, store, 2, f'"changed":{pages}')
    turn.join()
    note("200 new text", "watch on", both - once, pages)
    shutil.rmtree(store)


def swap(pages, new):
    """Puts the new pages in the place of the old, all at once."""
    old = pages.with_name("old")
    pages.rename(old)
    new.rename(pages)
    shutil.rmtree(old)


SPIDER = '''
import sys, scrapy
from scrapy.crawler import CrawlerProcess
urls, since, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
counts = {}
class Spider(scrapy.Spider):
    name = "bench"
    handle_httpstatus_list = [304]
    async def start(self):
        headers = {"If-Modified-Since": since} if since else None
        for line in open(urls):
            yield scrapy.Request(line.strip(), headers=headers, dont_filter=True)
    def parse(self, response):
        counts[response.status] = counts.get(response.status, 0) + 1
        hash(response.body)
process = CrawlerProcess(settings=dict(
    CONCURRENT_REQUESTS=64, CONCURRENT_REQUESTS_PER_DOMAIN=64, DOWNLOAD_DELAY=0, LOG_LEVEL="ERROR",
    ROBOTSTXT_OBEY=False, COOKIES_ENABLED=False, RETRY_ENABLED=False, REDIRECT_ENABLED=False,
    TELNETCONSOLE_ENABLED=False, SCHEDULER_PRIORITY_QUEUE="scrapy.pqueues.DownloaderAwarePriorityQueue"))
process.crawl(Spider)
process.start()
print(f"status {wanted}: {counts.get(wanted, 0)}")
'''


def scrapy(arguments, folder, urls, conditional):
    spider = folder / "spider.py"
    spider.write_text(SPIDER)
    status = 304 if conditional else 200
    command = [arguments.scrapy, spider, urls, SINCE if conditional else "", str(status)]
    seconds, printed = cpu_of(arguments, command, folder)
    expect(printed, f"status {status}: {arguments.pages}")
    return seconds


def measure(arguments, folder):
    pages, results = arguments.pages, {}
    urls = folder / "urls.txt"
    (folder / "pages").mkdir()
    write_pages(folder / "pages", pages, 0)
    port = free_port()
    addresses = [f"http://127.0.0.{n % ADDRESSES + 1}:{port}/p{n}" for n in range(pages)]
    urls.write_text("\n".join(addresses) + "\n")

    def note(status, client, seconds, count):
        results.setdefault((status, client), []).append(1000 * seconds / count)

    nginx = start_nginx(folder, port)
    try:
        loop(arguments, "bare", urls, False)  # warms the server's files
        for run in range(arguments.runs):
            for kind in ("bare", "fetcher"):
                note("200", kind, loop(arguments, kind, urls, False), pages)
                note("304", kind, loop(arguments, kind, urls, True), pages)
            if not arguments.no_watch:
                watch_all(arguments, folder, urls, run, note)
            if arguments.scrapy and run == 0:  # once: it takes a hundred times as long
                for status, conditional in (("200", False), ("304", True)):
                    seconds = scrapy(arguments, folder, urls, conditional)
                    note(status, "scrapy", seconds, pages)
    finally:
        nginx.terminate()
        nginx.wait()
    return results


def report(results):
    medians = {key: statistics.median(runs) for key, runs in results.items()}
    print(f"{'answers':14}{'client':10}{'CPU s per 1,000':>16}{'/ bare':>9}   runs")
    for (status, client), median in sorted(medians.items()):
        bare = medians[(status.split()[0], "bare")]
        runs = " ".join(f"{run:.4f}" for run in results[(status, client)])
        print(f"{status:14}{client:10}{median:16.4f}{median / bare:9.2f}   {runs}")
    failed = False
    for status, client, other, most in BARS:
        if (status, client) in medians:
            ratio = medians[(status, client)] / medians[(status.split()[0], other)]
            failed |= ratio > most
            print(f"{status}: {client} / {other} = {ratio:.2f}, bar at most {most:.0f}: {'ok' if ratio <= most else 'NOT MET'}")
    for status in ("200", "304"):
        if (status, "scrapy") in medians and (status, "watch") in medians:
            ratio = medians[(status, "scrapy")] / medians[(status, "watch")]
            failed |= ratio < SCRAPY_BAR
            print(f"{status}: scrapy / watch = {ratio:.0f}, bar at least {SCRAPY_BAR:.0f}: {'ok' if ratio >= SCRAPY_BAR else 'NOT MET'}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--scrapy", help="a Python interpreter that has Scrapy")
    parser.add_argument("--recrawl", default=RELEASE / "recrawl", help="the program")
    parser.add_argument("--cycle", type=int, default=20, help="seconds in which the watcher can visit all pages")
    parser.add_argument("--touch-memory", action="store_true", help="make memory ready before each client")
    parser.add_argument("--no-watch", action="store_true", help="the loops only")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="recrawl-bench-") as folder:
        return report(measure(arguments, pathlib.Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
