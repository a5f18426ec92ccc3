"""A server that wants a token: who comes in, who does not."""

import pathlib

from hostile import BASE, BODIES, Hostile
from server import Server

TOKEN = "contract-0123456789abcdef-0123456789abcdef"
WRONG = [
    None, "", "Bearer", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Bearer {TOKEN.upper()}", f"Bearer {TOKEN} x",
    f"Bearer  {TOKEN} x", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}, Bearer {TOKEN}", "Bearer " + "a" * 20_000, "Bearer 🕷",
]  # fmt: skip
AROUND = [
    "/%61pi/v1/overview",
    "//api/v1/overview",
    "/./api/v1/overview",
    "/API/v1/overview",
    "/api/v1/overview/",
    "/api%2fv1/overview",
]


def run(recrawl, folder):
    """What was wrong, a line each, and what was tried."""
    folder = pathlib.Path(folder)
    (folder / "token").write_text(TOKEN + "\n")
    options = ("serve", "--create", "--store", folder / "store", "--address", "127.0.0.1:0", "--token-file", folder / "token")
    with Server(recrawl, *options) as server:
        hostile = Guarded(server)
        hostile.ask_all()
    return hostile.faults, hostile.tried


class Guarded(Hostile):
    """The same rules for other requests."""

    def ask_all(self):
        targets = [
            ("GET", f"{BASE}/{name}", None)
            for name in ("overview", "pages", "pages/0", "openapi.json", "events", "health", "nothing")
        ]
        targets += [("GET", "/metrics", None), ("DELETE", f"{BASE}/pages/0", None), ("POST", f"{BASE}/policies", None)]
        targets += [(method.upper(), path, body) for (method, path), body in BODIES.items()]
        for method, target, body in targets:
            for value in WRONG:
                answer = self.expect("token", method, target, 401, body=body, authorization=value)
                if answer and "bearer" not in answer.headers.get("www-authenticate", "").lower():
                    self.fault(f"token: {method} {target}", "401 without WWW-Authenticate: Bearer")
        for target in AROUND:
            self.expect("token", "GET", target, 401, 404, 400)
        for target in ("/", "/app.js", "/app.css", "/icon.svg", "/pages"):
            self.expect("token", "GET", target, 200)
        for scheme in ("Bearer", "bearer"):
            self.expect("token", "GET", f"{BASE}/overview", 200, authorization=f"{scheme} {TOKEN}")
            self.expect("token", "GET", "/metrics", 200, authorization=f"{scheme} {TOKEN}")
        if TOKEN in self.server.said():
            self.fault("token", "the server tells its token")
