#!/usr/bin/env python3
"""test_export_interrupt.py TERRANE - one signal ends an export within a second, even with the slowest method, and no
new file is left. The signal arrives while an export writes rows of 60000 samples in one of four formats, measures the
range of heights, makes a map, or verifies a file."""

import os
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
COMPUTED_S = 0.5  # processor time that a process uses before the signal; it is making its first samples then
DEADLINE_S = 60
SLOWLY = ["--backend", "cpu", "--basis", "smooth", "--generator", "single-pass"]


class Interrupt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def check(self, *words, present=()):
        process = subprocess.Popen(
            [TERRANE, "export", *SLOWLY, *words], cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        end = time.monotonic() + DEADLINE_S
        while (used_s := processor_s(process)) is not None and used_s < COMPUTED_S and time.monotonic() < end:
            time.sleep(0.01)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=DEADLINE_S)[1]
        took_s = time.monotonic() - begin
        print(f"ended after {took_s:.2f} s: {words[-1]}")
        self.assertEqual(process.returncode, 130, said)
        self.assertIn(b"interrupted", said)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(present))
        self.assertLess(took_s, SOON_S)

    def test_formats(self):
        for name, needed, *more in [
            ("wide.r32", None),
            ("wide.tif", "TIFF"),
            ("wide.exr", "OpenEXR"),
            ("wide.png", "PNG files", "--range", "-400,900"),
        ]:
            with self.subTest(name):
                if not (needed and lacks(TERRANE, needed)):
                    self.check("--size", "60000x4000", "-o", name, *more)

    def test_one_thread(self):
        self.check("--size", "60000x4000", "--threads", "1", "-o", "wide.r32")

    def test_range(self):
        self.check("--size", "60000x4000", "--range", "auto", "-o", "wide.r16")

    def test_map(self):
        if lacks(TERRANE, "viewer"):
            self.skipTest("this build has no maps")
        self.check("--size", "8000x8000", "--format", "map", "-o", "map.png")

    def test_verify(self):
        if lacks(TERRANE, "sidecars"):
            self.skipTest("this build has no sidecars")
        made = ["export", "--backend", "cpu", "--basis", "smooth", "--size", "60000x500", "-o", "wide.r32"]
        subprocess.run([TERRANE, *made], cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        self.check("--verify", "wide.r32", present=os.listdir(self.folder))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
