#!/usr/bin/env python3
"""test_serve.py TERRANE - the server of web maps answers right and wrong requests, ends at once, and its heights are
those of the world. Neighbouring tiles fit. Sites have the same tiles, and vectors. Random bytes, slow clients and many
connections do not stop it. Tiles whose clients have disconnected are not made."""

import concurrent.futures
import gzip
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from build_parts import lacks  # noqa: E402
from processor_time import processor_s  # noqa: E402
from tile_server import TileServer  # noqa: E402

TERRANE = os.path.abspath(sys.argv[1])
SMOOTH = ["--basis", "smooth", "--centre", "0,0", "--threads", "2"]
SIDE = 256


class Server(TileServer):
    """A server of the program under test."""

    def __init__(self, *words):
        super().__init__([TERRANE], *words)


def pixels_of(png):
    """Rows of a picture of 8-bit red, green and blue that are not filtered."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[16:26] == bytes([0, 0, 1, 0, 0, 0, 1, 0, 8, 2]), png[:32]
    at, packed = 8, b""
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + size]
        at += size + 12
    rows = zlib.decompress(packed)
    assert all(rows[n] == 0 for n in range(0, len(rows), SIDE * 3 + 1)), "a row is filtered"
    return [[rows[n + 1 + 3 * x : n + 4 + 3 * x] for x in range(SIDE)] for n in range(0, len(rows), SIDE * 3 + 1)]


def height_of(kind, pixel):
    red, green, blue = pixel
    if kind == "terrarium":
        return red * 256 + green + blue / 256 - 32768
    return (red * 65536 + green * 256 + blue) / 10 - 10000


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(*SMOOTH)

    @classmethod
    def tearDownClass(cls):
        cls.server.end()

    def check(self, status, address, sentence, method="GET"):
        got, body, headers = self.server.ask(address, method)
        self.assertEqual(got, status, (address, body))
        self.assertRegex(body.decode("latin1"), sentence)
        self.assertEqual(headers["Access-Control-Allow-Origin"], "*")
        return headers

    def test_wrong_requests(self):
        self.check(404, "/map/99/0/0.png", "zoom is outside the map, expected 0 to 21")
        self.check(404, "/map/1/2/0.png", "x 2, y 0 is outside the map, expected 0 to 1 at zoom 1")
        self.check(404, "/map/3/0/8.png", "outside the map")
        self.check(404, "/biome/3/0/0.png", "basis smooth has no climate")
        self.check(404, "/biome.json", "nothing is here")
        for wrong in ("a/0/0", "1/-1/0", "1/0", "1/0/0/0", "1/0/99999999999", "1/0x1/0", " 1/0/0", ""):
            self.check(400, "/map/" + wrong.replace(" ", "%20") + ".png", "this is no tile, expected /map/ZOOM/X/Y.png")
        self.check(400, "/map/1/0/0.jpg", "this is no tile")
        for path in ("/nothing", "/../../etc/passwd", "/map", "//etc/passwd", "/%2e%2e/etc/passwd", "/map%00"):
            self.check(404, path, "nothing is here")
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "FROB"):
            headers = self.check(405, "/map/0/0/0.png", "GET or HEAD", method)
            self.assertEqual(headers["Allow"], "GET, HEAD")

    def test_head_and_etags(self):
        for address in ("/map/5/16/16.png", "/tiles.json", "/", "/maplibre-gl.js"):
            status, body, headers = self.server.ask(address)
            self.assertEqual(status, 200)
            head = self.server.ask(address, "HEAD")
            self.assertEqual((head[0], head[1], head[2]["Content-Length"]), (200, b"", str(len(body))))
            tag = headers["ETag"]
            self.assertEqual(self.server.ask(address, If_None_Match=tag)[:2], (304, b""))
            self.assertEqual(self.server.ask(address, If_None_Match='"other"')[0], 200)
        tags = {self.server.ask(f"/map/5/{x}/16.png", "HEAD")[2]["ETag"] for x in range(3)}
        self.assertEqual(len(tags), 3)
        other = Server("--basis", "smooth", "--centre", "0,0", "--seed", "5")
        tags.add(other.ask("/map/5/0/16.png", "HEAD")[2]["ETag"])
        other.end()
        self.assertEqual(len(tags), 4, "worlds share an ETag")

    def test_packing(self):
        plain, packed = self.server.ask("/maplibre-gl.js"), self.server.ask("/maplibre-gl.js", Accept_Encoding="gzip")
        self.assertIsNone(plain[2]["Content-Encoding"])
        self.assertEqual(packed[2]["Content-Encoding"], "gzip")
        self.assertEqual(gzip.decompress(packed[1]), plain[1])
        self.assertIsNone(self.server.ask("/map/0/0/0.png", Accept_Encoding="gzip")[2]["Content-Encoding"])
        page = self.server.ask("/")[1].decode()
        self.assertNotRegex(page, "(src|href)=\"https?:", "the page needs a network")

    def test_tilejson(self):
        for address, kind, encoding in (
            ("/tiles.json", "terrain-rgb", "mapbox"),
            ("/tilejson", "map", None),
            ("/terrarium.json", "terrarium", "terrarium"),
        ):
            tiles = json.loads(self.server.ask(address)[1])
            self.assertEqual(tiles.get("encoding"), encoding)
            self.assertEqual(tiles["tiles"], [f"http://127.0.0.1:{self.server.port}/{kind}/{{z}}/{{x}}/{{y}}.png"])
            self.assertEqual((tiles["minzoom"], tiles["maxzoom"], tiles["terrane"]["side"]), (0, 21, 1 << 25))
        strange = json.loads(self.server.ask("/tilejson", Host='a"b')[1])
        self.assertTrue(strange["tiles"][0].startswith("http://127.0.0.1/"))

    def test_heights(self):
        for kind, most in (("terrarium", 1 / 512 + 1e-9), ("terrain-rgb", 0.05 + 1e-9)):
            for zoom, x, y in ((2, 1, 2), (10, 511, 512), (17, 65311, 65300), (21, 1048000, 1048001)):
                lod, places, got = 17 - zoom, [], []
                for column in (x, x + 1):  # the tile and its eastern neighbour
                    rows = pixels_of(self.server.ask(f"/{kind}/{zoom}/{column}/{y}.png")[1])
                    for i, j in ((0, 0), (SIDE - 1, 0), (100, 37), (SIDE - 1, SIDE - 1)):
                        got.append(height_of(kind, rows[j][i]))
                        places.append([(n * SIDE + k) * 2.0**lod - 2**24 for n, k in ((column, i), (y, j))])
                words = ["%.17g,%.17g" % tuple(place) for place in places]
                probe = [TERRANE, "probe", "--basis", "smooth", "--lod", str(lod), "--", *words]
                lines = subprocess.run(probe, capture_output=True, text=True, check=True).stdout.splitlines()
                for place, height, line in zip(places, got, lines):
                    self.assertLessEqual(abs(height - float(line.split()[2])), most, (kind, zoom, place))

    def test_batches(self):
        """Tiles that are made together, because many requests wait, have the bytes of tiles that are made alone."""
        addresses = [
            f"/{kind}/{zoom}/{x}/5.png" for x in range(12) for kind, zoom in (("terrarium", 6), ("terrain-rgb", 9))
        ]
        alone = [self.server.ask(address)[1] for address in addresses]
        busy = Server("--basis", "smooth", "--centre", "0,0", "--threads", "1")
        try:
            with concurrent.futures.ThreadPoolExecutor(len(addresses)) as pool:
                together = list(pool.map(lambda address: busy.ask(address)[1], addresses))
        finally:
            busy.end()
        self.assertEqual([zlib.crc32(tile) for tile in together], [zlib.crc32(tile) for tile in alone])
        self.assertEqual(len(set(alone)), len(alone), "tiles are equal")

    def test_seams_of_maps(self):
        west, east = (pixels_of(self.server.ask(f"/map/9/{x}/255.png")[1]) for x in (255, 256))
        step = lambda a, b: sum(abs(a[n] - b[n]) for n in range(3))  # noqa: E731
        inside = sum(step(row[SIDE - 2], row[SIDE - 1]) + step(other[0], other[1]) for row, other in zip(west, east)) / 2
        across = sum(step(row[SIDE - 1], other[0]) for row, other in zip(west, east))
        self.assertGreater(inside, 0)
        self.assertLess(across, 1.3 * inside, "a seam between tiles")

    def test_busy_port(self):
        words = [TERRANE, "serve", "--port", str(self.server.port)]
        second = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(second.returncode, 1)
        self.assertIn(f"cannot listen on port {self.server.port} of 127.0.0.1", second.stderr)
        for wrong in ("65536", "-1", "http"):
            second = subprocess.run([TERRANE, "serve", "--port", wrong], capture_output=True, timeout=60, check=False)
            self.assertEqual(second.returncode, 2)

    def test_random_bytes(self):
        source = random.Random(1)
        starts = [b"", b"GET ", b"GET /map/3/1/1.png HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: ", b"HEAD /%"]
        for _ in range(150):
            with self.server.connect() as client:
                client.sendall(source.choice(starts) + source.randbytes(source.randrange(1, 3000)) + b"\r\n\r\n")
                client.settimeout(0.01)
                try:
                    client.recv(100)
                except (TimeoutError, ConnectionError):
                    pass
        self.assertEqual(self.server.ask("/tilejson")[0], 200)

    def test_many_connections(self):
        slow = [self.server.connect() for _ in range(100)]
        for n, client in enumerate(slow):
            client.sendall(b"GET /map/5/16/16.p"[: n % 19])
        clients = [self.server.connect() for _ in range(200)]
        for n, client in enumerate(clients):
            client.sendall(b"GET /terrarium/12/%d/2000.png HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % n)
        for client in clients:
            self.assertEqual(client.recv(12), b"HTTP/1.1 200")
        for client in slow + clients:
            client.close()

    def test_more_connections_than_allowed(self):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and most < 2000:
            self.skipTest("this process may open too few files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (2000, most))
        clients = [self.server.connect() for _ in range(1400)]
        for client in clients:
            client.sendall(b"GET /map/3/1/1.png HTTP/1.1\r\nHost: a\r\n")  # no end of the request
        for client in clients:
            client.close()
        begin = time.monotonic()
        self.assertEqual(self.server.ask("/tilejson")[0], 200)
        self.assertLess(time.monotonic() - begin, 5.0)


class Ends(unittest.TestCase):
    """Clients that disconnect, and the end of a server, while it makes climate tiles that take about a second each."""

    def test_readers_who_have_gone(self):
        server = Server("--threads", "2")
        for client in server.ask_for_slow_tiles(60):
            client.close()
        time.sleep(1.5)
        before = processor_s(server.process)
        time.sleep(0.7)
        self.assertLess(processor_s(server.process) - before, 0.2, "tiles are made that nobody waits for")
        self.assertEqual(server.ask("/tilejson")[0], 200)
        server.end()

    def test_full_queue_and_end(self):
        server = Server("--threads", "2")
        clients = server.ask_for_slow_tiles(530)
        clients[-1].settimeout(30)
        answer = clients[-1].recv(4096)
        self.assertTrue(answer.startswith(b"HTTP/1.1 503") and b"Retry-After: 1" in answer, answer[:200])
        status, seconds = server.end()
        self.assertEqual(status, 130)
        self.assertLess(seconds, 1.0)
        for client in clients:
            client.close()


def varints(data):
    number, shift, numbers = 0, 0, []
    for byte in data:
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            numbers.append(number)
            number, shift = 0, 0
    return numbers


def place_on_curve(number):
    """Zoom, column and row of a tile by its number in a PMTiles file: along a Hilbert curve in each zoom."""
    zoom = 0
    while number >= 4**zoom:
        number, zoom = number - 4**zoom, zoom + 1
    x = y = 0
    for n in range(zoom):
        side, rx = 2**n, number // 2 & 1
        ry = (number ^ rx) & 1
        if ry == 0:
            x, y = (side - 1 - y, side - 1 - x) if rx else (y, x)
        x, y, number = x + side * rx, y + side * ry, number // 4
    return zoom, x, y


def packed_tiles(file):
    """The tiles of a PMTiles file without leaf directories, by zoom, column and row."""
    root, root_size, _, _, _, leaf_size, tiles = (int.from_bytes(file[n : n + 8], "little") for n in range(8, 64, 8))
    assert file[:8] == b"PMTiles\3" and leaf_size == 0 and file[97] == 2
    numbers = varints(gzip.decompress(file[root : root + root_size]))
    count, found, at, key = numbers[0], {}, 0, 0
    columns = [numbers[1 + n * count : 1 + (n + 1) * count] for n in range(4)]
    for step, run, size, offset in zip(*columns):
        key, at = key + step, offset - 1 if offset else at
        assert run == 1
        found[place_on_curve(key)] = file[tiles + at : tiles + at + size]
        at += size
    return found


class Site(unittest.TestCase):
    """terrane export --preset web writes the tiles that the server has."""

    def export(self, *words):
        command = [TERRANE, "export", "--preset", "web", "--basis", "smooth", *words]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)

    def test_site(self):
        with tempfile.TemporaryDirectory() as self.folder:
            part = ["--zoom", "9-10", "--at", "0,0", "--size", "60000x60000", "--pmtiles", "-o", "site"]
            self.assertEqual(self.export(*part).returncode, 0)
            site = os.path.join(self.folder, "site")
            facts = json.loads(pathlib.Path(site, "map.json").read_text(encoding="utf-8"))
            server = Server("--basis", "smooth", "--centre", "%d,%d" % tuple(facts["terrane"]["centre"]))
            names = [os.path.relpath(os.path.join(at, n), site) for at, _, files in os.walk(site) for n in files]
            tiles = [name for name in names if re.fullmatch(r"[a-z-]+/\d+/\d+/\d+\.png", name)]
            self.assertGreaterEqual(len(tiles), 3 * (1 + 4))
            for name in tiles + ["index.html", "maplibre-gl.js", "maplibre-gl.css", "maplibre-LICENSE.txt"]:
                self.assertEqual(pathlib.Path(site, name).read_bytes(), server.ask("/" + name)[1], name)
            server.end()
            for kind in ("map", "terrarium", "terrain-rgb"):
                mine = {n: pathlib.Path(site, n).read_bytes() for n in tiles if n.startswith(kind + "/")}
                packed = packed_tiles(pathlib.Path(site, f"{kind}.pmtiles").read_bytes())
                self.assertEqual({f"{kind}/{z}/{x}/{y}.png": tile for (z, x, y), tile in packed.items()}, mine)
            self.assertRegex(self.export(*part).stderr, "map.json' exists already; --force")
            os.remove(os.path.join(site, tiles[0]))
            self.assertIn(f"1 tiles, {len(tiles) - 1} kept", self.export(*part, "--resume").stderr)
            other = self.export(*part, "--resume", "--seed", "5")
            self.assertEqual((other.returncode, "of another world" in other.stderr), (3, True))

    @unittest.skipIf(lacks(TERRANE, "GDAL"), "this build has no GDAL")
    def test_no_vectors(self):
        """A map without any river large enough ends, and has an empty folder of vectors."""
        with tempfile.TemporaryDirectory() as self.folder:
            words = "--at -1069056,1928192 --size 300x300 --zoom 11-12 --min-area 4000 --features rivers --pmtiles"
            made = self.export("--basis", "fluvial", *words.split(), "-o", "site")
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(list(pathlib.Path(self.folder, "site", "vectors").iterdir()), [])

    @unittest.skipIf(lacks(TERRANE, "GDAL"), "this build has no GDAL")
    def test_vectors(self):
        """Rivers and lakes lie in vector tiles, in one file too; --resume keeps them."""
        with tempfile.TemporaryDirectory() as self.folder:
            place = ["--basis", "fluvial", "--at", "-1069056,1928192", "--size", "3000x3000", "--zoom", "11-12"]
            words = [*place, "--features", "rivers,lakes", "--pmtiles", "-o", "site"]
            made = self.export(*words)
            self.assertEqual(made.returncode, 0, made.stderr)
            site = pathlib.Path(self.folder, "site")
            self.assertEqual(json.loads((site / "map.json").read_text())["terrane"]["vectors"], "rivers,lakes")
            packed = packed_tiles((site / "vectors.pmtiles").read_bytes())
            found = {tuple(map(int, p.with_suffix("").parts[-3:])): p for p in (site / "vectors").glob("*/*/*.pbf")}
            self.assertEqual({key: path.read_bytes() for key, path in found.items()}, packed)
            maps = {tuple(map(int, p.with_suffix("").parts[-3:])) for p in (site / "map").glob("*/*/*.png")}
            self.assertEqual({z for z, _, _ in found}, {11, 12})
            self.assertLessEqual(set(found), maps)
            for path in found.values():
                self.assertRegex(path.read_bytes(), b"rivers")
                self.assertRegex(path.read_bytes(), b"strahler")
            before = (site / "vectors").stat().st_mtime_ns
            self.assertIn(" 0 tiles", self.export(*words, "--resume").stderr)
            self.assertEqual((site / "vectors").stat().st_mtime_ns, before)
            self.assertEqual(self.export(*place, "--resume", "-o", "site").returncode, 3)

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as self.folder:
            for words, sentence in (
                (["--zoom", "0-1", "--features", "coast", "-o", "s"], "expected rivers, lakes or rivers,lakes"),
                (["--zoom", "0-1", "--min-area", "5", "-o", "s"], "--min-area is for vector features"),
                (["-o", "s"], "--zoom is missing"),
                (["--zoom", "0-3"], "-o is missing"),
                (["--zoom", "0-22", "-o", "s"], "--zoom is '0-22'"),
                (["--zoom", "0-21", "-o", "s"], "tiles, expected at most"),
                (["--zoom", "0-1", "--at", "0,0", "-o", "s"], "--at and --size together"),
                (["--zoom", "0-1", "--format", "tiff", "-o", "s"], "not for --preset web"),
            ):
                said = self.export(*words)
                self.assertEqual((said.returncode, sentence in said.stderr), (2, True), said.stderr)
            self.assertEqual(os.listdir(self.folder), [])


if lacks(TERRANE, "the server"):
    print("skipped: this build has no server")
    sys.exit(77)
unittest.main(argv=sys.argv[:1])
