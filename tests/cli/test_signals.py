#!/usr/bin/env python3
"""test_signals.py TERRANE - one signal ends every command, and exports of every format in each of their steps,
within a second, with status 130, and no file is left. Long exports say how long they take. For flights see
test_fly_interrupt.py."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from build_parts import lacks  # noqa: E402
from processor_time import processor_s  # noqa: E402

TERRANE = os.path.abspath(sys.argv[1])
SOON_S = 1.0
COMPUTED_S = 0.4  # processor time before the signal; the work has then begun
ESTIMATED_S = 0.1  # the same for --dry-run, which may end after a quarter of a second
ENOUGH_S = 10.0  # limit after which a process is killed
DEADLINE_S = 120
EXPENSIVE = ["--backend", "cpu", "--basis", "fluvial", "--lod", "15"]  # some microseconds of processor time a sample
QUICK = ["--backend", "cpu", "--basis", "midpoint", "--valley", "0"]
ELSEWHERE = {"fly": "test_fly_interrupt.py", "info": "ends by itself, at once", "serve": "test_serve.py"}

# Exports of every format and of two layers that are pictures, of land whose first strip takes minutes.
FORMATS = {
    "r16": ["--size", "4000x4000", "--range", "-400,4000", "-o", "a.r16"],
    "r32": ["--size", "4000x4000", "-o", "a.r32"],
    "png16": ["--size", "4000x4000", "--range", "-400,4000", "-o", "a.png"],
    "tiff16": ["--size", "4000x4000", "--range", "-400,4000", "--format", "tiff16", "-o", "a.tif"],
    "tiff": ["--size", "4000x4000", "-o", "a.tif"],
    "cog": ["--size", "4000x4000", "--format", "cog", "-o", "a.tif"],
    "asc": ["--size", "4000x4000", "-o", "a.asc"],
    "pgm": ["--size", "4000x4000", "--range", "-400,4000", "-o", "a.pgm"],
    "hfield": ["--size", "4000x4000", "-o", "a.hfield"],
    "exr": ["--size", "4000x4000", "-o", "a.exr"],
    "glb": ["--size", "2001x2001", "-o", "a.glb"],
    "stl": ["--size", "2001x2001", "-o", "a.stl"],
    "obj": ["--size", "2001x2001", "-o", "a.obj"],
    "map": ["--size", "1000x1000", "--format", "map", "-o", "a.png"],
    "splat": ["--size", "4000x4000", "--layer", "splat", "-o", "a.png"],
    "normal": ["--size", "4000x4000", "--layer", "normal", "-o", "a.png"],
}
# For each step of making a mesh, an export that is interrupted in it. The first word is the step's name in the progress
# bar. The heights of these exports take hardly any time.
STEPS = {
    "triangles": ["--size", "4097x4097", "--max-error", "0", "-o", "a.stl"],
    "triangles of an error": ["--size", "2049x2049", "--max-error", "0.001", "-o", "a.glb"],
    "writing": ["--size", "4097x4097", "-o", "a.stl"],
    "writing text": ["--size", "2049x2049", "-o", "a.obj"],
    "writing glb": ["--size", "4097x4097", "-o", "a.glb"],
    "texture": ["--size", "4097x4097", "--texture", "-o", "a.glb"],
}


def said(*words):
    done = subprocess.run([TERRANE, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, text=True)
    return done.stdout


class Run:
    """A command whose standard error is a terminal, in a new folder."""

    def __init__(self, *words):
        self.folder = tempfile.TemporaryDirectory()
        self.shown = b""
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [TERRANE, *words], cwd=self.folder.name, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=slave
        )
        os.close(slave)
        self.end = time.monotonic() + DEADLINE_S

    def read(self, wait_s):
        """Read what has arrived on the terminal. Returns False if it is closed."""
        if not select.select([self.master], [], [], wait_s)[0]:
            return True
        try:
            received = os.read(self.master, 65536)
        except OSError:
            received = b""
        self.shown += received
        return bool(received)

    def until_computed(self, least_s):
        while (used_s := processor_s(self.process)) is not None and used_s < least_s and time.monotonic() < self.end:
            self.read(0.02)

    def until_shown(self, pattern):
        while not re.search(pattern, self.shown) and self.read(0.1) and time.monotonic() < self.end:
            pass
        return bool(re.search(pattern, self.shown))

    def interrupt(self):
        """Send a signal. Returns the seconds until the end of the process, or until the limit."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        while self.read(0.05) and time.monotonic() < begin + ENOUGH_S:
            pass
        took_s = time.monotonic() - begin
        if took_s > ENOUGH_S:
            self.process.kill()
        self.process.wait(DEADLINE_S)
        return took_s

    def close(self):
        os.close(self.master)
        self.process.stdin.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


