#!/usr/bin/env python3
"""test_terminal.py TERRANE export|fly - progress bars on a terminal: a bar is redrawn in place, on one line, and
messages have their own lines. If standard error is not a terminal, no bar is written. pyte emulates the terminal and
reads from a pseudo-terminal."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

try:
    import pyte
except ImportError:
    print("skipped: python3-pyte is missing", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from build_parts import lacks  # noqa: E402

TERRANE = os.path.abspath(sys.argv[1])
LINES = 400  # enough rows that no text scrolls away
BAR = re.compile(r"\[#*\.*\] +(\d+) %")
DEADLINE_S = 120


class Terminal:
    """A command whose standard error is a terminal; its standard output is read separately."""

    def __init__(self, words, columns=100):
        self.screen = pyte.Screen(columns, LINES)
        self.screen.set_mode(pyte.modes.LNM)
        self.stream = pyte.ByteStream(self.screen)
        self.bars = []  # every bar at the time when it was drawn: (text before it, share)
        self.lines_above = []  # for each of these bars, the line above it at that time
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        self.process = subprocess.Popen(
            [TERRANE, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave
        )
        os.close(slave)
        self.master = master

    def read(self):
        """Pass what has arrived to the screen. Returns False at the end."""
        try:
            received = os.read(self.master, 65536)
        except OSError:  # the other side is closed
            received = b""
        for part in re.split(rb"(?=[\r\n])", received):  # each drawing of a bar begins with a return
            self.stream.feed(part)
            self.note_bar()
        return bool(received)

    def line(self, y):
        return "".join(self.screen.buffer[y][x].data for x in range(self.screen.columns))

    def note_bar(self):
        line = self.line(self.screen.cursor.y)
        found = BAR.search(line)
        if found:
            self.bars.append((line[: found.start()].strip(), int(found.group(1))))
            self.lines_above.append(self.line(max(self.screen.cursor.y - 1, 0)))

    def finish(self):
        """Read to the end and return the exit status."""
        while self.read():
            pass
        os.close(self.master)
        self.output = self.process.stdout.read().decode()
        self.process.stdout.close()
        return self.process.wait(DEADLINE_S)

    def lines(self):
        """The text on the screen at the end."""
        return [self.line(y).rstrip() for y in range(self.screen.cursor.y + 1)]


class BarTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir("/")
        self.folder.cleanup()

    def run_on_terminal(self, *words, status=0, columns=100):
        terminal = Terminal(words, columns)
        self.assertEqual(terminal.finish(), status, "\n".join(terminal.lines()))
        self.check_screen(terminal)
        if status == 0:
            left = [found.group(1) for found in map(BAR.search, terminal.lines()) if found]
            self.assertTrue(
                all(share == "100" for share in left),
                "a bar stays that is not at its end:\n" + "\n".join(terminal.lines()),
            )
        return terminal

    def check_screen(self, terminal):
        """Check what must be true for every command's screen."""
        screen = "\n".join(terminal.lines())
        labels = []
        for line in terminal.lines():
            found = BAR.search(line)
            if found:
                labels.append(line[: found.start()])
                self.assertEqual(line[found.end() :].strip(), "", f"something stands behind a bar:\n{screen}")
        self.assertEqual(len(labels), len(set(labels)), f"a bar stands on several lines:\n{screen}")
        self.assertEqual(terminal.screen.cursor.x, 0, f"the last line has no end:\n{screen}")
        last = {}
        for label, share in terminal.bars:
            self.assertGreaterEqual(share, last.get(label, 0), f"a bar goes back: {terminal.bars}")
            self.assertLessEqual(share, 100)
            last[label] = share

    def check_plain(self, *words):
        """The same command with standard error in a pipe writes complete lines, and no bar."""
        done = subprocess.run([TERRANE, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE_S)
        text = done.stderr.decode()
        self.assertEqual(done.returncode, 0, text)
        self.assertNotIn("\r", text)
        self.assertNotIn("\033", text)
        self.assertIsNone(BAR.search(text), text)
        self.assertTrue(text == "" or text.endswith("\n"), text)


class ExportTest(BarTest):
    def export(self, name, *words):
        return ["export", "--backend", "cpu", "--basis", "smooth", "--size", "2048x2048", *words, "-o", name]

    def check_export(self, *words, **how):
        terminal = self.run_on_terminal(*words, **how)
        self.assertTrue(terminal.bars, "no bar was drawn")
        self.assertIn(100, [share for _, share in terminal.bars], "the bar does not reach its end")
        return terminal

    def assert_line(self, terminal, beginning):
        """Check that a line begins with a regular expression, so that no bar is before it."""
        lines = terminal.lines()
        self.assertTrue(
            any(re.match(beginning, line) for line in lines), f"no line begins '{beginning}':\n" + "\n".join(lines)
        )

    def test_one_file(self):
        for name in ("a.r32", "a.tif", "a.exr"):
            with self.subTest(name):
                terminal = self.check_export(*self.export(name))
                self.assert_line(terminal, rf"terrane: {name}: 2048 x 2048 samples")

    def test_tiles(self):
        terminal = self.check_export(*self.export("t_{x}_{y}.tif", "--tiles", "2x1"))
        self.assert_line(terminal, r"terrane: .*: 2 files written")

    @unittest.skipIf(lacks(TERRANE, "viewer"), "this build has no maps")
    def test_map(self):
        """The bar of a map appears at the start of the work, not only after the land is made, which takes most of the
        time."""
        terminal = self.check_export(*self.export("map.png", "--format", "map"))
        self.assertLess(terminal.bars[0][1], 50, f"the bar begins late: {terminal.bars}")

    def test_guide(self):
        """The tables of a guide have a bar of their own in all commands that make them."""
        numbers = struct.pack("<900f", *(n * 7919 % 1009 for n in range(900)))
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (30, 30), }"
        with open("g.npy", "wb") as file:
            file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + numbers)
        guide = ["--guide", "g.npy", "--guide-spacing", "2000"]
        small = ["--size", "8x8", "--lod", "7", "--backend", "cpu", "-o", "g.r32"]
        for words in (["info"], ["probe", "0,0"], ["export", *small]):
            with self.subTest(words[0]):
                terminal = self.run_on_terminal(*words, *guide)
                shares = [share for label, share in terminal.bars if label == "guide"]
                self.assertTrue(shares and shares[0] < 50 and shares[-1] == 100, f"bars: {terminal.bars}")
                self.check_plain(*words, *guide, *(["--force"] if words[0] == "export" else []))
                quiet = self.run_on_terminal(*words, *guide, "--quiet", *(["--force"] if words[0] == "export" else []))
                self.assertFalse(quiet.bars, "--quiet shows a bar")

    def test_long_name(self):
        """A file name that is too long for a line with a bar."""
        name = "n" * 90 + ".tif"
        terminal = self.check_export(*self.export(name), columns=80)
        self.assertFalse(
            [line for line in terminal.lines_above if not line.endswith(" ")], "a bar takes more than a line"
        )

    @unittest.skipIf(lacks(TERRANE, "sidecars"), "this build has no sidecars")
    def test_verify(self):
        self.run_on_terminal(*self.export("a.tif"))
        terminal = Terminal(["export", "--backend", "cpu", "--verify", "a.tif"])
        self.assertEqual(terminal.finish(), 0)
        self.check_screen(terminal)
        said = terminal.lines() + terminal.output.splitlines()
        self.assertEqual(
            len([line for line in said if re.match(r"(terrane: )?a\.tif: 2048 x 2048 samples", line)]),
            1,
            "\n".join(said),
        )

    def test_interrupted(self):
        terminal = Terminal(
            ["export", "--backend", "cpu", "--basis", "smooth", "--size", "20000x20000", "-o", "slow.tif"]
        )
        while not terminal.bars and terminal.read():
            pass
        self.assertTrue(terminal.bars, "\n".join(terminal.lines()))
        terminal.process.send_signal(signal.SIGINT)
        self.assertEqual(terminal.finish(), 130)
        self.check_screen(terminal)
        self.assert_line(terminal, "terrane export: interrupted")

    def test_pipe(self):
        self.check_plain(*self.export("a.tif"))


class FlyTest(BarTest):
    def fly(self, *words):
        return [
            "fly",
            "--headless",
            "--backend",
            "cpu",
            "--basis",
            "smooth",
            "--quality",
            "low",
            "--size",
            "64x36",
            "--frames",
            "20",
            *words,
        ]

    def test_flight(self):
        terminal = self.run_on_terminal(*self.fly())
        self.assertTrue(terminal.bars, "no bar was drawn:\n" + "\n".join(terminal.lines()))
        self.assertGreaterEqual(terminal.bars[-1][1], 50, "the last bar shows less than 50 %")

    def test_pipe(self):
        self.check_plain(*self.fly())


if __name__ == "__main__":
    tests = {"export": ExportTest, "fly": FlyTest}[sys.argv[2]]
    if tests is FlyTest and lacks(TERRANE, "the viewer"):
        print("skipped: this build has no viewer", file=sys.stderr)
        sys.exit(77)
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(tests))
    sys.exit(0 if result.wasSuccessful() else 1)
