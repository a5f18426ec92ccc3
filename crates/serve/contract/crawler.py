"""A crawler of its own that asks recrawl what to visit: push, plan, lease, restart.

Two hundred pages on twenty sites; on each site one page changes every eight hours, the
others every sixty days. The crawler lives through twenty days in steps of six hours,
with sixteen visits a step; its days have two minutes, so that all of them are within
the hour by which a crawler's clock may be ahead of the server's.
"""

import datetime
import pathlib
import random
import threading
import time

from server import Server

BASE = "/api/v1"
SITES, OF_SITE = 20, 10
DAYS, STEP_HOURS, VISITS = 20, 6, 16
FAST, SLOW = 8 / 24, 60.0  # days between changes
PAUSED = ["https://s3.example/p7", "https://s4.example/p0"]
DAY = 120  # seconds a day of the simulated web takes
LEASE = 4  # seconds
LEAST_RATIO = 2.0  # visits of a fast page for one of a slow page, at least


class Pages:
    """The simulated web: pages that change at random times, and what the crawler has of them."""

    def __init__(self):
        draw = random.Random(8)
        self.urls = [f"https://s{site}.example/p{page}" for site in range(SITES) for page in range(OF_SITE)]
        self.changes = {}
        for url in self.urls:
            gap, at, times = FAST if is_fast(url) else SLOW, 0.0, []
            while at < DAYS + 1:
                at += draw.expovariate(1 / gap)
                times.append(at)
            self.changes[url] = times
        self.seen = {}

    def visit(self, url, day):
        """What a visit at this day sees."""
        before = self.seen.get(url)
        self.seen[url] = day
        if before is None:
            return "first"
        return "changed" if any(before < at <= day for at in self.changes[url]) else "unchanged"


def is_fast(url):
    return url.endswith("/p0")