class Signals(unittest.TestCase):
    def ends_soon(self, run):
        took_s = run.interrupt()
        print(f"ended after {took_s:.2f} s: {' '.join(run.process.args[1:])}")
        self.assertEqual(run.process.returncode, 130, run.shown[-500:])
        self.assertIn(b"interrupted", run.shown)
        self.assertEqual(os.listdir(run.folder.name), [])
        self.assertLess(took_s, SOON_S)

    def begin(self, *words):
        run = Run(*words)
        self.addCleanup(run.close)
        return run

    def check(self, *words):
        run = self.begin(*words)
        run.until_computed(ESTIMATED_S if "--dry-run" in words else COMPUTED_S)
        self.ends_soon(run)

    def test_commands(self):
        """Every command that makes heights; the test fails if one is missing here."""
        commands = {
            "scout": [["--backend", "cpu", *words] for words in (["--spacing", "0.001"], ["--radius", "8000"])],
            "export": [
                [*EXPENSIVE, "--size", "40000x40000", "--dry-run", "-o", "a.r32"],
                [*EXPENSIVE, "--size", "40000x40000", "--lod", "0-1", "-o", "a_{lod}.r32"],
            ],
            "bench": [["--backends", "cpu", "--generators", "single-pass", "--basis", "smooth", "--size", "8192"]],
            "probe": [["--backend", "cpu", "0,0"]],
        }
        listed = re.findall(r"^  ([a-z]+)  ", said("help"), re.MULTILINE)
        self.assertLessEqual({"scout", "export"}, set(listed))
        self.assertEqual(set(listed) - set(commands) - set(ELSEWHERE) - {"help"}, set())
        del commands["probe"]  # tested below with many points; with few it would end before the signal
        for command, lines in commands.items():
            for words in lines:
                with self.subTest(command):
                    self.check(command, *words)

    def test_probe(self):
        """Distant points, each of which needs its own network."""
        run = self.begin("probe", "--backend", "cpu", "--basis", "fluvial", "--layer", "height,water")
        lines = "".join(f"{n * 100003 % 2**40},{n * n * 7919 % 2**40}\n" for n in range(4096))
        run.process.stdin.write(lines.encode())
        run.process.stdin.flush()
        run.until_computed(COMPUTED_S)
        self.ends_soon(run)

    def test_formats(self):
        formats = said("export", "--help").partition("Formats")[2].partition("\n\n")[0]
        names = re.findall(r"^  (\w+) ", formats, re.MULTILINE)
        self.assertIn("r32", names)
        self.assertEqual([name for name in names if name not in FORMATS], [])
        needed = {"exr": "OpenEXR", "map": "viewer"} | dict.fromkeys(["tif", "cog"], "TIFF")
        needed |= dict.fromkeys(["png", "nor", "spl"], "PNG files")
        for name, words in FORMATS.items():
            with self.subTest(name):
                if not lacks(TERRANE, needed.get(name[:3], "nothing")):
                    self.check("export", *EXPENSIVE, *words)

    def test_steps(self):
        for step, words in STEPS.items():
            if step == "texture" and lacks(TERRANE, "viewer"):
                continue
            with self.subTest(step):
                run = self.begin("export", *QUICK, *words)
                self.assertTrue(run.until_shown(rb": " + step.partition(" ")[0].encode() + rb" \["), run.shown[-500:])
                self.ends_soon(run)

    def test_splat(self):
        if lacks(TERRANE, "PNG files"):
            self.skipTest("this build has no PNG files")
        self.check("export", *QUICK, "--size", "8000x8000", "--layer", "splat", "-o", "a.png")

    def test_forecast(self):
        """The bar moves during the first strip, and a line says how long the whole export takes."""
        run = self.begin("export", *EXPENSIVE, "--size", "4000x4000", "-o", "a.r32")
        self.assertTrue(run.until_shown(rb"a\.r32: about [0-9.]+ (s|min|h) more"), run.shown[-500:])
        self.assertTrue(run.until_shown(rb" [1-9][0-9]? %"), run.shown[-500:])
        self.ends_soon(run)

    def test_dry_run(self):
        """The time of a map is estimated before it begins. A map with 16 times the pixels takes about 16 times as
        long."""
        if lacks(TERRANE, "viewer"):
            self.skipTest("this build has no maps")
        seconds = []
        for side in (2000, 8000):
            text = said("export", *EXPENSIVE, "--size", f"{side}x{side}", "--format", "map", "-o", "a.png", "--dry-run")
            found = re.search(r"time: about ([0-9.]+) (s|min|h)$", text, re.MULTILINE)
            self.assertTrue(found, text)
            seconds.append(float(found[1]) * {"s": 1, "min": 60, "h": 3600}[found[2]])
        self.assertGreater(seconds[0], 5.0)
        self.assertTrue(4 < seconds[1] / seconds[0] < 64, seconds)

    def test_far_maps(self):
        """The time of a map whose samples are means is estimated, too, and a signal ends the map within a second."""
        if lacks(TERRANE, "viewer"):
            self.skipTest("this build has no maps")
        for lod in ("9", "12", "16", "20"):
            far = ("export", "--backend", "cpu", "--lod", lod, "--format", "map", "-o", "a.png", "--size", "6000x6000")
            found = re.search(r"time: about ([0-9.]+) (s|min|h)$", said(*far, "--at", "0,0", "--dry-run"), re.MULTILINE)
            seconds = float(found[1]) * {"s": 1, "min": 60, "h": 3600}[found[2]]
            self.assertTrue(5 < seconds < 7200, (lod, seconds))
        self.check(*far, "--at", "0,0")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
