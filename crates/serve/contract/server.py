"""A recrawl server to be asked, and answers as they come, whatever was asked."""

import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time

START = 60  # seconds a server may take to say where it listens; debug builds are slow
PATIENCE = 15  # seconds an answer may take; none of ours is asked something that takes longer


class Server:
    """`recrawl serve` or `recrawl demo` on a free port of loopback."""

    def __init__(self, recrawl, *arguments):
        self.talk = tempfile.NamedTemporaryFile("w+", prefix="recrawl-talk-")
        self.process = subprocess.Popen(
            [recrawl, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=self.talk, stdin=subprocess.DEVNULL
        )
        self.port = self._port()

    def _port(self):
        end = time.monotonic() + START
        while time.monotonic() < end:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", self.said())
            if found:
                return int(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit(f"the server does not say where it listens:\n{self.said()}")

    def said(self):
        return pathlib.Path(self.talk.name).read_text(errors="replace")

    def stop(self):
        """Ends it as Ctrl-C does; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "killed: it did not end within 20 s"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def connect(self, timeout=PATIENCE):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def send(self, raw, timeout=PATIENCE):
        """What comes back for these bytes; `None` where the server only closed."""
        began = time.monotonic()
        with self.connect(timeout) as connection:
            try:
                connection.sendall(raw)
            except OSError:
                pass  # refused before all was sent: the answer is still to be read
            return read(connection, raw.split(b" ", 1)[0].decode("latin-1"), began)

    def ask(self, method, target, body=None, headers=(), timeout=PATIENCE):
        """One request; a body that is not bytes is sent as JSON."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        fields = {"host": f"127.0.0.1:{self.port}", "connection": "close"}
        if body is not None:
            fields |= {"content-type": "application/json", "content-length": str(len(body))}
        fields |= {name.lower(): value for name, value in dict(headers).items()}
        head = [f"{method} {target} HTTP/1.1"]
        head += [f"{name}: {value}" for name, value in fields.items() if value is not None]
        raw = "\r\n".join(head).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + (body or b"")
        return self.send(raw, timeout)

    def json(self, method, target, body=None):
        """The answer to a request that must succeed."""
        answer = self.ask(method, target, body)
        if answer is None or answer.status >= 300:
            raise SystemExit(f"{method} {target} {str(body)[:300]}: {answer}")
        return json.loads(answer.body) if answer.body else None


class Answer:
    def __init__(self, status, headers, body, seconds):
        self.status, self.headers, self.body, self.seconds = status, headers, body, seconds

    def __str__(self):
        return f"{self.status} {self.headers.get('content-type')} {self.body[:300]!r} after {self.seconds:.1f} s"


def read(connection, method, began):
    response = http.client.HTTPResponse(connection, method=method)
    try:
        response.begin()
        body = response.read()
    except TimeoutError:
        raise
    except (OSError, http.client.HTTPException):
        return None
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, body, time.monotonic() - began)
