#!/usr/bin/env python3
"""test_luanti.py TERRANE LIBRARY SOURCE - a game server with the mod examples/luanti makes the land that exports have,
node by node, with rivers that keep their water. A world keeps its land when settings change. Without the library the
server says so and goes on."""

import array
import csv
import itertools
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TERRANE, LIBRARY, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
MODS = pathlib.Path(SOURCE) / "examples" / "luanti"
START = (-1078272, 1921024)
FOLDERS = os.pathsep.join([os.environ["PATH"], "/usr/games", "/usr/lib/minetest"])
SERVER = shutil.which("luantiserver", path=FOLDERS) or shutil.which("minetestserver", path=FOLDERS)
NUMBERS = itertools.count()


def games():
    listed = subprocess.run([SERVER, "--gameid", "list"], capture_output=True, text=True, timeout=300)
    return (listed.stdout + listed.stderr).split()


def address():
    """An address of this machine that belongs to this process, so that the port need not be guessed."""
    pid = os.getpid()
    return f"127.{pid >> 16 & 255}.{pid >> 8 & 255}.{pid & 255 or 1}"


class World:
    """A world of the game, whose server makes an area and ends."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / f"world{next(NUMBERS)}"
        for mod in ("terrane", "terrane_survey"):
            shutil.copytree(MODS / mod, self.folder / "worldmods" / mod)

    def serve(self, area, trusted="terrane", library=LIBRARY, **settings):
        """Run the server until it has made an area: least x and z, greatest x and z. Returns what it has printed."""
        settings |= {
            "terrane_library": library,
            "terrane_survey_area": ",".join(map(str, area)),
            "secure.trusted_mods": trusted,
            "bind_address": address(),
            "server_unload_unused_data_timeout": 3600,
            "num_emerge_threads": 1,
        }
        lines = "".join(f"{name} = {text}\n" for name, text in settings.items())
        (self.folder / "server.conf").write_text(lines)
        words = ["--gameid", GAME, "--world", self.folder, "--config", self.folder / "server.conf"]
        words += ["--logfile", self.folder / "log.txt"]
        done = subprocess.run([SERVER, *words], capture_output=True, text=True, timeout=900)
        text = done.stdout + done.stderr
        assert done.returncode == 0, text
        return text

    def columns(self):
        """What the server has made: (ground, its node, water or None, nodes of trees) by (x, z)."""
        with open(self.folder / "survey.csv") as file:
            return {
                (int(x), int(z)): (int(ground), node, int(water) if water else None, int(trees))
                for x, z, ground, node, water, trees in csv.reader(file)
            }


def layer(folder, name):
    samples = array.array("f")
    samples.frombytes((pathlib.Path(folder) / f"expected_{name}.r32").read_bytes())
    return samples


def expected(folder, area, lod, *options):
    """Ground and water of an area in nodes, from an export."""
    min_x, min_z, max_x, max_z = area
    step = 2**lod
    width, height = max_x - min_x + 1, max_z - min_z + 1
    at = f"{(START[0] // step + min_x) * step},{(START[1] // step - max_z) * step}"
    words = [TERRANE, "export", "--lod", str(lod), "--at", at, "--size", f"{width}x{height}", "--layer", "height,water"]
    words += ["--force", "-o", f"{folder}/expected.r32", *options]
    subprocess.run(words, check=True, capture_output=True)
    columns = {}
    samples = zip(layer(folder, "height"), layer(folder, "water"))
    for n, (ground_m, water_m) in enumerate(samples):
        ground = math.floor(ground_m / step)
        water = None if math.isnan(water_m) else math.floor(water_m / step)
        columns[min_x + n % width, max_z - n // width] = (ground if water is None else min(ground, water - 1), water)
    return columns


class Land(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.world = World(self.folder.name)

    def check(self, area, lod, *options):
        """Compare the area with an export. Returns its columns."""
        columns = self.world.columns()
        land = {place: (ground, water) for place, (ground, _, water, _) in columns.items()}
        self.assertEqual(land, expected(self.folder.name, area, lod, *options))
        return columns

    def test_river_and_later_settings(self):
        area = (-2696, -584, -2617, -505)
        said = self.world.serve(area)
        self.assertIn("0 blocks failed; 0 columns lose water", said)
        columns = self.check(area, 0)
        wet = [column for column in columns.values() if column[2] is not None]
        self.assertGreater(len(wet), 800)
        self.assertEqual({node.split(":")[1] for _, node, _, _ in wet} - {"sand", "gravel"}, set(), "nodes of the bed")
        self.assertGreater(sum(trees > 0 for _, _, _, trees in columns.values()), 400, "columns with trees")
        east = (48, -352, 60, -340)
        said = self.world.serve(east, terrane_seed=5)
        self.assertIn("the world keeps its land", said)
        self.check(east, 0)
        said = self.world.serve(east, library="/nowhere/libterrane.so")
        self.assertIn("the server ends, so that no holes are stored", said)

    def test_named_world(self):
        area = (48, 48, 127, 127)
        self.world.serve(area, terrane_world=f"{SOURCE}/assets/worlds/alps.ini", terrane_scale=16, terrane_seed=7)
        columns = self.check(area, 4, "--world", "alps", "--seed", "7")
        self.assertGreaterEqual(len({node for _, node, _, _ in columns.values()}), 3, "materials")

    def test_refusals(self):
        area = (0, 0, 1, 1)
        moon = f"{SOURCE}/assets/worlds/moon.ini"
        for sentence, settings in (
            ("cannot open the library: /nowhere/libterrane.so", {"library": "/nowhere/libterrane.so"}),
            ("the mod is not trusted", {"trusted": "other"}),
            ("there is no world 'atlantis'", {"terrane_world": "atlantis"}),
            ("is not fluvial", {"terrane_world": moon}),
            ("terrane_scale is '3'", {"terrane_scale": 3}),
            ("seed is '18446744073709551616'", {"terrane_seed": 2**64}),
        ):
            with self.subTest(sentence):
                said = self.world.serve(area, **settings)
                self.assertIn(sentence, said)
                self.assertIn("no land is made", said)
                self.assertFalse((self.world.folder / "survey.csv").exists())


if __name__ == "__main__":
    if not SERVER:
        sys.exit(print("skipped: the server of Luanti is missing (package minetest-server)") or 77)
    GAME = next((game for game in ("minetest_game", "minetest", "devtest") if game in games()), None)
    if not GAME:
        sys.exit(print("skipped: no game for the server of Luanti (package minetest-data)") or 77)
    unittest.main(argv=sys.argv[:1])
