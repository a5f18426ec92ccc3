"""Everything a client can send, sent wrong: `Hostile(server).run()`.

Whatever is sent, an answer is no 5xx and does not hang; errors are problem+json;
every answer has the security headers. Where bytes are no HTTP at all, hyper may
answer by itself (400, 413, 414, 431 without a body) or close.
"""

import json
import socket
import threading
import time
from functools import partial
from urllib.parse import quote

from server import read

BASE = "/api/v1"
SECURITY = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "x-frame-options": "DENY"}
HEAD_LIMIT = 14  # seconds for a head sent a byte a second: the server's 10, and slack
BODY_LIMIT = 75  # seconds for a body sent a byte a second: the server's 60, and slack

TEXTS = [
    "", " ", "0", "-1", "-0", "1.5", "1e5", "1e999", "-1e999", "NaN", "Infinity", "0x10", "007", "+1", "1_000", "１２",
    "4294967295", "4294967296", "9223372036854775808", "18446744073709551616", "9" * 400,
    "null", "true", "[1,2]", "{}", '{"a":1}', "watched,paused", "asc desc", "\u0000", "a\u0000b", "\r\nX-Injected: 1",
    "' OR 1=1 --", '"; DROP TABLE pages; --', "<script>alert(1)</script>", "{{7*7}}", "${jndi:ldap://x}", "%s%n%x",
    "../../../../etc/passwd", "..\\..\\windows", "/etc/passwd", "file:///etc/passwd", "javascript:alert(1)",
    "🕷️", "\u202egnp.exe", "e\u0301", "İ", "\ufeff", "\ufffe", "ﷺ" * 50, "a" * 9_000,
    "0000-00-00T00:00:00Z", "0001-01-01T00:00:00Z", "-9999-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z",
    "+275760-09-13T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+99:99", "2026-01-01", "253402300800", "-62135596801", "1e300", "ffffffffffffffff.ffffffff", "0.0",
    ".", "f.f.f", "-1.-1", "bayes:objective=", "bayes:x=1", "mixed:policy=mixed", "fixed:interval=0s", "mixed:share=NaN",
    "fixed:interval=99999999999999999999d", "random:" + "a" * 5_000, "greedy:samples=0", "greedy:samples=-1",
    "oracle", "rate-oracle", "subset:peak=0", "adaptive:confidence=1",
]  # fmt: skip
RAW_TEXTS = ["%", "%zz", "%00", "%ff%fe", "%c0%ae%c0%ae/", "%2e%2e%2f", "%252e", "+", "&", "=", ";a=b", "%u0041", "#x"]
VALUES = [
    "null", "true", "false", "0", "-0", "-1", "1", "1.5", "1e308", "1e400", "-1e400", "1e-400", "NaN", "Infinity", "65536",
    "4294967296", "18446744073709551615", "18446744073709551616", "9" * 400, "[]", "{}", "[[]]", "[null]", '{"a":{}}',
    "[" * 200 + "]" * 200, '"\\ud800"', '"\\u0000"', "[" + "0," * 20_000 + "0]",
]  # fmt: skip
HEADERS = [
    ("accept", "text/plain"), ("accept", "🕷"), ("accept-encoding", "gzip;q=nan, *;q=-1"), ("accept-encoding", "," * 4_000),
    ("range", "bytes=0-0,1-1,99999999999999999999-"), ("if-none-match", "*"), ("if-modified-since", "never"),
    ("expect", "nonsense"), ("cookie", "a=" + "b" * 8_000), ("authorization", "Basic Og=="),
    ("x-forwarded-host", "evil.example"), ("x-http-method-override", "DELETE"), ("connection", "upgrade, close"),
    ("upgrade", "h2c"), ("content-encoding", "gzip"), ("last-event-id", "-1"), ("te", "trailers"), ("x-" + "n" * 8_000, "1"),
    ("origin", "null"), ("sec-fetch-site", "cross-site"), ("traceparent", "00-zz"), ("x-long", "a" * 30_000),
]  # fmt: skip
SEEN = "2020-01-01T00:00:00Z"
BODIES = {
    ("post", f"{BASE}/observations"): {
        "observations": [
            {
                "url": "https://hostile.example/", "time": SEEN, "outcome": "first", "site": "hostile", "weight": 1,
                "last_modified": SEEN, "status": 200, "reason": "none",
            }
        ]
    },
    ("post", f"{BASE}/pages"): {"pages": [{"url": "https://hostile.example/page", "weight": 1}]},
    ("patch", f"{BASE}/pages/0"): {"standing": "watched", "weight": 1},
    ("post", f"{BASE}/plan"): {"budget": 3, "policy": "bayes", "at": SEEN, "explain": True, "lease_seconds": 0},
}  # fmt: skip