class Scenario:
    def __init__(self, recrawl, folder):
        self.recrawl, self.store = recrawl, pathlib.Path(folder) / "store"
        self.faults, self.tried = [], []
        self.web = Pages()
        self.start = datetime.datetime.now(datetime.UTC)
        self.visits = dict.fromkeys(self.web.urls, 0)

    def check(self, sentence, holds, told=""):
        self.tried.append(sentence)
        if not holds:
            self.faults.append(f"{sentence}: NOT SO {str(told)[:600]}")

    def moment(self, day):
        return (self.start + datetime.timedelta(seconds=day * DAY)).isoformat().replace("+00:00", "Z")

    def open(self):
        return Server(self.recrawl, "serve", "--create", "--store", self.store, "--address", "127.0.0.1:0")

    def push(self, server, urls, day):
        rows = [{"url": url, "time": self.moment(day), "outcome": self.web.visit(url, day), "status": 200} for url in urls]
        for url in urls:
            self.visits[url] += 1
        return server.json("POST", f"{BASE}/observations", {"observations": rows})

    def plan(self, server, budget, **more):
        answer = server.json("POST", f"{BASE}/plan", {"budget": budget} | more)
        return [visit["url"] for visit in answer["visits"]]

    def run(self):
        """What was wrong, a line each."""
        with self.open() as server:
            self.empty(server)
            self.first_visits(server)
            self.pause(server)
            self.leases(server)
            self.together(server)
            self.crawl(server)
            self.late(server)
            before = self.picture(server)
            self.check("Ctrl-C ends the server with exit code 0", server.stop() == 0)
        with self.open() as server:
            after = self.picture(server)
            self.check("a restart keeps pages, standings, visits and history", before == after, (before, after))
            planned = self.plan(server, 500)
            self.check("after a restart paused pages stay paused", not set(planned) & set(PAUSED))
            # Those seen at the very moment of the plan, the log's last, are not due.
            due = len(self.web.urls) - len(PAUSED) - VISITS
            self.check("after a restart the other pages are planned", len(planned) >= due, len(planned))
        return self.faults

    def empty(self, server):
        self.check("an empty store plans nothing", self.plan(server, 10) == [])
        overview = server.json("GET", f"{BASE}/overview")
        self.check(
            "an empty store has an overview", overview["pages"]["watched"] == 0 and overview["freshness"] is None, overview
        )

    def first_visits(self, server):
        answer = self.push(server, self.web.urls, 0.0)
        wanted = {"taken": 200, "new_pages": 200, "ignored": []}
        self.check("observations of 200 pages are taken in and make 200 pages", answer == wanted, answer)
        listed = server.json("GET", f"{BASE}/pages?limit=500")
        self.check("all of them are listed at once", {row["url"] for row in listed["items"]} == set(self.web.urls))
        self.numbers = {row["url"]: row["id"] for row in listed["items"]}

    def pause(self, server):
        for url in PAUSED:
            row = server.json("PATCH", f"{BASE}/pages/{self.numbers[url]}", {"standing": "paused"})
            self.check(f"{url} says that it is paused", row["standing"] == "paused", row)
        seen = 0
        for url in self.web.urls[60:80]:
            path = f"{BASE}/pages/{self.numbers[url]}"
            server.json("PATCH", path, {"standing": "paused"})
            seen += url in self.plan(server, 500)
            server.json("PATCH", path, {"standing": "watched"})
        self.check("a page is out of the plans from the moment it is paused", seen == 0, seen)

    def crawl(self, server):
        self.start = datetime.datetime.now(datetime.UTC)
        paused = twice = early = 0
        for step in range(1, DAYS * 24 // STEP_HOURS):
            day = step * STEP_HOURS / 24
            urls = self.plan(server, VISITS, at=self.moment(day), lease_seconds=600)
            twice += len(urls) - len(set(urls))
            paused += len(set(urls) & set(PAUSED))
            early += len(urls) != VISITS
            answer = self.push(server, urls, day)
            if answer["taken"] != len(urls):
                self.check("what was planned is taken in", False, answer)
        self.check("no plan names a page twice", twice == 0, twice)
        self.check("every plan spends its budget", early == 0, f"{early} plans did not")
        self.check("paused pages are never planned", paused == 0, paused)
        fast, slow = self.mean_visits(True), self.mean_visits(False)
        told = f"{fast:.1f} visits of a fast page, {slow:.1f} of a slow one"
        self.check(f"fast pages are visited more than slow ones: {told}", fast >= LEAST_RATIO * slow)
        overview = server.json("GET", f"{BASE}/overview")
        self.check(
            "the overview counts every visit", overview["totals"]["visits"] == sum(self.visits.values()), overview["totals"]
        )

    def mean_visits(self, fast):
        counts = [count for url, count in self.visits.items() if is_fast(url) == fast and url not in PAUSED]
        return sum(counts) / len(counts)

    def late(self, server):
        url = self.web.urls[0]

        def push(moment):
            rows = [{"url": url, "time": moment, "outcome": "changed"}]
            return server.json("POST", f"{BASE}/observations", {"observations": rows})

        def known():
            page = server.json("GET", f"{BASE}/pages/{self.numbers[url]}")
            return {name: value for name, value in page.items() if name != "freshness"}

        before = known()
        for what, moment in (("late", self.moment(0.01)), ("future", self.moment(DAYS + 7_200 / DAY))):
            answer = push(moment)
            told = answer["ignored"]
            held = answer["taken"] == 0 and len(told) == 1 and told[0]["index"] == 0 and len(told[0]["why"]) > 10
            self.check(f"a {what} observation is ignored, with a reason", held, answer)
        push(before["last_visit"])
        after = known()
        self.check("an ignored observation changes nothing", before == after, (before, after))

    def leases(self, server):
        first = self.plan(server, 50, lease_seconds=LEASE)
        second = self.plan(server, 50, lease_seconds=LEASE)
        looked = self.plan(server, 500)
        self.check("two crawlers get different pages", len(first) == len(second) == 50 and not set(first) & set(second))
        self.check("who only looks gets no leased pages either", not set(looked) & set(first + second), len(looked))
        self.start = datetime.datetime.now(datetime.UTC)
        self.push(server, first[:5], 0.0)
        time.sleep(LEASE + 0.2)
        again = self.plan(server, 500, at=self.moment(LEASE / DAY))
        self.check("pages come up again once their lease is over", set(first[5:] + second) <= set(again), len(again))
        self.check("pages that were seen are free again", set(first[:5]) <= set(again), first[:5])

    def together(self, server):
        """Six crawlers at once, one of them only looking."""
        got = []

        def ask(lease):
            for _ in range(4):
                urls = self.plan(server, 9, **({"lease_seconds": 600} if lease else {}))
                got.extend(urls if lease else [])

        threads = [threading.Thread(target=ask, args=(number > 0,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.start = datetime.datetime.now(datetime.UTC)
        self.push(server, sorted(set(got)), 0.0)  # ends the leases
        alike = len(got) - len(set(got))
        self.check("crawlers that ask at once never get the same page", len(got) > 100 and alike == 0, (len(got), alike))

    def picture(self, server):
        """What must outlive a restart."""
        rows = server.json("GET", f"{BASE}/pages?limit=500&sort=url")["items"]
        kept = ("id", "url", "site", "standing", "weight", "added", "visits", "changes", "failures", "last_visit", "last_change")
        overview = server.json("GET", f"{BASE}/overview")
        number = self.numbers[self.web.urls[0]]
        return {
            "pages": [[row[name] for name in kept] for row in rows],
            "totals": overview["totals"],
            "standings": overview["pages"],
            "history": server.json("GET", f"{BASE}/pages/{number}/history"),
        }
