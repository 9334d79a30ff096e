#!/usr/bin/env python3
"""test_windows_serve.py TERRANE BUILT - under wine the server answers as on Linux. It bounds its queue, drops tiles
whose readers have gone, refuses a port that is in use, and ends by Ctrl-C. Web maps as files have the same bytes. BUILT
is the folder of the test windows_build."""

import concurrent.futures
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from processor_time import processor_s  # noqa: E402
from tile_server import TileServer  # noqa: E402

TERRANE = [os.path.abspath(sys.argv[1])]
BUILT = os.path.abspath(os.environ.get("TERRANE_WINDOWS") or sys.argv[2])
WINDOWS = ["wine", os.path.join(BUILT, "terrane.exe")]
WORLD = ["--basis", "smooth", "--centre", "0,0", "--threads", "2"]


def run(command, *words, **options):
    return subprocess.run([*command, *words], capture_output=True, timeout=300, check=False, **options)


class Server(TileServer):
    """A server whose answers are compared: the request names no port, and the answer has no date."""

    timeout_s = 120

    def ask(self, address, method="GET", **headers):
        status, body, answered = super().ask(address, method, Host="land", **headers)
        return status, body, sorted(item for item in answered.items() if item[0] != "Date")


class Same(unittest.TestCase):
    """The same questions to both servers."""

    @classmethod
    def setUpClass(cls):
        cls.servers = [Server(TERRANE, *WORLD), Server(WINDOWS, *WORLD)]

    @classmethod
    def tearDownClass(cls):
        for server in cls.servers:
            server.end()

    def check(self, status, address, **headers):
        linux, windows = (server.ask(address, **headers) for server in self.servers)
        self.assertEqual(linux[0], status, address)
        self.assertEqual(linux, windows, address)

    def test_answers(self):
        for kind in ("map", "terrain-rgb", "terrarium"):
            for zoom, x, y in ((0, 0, 0), (5, 16, 16), (10, 511, 512), (17, 65311, 65300)):
                self.check(200, f"/{kind}/{zoom}/{x}/{y}.png")
        for address in ("/", "/tiles.json", "/tilejson", "/terrarium.json", "/maplibre-gl.js"):
            self.check(200, address)
            self.check(200, address, Accept_Encoding="gzip")
        self.check(200, "/map/5/16/16.png", method="HEAD")
        self.check(404, "/map/99/0/0.png")
        self.check(400, "/map/1/0.png")
        self.check(404, "/biome.json")
        self.check(405, "/map/0/0/0.png", method="POST")
        etag = dict(self.servers[1].ask("/tiles.json")[2])["ETag"]
        self.check(304, "/tiles.json", If_None_Match=etag)

    def test_at_once(self):
        addresses = [f"/terrarium/9/{x}/{y}.png" for x in range(15) for y in range(10)]
        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            windows = list(pool.map(lambda address: self.servers[1].ask(address)[:2], addresses))
        self.assertEqual(windows, [self.servers[0].ask(address)[:2] for address in addresses])

    def test_busy_port(self):
        port = str(self.servers[1].port)
        linux, windows = (run(command, "serve", "--port", port) for command in (TERRANE, WINDOWS))
        self.assertEqual(windows.returncode, 1)
        self.assertEqual(windows.stderr, linux.stderr)


class Ends(unittest.TestCase):
    """Readers who disconnect, and the end of a server, while it makes climate tiles that take about a second each."""

    def test_readers_who_have_gone(self):
        server = Server(WINDOWS, "--threads", "2")
        for client in server.ask_for_slow_tiles(60):
            client.close()
        time.sleep(3)
        before = processor_s(server.process)
        time.sleep(1)
        self.assertLess(processor_s(server.process) - before, 0.3, "tiles are made that nobody waits for")
        self.assertEqual(server.ask("/tilejson")[0], 200)
        server.end()

    def test_full_queue_and_end(self):
        server = Server(WINDOWS, "--threads", "2")
        clients = server.ask_for_slow_tiles(530)
        answer = clients[-1].recv(4096)
        self.assertTrue(answer.startswith(b"HTTP/1.1 503") and b"Retry-After: 1" in answer, answer[:200])
        status, seconds = server.end()
        self.assertEqual(status, 130)
        self.assertLess(seconds, 5.0)  # the server has one second; wine needs time, too
        for client in clients:
            client.close()


class Files(unittest.TestCase):
    """terrane export --preset web."""

    def test_site(self):
        words = ["export", "--preset", "web", "--basis", "smooth", "--zoom", "9-10", "--at", "0,0"]
        words += ["--size", "60000x60000", "--pmtiles", "-o", "site"]
        with tempfile.TemporaryDirectory() as folder:
            sites = [pathlib.Path(folder, name) for name in ("linux", "windows")]
            for command, at in zip((TERRANE, WINDOWS), sites):
                at.mkdir()
                made = run(command, *words, cwd=at)
                self.assertEqual(made.returncode, 0, made.stderr)
            names = sorted(str(path.relative_to(sites[0])) for path in sites[0].rglob("*") if path.is_file())
            self.assertGreater(len(names), 15)
            self.assertEqual(filecmp.cmpfiles(*sites, names, shallow=False), (names, [], []))
            again = run(WINDOWS, *words, "--resume", cwd=sites[1])
            self.assertIn(b" 0 tiles", again.stderr)


def main():
    if not shutil.which("wine") or not os.path.exists(WINDOWS[1]):
        print("skipped: wine is missing, or windows_build has made no terrane.exe", file=sys.stderr)
        sys.exit(77)
    os.environ.update(WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=", DISPLAY="", LC_ALL="C.UTF-8")
    os.environ["PATH"] += ":/usr/lib/wine"
    with tempfile.TemporaryDirectory() as prefix:
        os.environ["WINEPREFIX"] = os.path.join(prefix, "wine")
        info = run(WINDOWS, "info").stdout.decode()
        if any("left out of this build" in line and "the server" in line for line in info.splitlines()):
            print("skipped: terrane.exe is without the server", file=sys.stderr)
            sys.exit(77)
        done = unittest.main(argv=sys.argv[:1], exit=False)
        subprocess.run(["wineserver", "-k"], check=False)
    sys.exit(0 if done.result.wasSuccessful() else 1)


main()