class Hostile:
    def __init__(self, server):
        self.server, self.faults, self.tried = server, [], {}
        self.lock = threading.Lock()

    def run(self):
        """What was wrong, a line each."""
        self.document = self.server.json("GET", f"{BASE}/openapi.json")
        slow = [threading.Thread(target=test) for test in (self.slow_head, self.silent, self.slow_body, self.slow_reader)]
        for thread in slow:
            thread.start()
        for test in (
            self.queries, self.paths, self.fields, self.bodies, self.headers, self.hosts, self.origins, self.methods,
            self.not_http, self.many_at_once,
        ):  # fmt: skip
            test()
        for thread in slow:
            thread.join()
        self.expect("after all of it", "GET", f"{BASE}/health", 200)
        self.expect("after all of it", "GET", f"{BASE}/ready", 200)
        if self.server.process.poll() is not None:
            self.fault("the server", "has ended")
        if "panicked" in self.server.said():
            self.fault("the server", "a thread panicked: " + self.server.said()[-1_000:])
        return self.faults

    def fault(self, what, why):
        with self.lock:
            self.faults.append(f"{what[:300]}: {why}")

    def judge(self, group, what, make, wanted=None, parser=False):
        """Asks, and holds the answer against the rules; `wanted` are the statuses allowed."""
        with self.lock:
            self.tried[group] = self.tried.get(group, 0) + 1
        what = f"{group}: {what}"
        try:
            answer = make()
        except TimeoutError:
            return self.fault(what, "no answer in time")
        except OSError as error:
            return self.fault(what, f"no connection: {error}")
        if answer is None:
            return None if parser else self.fault(what, "closed without an answer")
        if answer.status >= 500:
            self.fault(what, str(answer))
        if wanted and answer.status not in wanted:
            self.fault(what, f"wanted {wanted}, got {answer}")
        if parser and not answer.body and answer.status in (400, 413, 414, 431):
            return answer  # hyper's own answer to what is no HTTP
        missing = [name for name, value in SECURITY.items() if answer.headers.get(name) != value]
        if "default-src 'none'" not in answer.headers.get("content-security-policy", ""):
            missing.append("content-security-policy")
        if missing:
            self.fault(what, f"{answer.status} without {missing}")
        if answer.status >= 400 and not what.split(": ")[1].startswith("HEAD"):
            self.problem(what, answer)
        return answer

    def problem(self, what, answer):
        try:
            told = json.loads(answer.body)
        except ValueError:
            told = None
        kind = answer.headers.get("content-type")
        if kind != "application/problem+json" or not isinstance(told, dict) or told.get("status") != answer.status:
            self.fault(what, f"no problem+json: {answer}")

    def expect(self, group, method, target, *wanted, body=None, **headers):
        what = f"{method} {target} {str(headers or '')}"
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.judge(group, what, partial(self.server.ask, method, target, body, fields), wanted)

    def operations(self):
        for path, operations in self.document["paths"].items():
            for method, operation in operations.items():
                yield path.replace("{page}", "0"), path, method, operation

    def queries(self):
        """Every parameter of every query with every text, twice, as a list, and unknown ones."""
        for path, _, method, operation in self.operations():
            names = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
            for name in names:
                for text in [quote(text, safe="") for text in TEXTS] + RAW_TEXTS:
                    self.expect("query", method.upper(), f"{path}?{name}={text}".replace("#", "%23"))
                self.expect("query", method.upper(), f"{path}?{name}=1&{name}=1", 400)
                self.expect("query", method.upper(), f"{path}?{name}[]=1", 400)
                self.expect("query", method.upper(), f"{path}?{name}[a]=1", 400)
                long = f"{path}?{name}={'a' * 100_000}"
                what = f"{method} {path}?{name}= 100 KB"
                self.judge("query", what, partial(self.server.ask, "GET", long), parser=True)
            if names:
                self.expect("query", method.upper(), f"{path}?nonsense=1", 400)

    def paths(self):
        """The number of a page with every text, and ways out of the tree."""
        for _, path, method, _ in self.operations():
            if "{page}" in path:
                for text in [quote(text, safe="") for text in TEXTS if text] + RAW_TEXTS:
                    body = {"weight": 1} if method == "patch" else None
                    target = path.replace("{page}", text).replace("#", "%23")
                    # Removing what is really there would leave less to test.
                    if method != "delete" or not text.strip("+-").isdecimal():
                        self.expect("path", method.upper(), target, body=body)
        for target in (
            "/../", "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/app.js/../../Cargo.toml",
            "//etc/passwd", "/./api/v1/health", "/api/v1/../v1/health", "/api/v1//health", "/api/v1/health/", "/API/V1/health",
            "/%61pi/v1/health", "/api/v1/pages/0/../../health", "/api/v1/pages/%00", "/api/v1/pages/", "/app.js%00.html",
            "/index.html", "/.git/config", "/api", "/api/v2/health", "/" + "a/" * 5_000, "/pages/" + "9" * 4_000, "/🕷",
        ):  # fmt: skip
            answer = self.judge("path", f"GET {target}", partial(self.server.ask, "GET", target), parser=True)
            if answer and b"root:" in answer.body:
                self.fault(f"path: {target}", "gives a file of the machine away")

    def fields(self):
        """Every field of every body with every value."""
        values = VALUES + [json.dumps(text) for text in TEXTS] + [json.dumps("a" * 100_000)]
        for (method, path), body in BODIES.items():
            for mark, place in places(body):
                for value in values:
                    raw = json.dumps(mark).replace('"\\u2603"', value).encode("utf-8", "surrogatepass")
                    what = f"{method.upper()} {path} {place} = {value[:60]}"
                    make = partial(self.server.ask, method.upper(), path, raw)
                    self.judge("field", what, make)

    def bodies(self):
        """Bodies that are no JSON, too much, too deep, wrongly labelled, or not what the head said."""
        ask = self.server.ask
        for (method, path), body in BODIES.items():
            method, good = method.upper(), json.dumps(body).encode()
            unknown = json.dumps(body | {"nonsense": 1}).encode()
            twice = good[:-1] + b"," + good[1:]
            for what, raw in (
                ("empty", b""), ("a number", b"1"), ("a list", b"[]"), ("half", good[:-3]), ("more after it", good + b"{}"),
                ("unknown field", unknown), ("field twice", twice), ("not UTF-8", good.replace(b"1", b"\xff")),
                ("UTF-16", good.decode().encode("utf-16")), ("mark of order", b"\xef\xbb\xbf" + good), ("NUL", b"\0" * 1_000),
                ("100,000 deep", b"[" * 100_000), ("deep objects", b'{"a":' * 50_000), ("gzip", b"\x1f\x8b\x08" + good),
                ("XML", b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
            ):  # fmt: skip
                self.judge("body", f"{method} {path} {what}", partial(ask, method, path, raw), (400, 422))
            for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "🕷", None):
                make = partial(ask, method, path, good, {"content-type": kind})
                self.judge("body", f"{method} {path} as {kind}", make, (415,))
            much = b'{"pages":"' + b"a" * (64 << 20) + b'"}'
            self.judge("body", f"{method} {path} 64 MB", partial(ask, method, path, much), (413,), parser=True)
            self.chunks(method, path, good)

    def chunks(self, method, path, good):
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n"
        chunked = head.encode() + b"transfer-encoding: chunked\r\n\r\n"
        length = len(good)
        for what, raw in (
            ("chunks of garbage", chunked + b"zz\r\n\x00\xff\r\n"), ("a negative chunk", chunked + b"-1\r\na\r\n0\r\n\r\n"),
            ("an endless chunk", chunked + b"ffffffffffffffffff\r\n"),
            ("chunks that are JSON no more", chunked + b"1\r\n{\r\n0\r\n\r\n"),
            ("a long extension", chunked + b"1;" + b"a" * 20_000 + b"\r\n{\r\n0\r\n\r\n"),
            ("length and chunks", chunked[:-2] + b"content-length: 5\r\n\r\n0\r\n\r\n"),
            ("two lengths", head.encode() + f"content-length: 1\r\ncontent-length: {length}\r\n\r\n".encode() + good),
            ("a negative length", head.encode() + b"content-length: -1\r\n\r\n" + good),
            ("a length beyond all bounds", head.encode() + b"content-length: 99999999999999999999\r\n\r\n" + good),
            ("chunks over the limit", chunked + b"4000000\r\n" + b" " * 0x4000000 + b"\r\n0\r\n\r\n"),
        ):  # fmt: skip
            self.judge("chunks", f"{method} {path} {what}", partial(self.server.send, raw), range(400, 500), parser=True)

    def headers(self):
        """Odd headers; what is asked does not matter."""
        for name, value in HEADERS:
            for target in (f"{BASE}/overview", "/", "/metrics", "/nothing"):
                self.expect("header", "GET", target, **{name: value})
        for count, size in ((99, 10), (5_000, 10), (20, 10_000)):
            fields = "".join(f"x-{number}: {'a' * size}\r\n" for number in range(count))
            raw = f"GET {BASE}/health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n{fields}\r\n".encode()
            self.judge("header", f"{count} headers of {size}", partial(self.server.send, raw), (200, 400, 431), parser=True)

    def hosts(self):
        """Names that lead here and are not ours."""
        for host in (
            "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:80", "127.0.0.1@evil.example", "",
            " ", "0.0.0.0", "[::ffff:8.8.8.8]", "8.8.8.8", "2130706433", "[::1", "]", ":", "a" * 5_000, "127.0.0.1:80:80",
            "ｌocalhost", "🕷",
        ):  # fmt: skip
            for target in (f"{BASE}/health", "/", "/metrics"):
                self.expect("host", "GET", target, 421, 400, host=host)
        for host in ("localhost", "LOCALHOST", "127.0.0.1", f"localhost:{self.server.port}", "[::1]:80"):
            self.expect("host", "GET", f"{BASE}/health", 200, host=host)
        self.judge("host", "none", partial(self.server.ask, "GET", "/", headers={"host": None}), (421, 400))
        raw = b"GET /api/v1/health HTTP/1.0\r\n\r\n"
        self.judge("host", "none, HTTP/1.0", partial(self.server.send, raw), (421, 400))

    def origins(self):
        """Requests a page of another site makes a browser send."""
        for (method, path), body in BODIES.items():
            for origin in (
                "http://evil.example",
                "null",
                "",
                "https://127.0.0.1.evil.example",
                "file://",
                "🕷",
                "http://127.0.0.1:1",
            ):
                self.expect("origin", method.upper(), path, 403, body=body, origin=origin)
            for site in ("cross-site", "same-site", "🕷"):
                self.expect("origin", method.upper(), path, 403, body=body, sec_fetch_site=site)
        self.expect("origin", "DELETE", f"{BASE}/pages/0", 403, origin="http://evil.example")
        self.expect("origin", "POST", f"{BASE}/policies", 403, origin="http://evil.example")
        answer = self.expect("origin", "OPTIONS", f"{BASE}/pages", origin="http://evil.example")
        if answer and any(name.startswith("access-control-") for name in answer.headers):
            self.fault("origin: OPTIONS", "lets other sites read")

    def methods(self):
        targets = ["/", "/sites", "/app.js", "/app.css", "/icon.svg", "/metrics", f"{BASE}/openapi.json", f"{BASE}/events"]
        for path, _, _, _ in self.operations():
            targets.append(path)
        for target in sorted(set(targets)):
            for method in ("PUT", "TRACE", "CONNECT", "PROPFIND", "get", "G" * 500):
                make = partial(self.server.ask, method, target)
                self.judge("method", f"{method[:20]} {target}", make, (400, 405), parser=method == "CONNECT")
            if not target.endswith("/events") and (
                target in targets[:7] or "get" in self.document["paths"][self.template(target)]
            ):
                self.expect("method", "HEAD", target, 200)

    def template(self, target):
        return target.replace("/pages/0", "/pages/{page}")

    def not_http(self):
        for raw in (
            b"\r\n\r\n", b"\0" * 100, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"GET  /  HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\nhost: 127.0.0.1\n\n",
            b"GET / HTTP/1.1\r\nhost : 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\n folded\r\n\r\n",
            b"GET / HTTP/1.1\r\nhost: a\x00b\r\n\r\n",
            b"GET / HTTP/1.1\r\nauthorization: Bearer \x7f\r\n\r\n",
            b"GET * HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
            b"OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
            b"GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n", b"A" * 200_000,
        ):  # fmt: skip
            self.judge("no HTTP", repr(raw[:60]), partial(self.send_and_close, raw), parser=True)

    def send_and_close(self, raw):
        """As `send`, saying at once that no more will come."""
        began = time.monotonic()
        with self.server.connect() as connection:
            try:
                connection.sendall(raw)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # closed already
            return read(connection, "GET", began)

    def many_at_once(self):
        """Three hundred connections that say nothing, and one that asks."""
        held = [self.server.connect() for _ in range(300)]
        self.expect("many at once", "GET", f"{BASE}/health", 200)
        for connection in held:
            connection.close()

    def slow_head(self):
        self.trickle("slow head", b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: " + b"a" * 300, HEAD_LIMIT)

    def silent(self):
        self.trickle("silence", b"", HEAD_LIMIT)

    def slow_body(self):
        head = f"POST {BASE}/plan HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n"
        self.trickle("slow body", b" " * 300, BODY_LIMIT, head.encode())

    def trickle(self, group, raw, limit, head=b""):
        """A byte a second; the server must give up within the limit."""
        self.tried[group] = 1
        began = time.monotonic()
        with self.server.connect() as connection:
            connection.sendall(head)
            connection.settimeout(1)
            for byte in raw + bytes(limit):
                try:
                    if byte:
                        connection.sendall(bytes([byte]))
                    got = connection.recv(4_096)
                    if got.startswith(b"HTTP/1.1 5"):
                        self.fault(group, f"a slow client is told that the server failed: {got[:40]!r}")
                    if not got or got.startswith(b"HTTP/1.1 4") or got.startswith(b"HTTP/1.1 5"):
                        return
                except TimeoutError:
                    pass
                except OSError:
                    return
                if time.monotonic() - began > limit:
                    return self.fault(group, f"still open after {limit} s")

    def slow_reader(self):
        """A reader of events who does not read must not hold anything up."""
        self.tried["slow reader"] = 1
        with self.server.connect() as connection:
            connection.sendall(f"GET {BASE}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
            time.sleep(5)
            head = connection.recv(2_000)
            if b"text/event-stream" not in head or b"nosniff" not in head:
                self.fault("slow reader", f"no stream of events: {head[:200]!r}")


def places(body, way=()):
    """The body with a snowman in each of its places, one after the other."""
    found = []
    node = body
    for step in way:
        node = node[step]
    for step in node if isinstance(node, dict) else range(len(node)):
        changed = json.loads(json.dumps(body))
        parent = changed
        for before in way:
            parent = parent[before]
        inner, parent[step] = parent[step], "\u2603"
        found.append((changed, ".".join(map(str, (*way, step)))))
        if isinstance(inner, dict | list):
            found += places(body, (*way, step))
    return found
