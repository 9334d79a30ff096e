#!/usr/bin/env python3
"""test_fly_interrupt.py TERRANE - one signal ends a flight soon, in every step, and no file is left; a second signal
ends it at once. The progress of the flight is read from the bar on its terminal."""

import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TERRANE = os.path.abspath(sys.argv[1])
SOON_S = 2.0  # a second, and another one for a busy machine
DEADLINE_S = 300


class Flight:
    """A flight without a window whose standard error is a terminal."""

    def __init__(self, *words, basis="smooth"):
        self.folder = tempfile.TemporaryDirectory()
        self.shown = b""
        self.master, slave = pty.openpty()
        command = [TERRANE, "fly", "--headless", "--backend", "cpu", "--basis", basis, "--quality", "low", *words]
        self.process = subprocess.Popen(
            command, cwd=self.folder.name, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave
        )
        os.close(slave)

    def read(self):
        try:
            received = os.read(self.master, 65536)
        except OSError:  # the other side is closed
            received = b""
        self.shown += received
        return received

    def read_until(self, text):
        end = time.monotonic() + DEADLINE_S
        while text not in self.shown:
            assert self.read() and time.monotonic() < end, self.shown[-500:]

    def interrupt(self):
        """Send a signal. Returns the seconds until the end."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        while self.read():
            pass
        self.process.wait(DEADLINE_S)
        return time.monotonic() - begin

    def close(self):
        os.close(self.master)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


class Interrupt(unittest.TestCase):
    def check(self, text, later_s, *words, **basis):
        """Interrupt a flight some time after its bar has shown a text, because the test cannot see when a pass begins.
        At this time the flight is in a step that would go on for more than twice SOON_S."""
        flight = Flight(*words, **basis)
        self.addCleanup(flight.close)
        flight.read_until(text)
        time.sleep(later_s)
        took_s = flight.interrupt()
        self.assertEqual(flight.process.returncode, 130, flight.shown[-500:])
        self.assertIn(b"interrupted", flight.shown)
        self.assertLess(took_s, SOON_S)
        self.assertEqual(os.listdir(flight.folder.name), [])

    def test_large_picture(self):
        self.check(b"picture [", 1.0, "--frames", "1", "--size", "16384x2048", "--screenshot", "large.png")

    def test_large_frames(self):
        self.check(b"frame 1", 1.0, "--frames", "1000", "--size", "2560x2560")

    def test_frames(self):
        self.check(b"frame 2", 0.0, "--frames", "1000000", "--size", "320x200", "--screenshot", "small.png")

    def test_from_space(self):
        """Coarse land is made several tiles at a time."""
        space = "--frames 1 --size 2560x1440 --altitude 1000000 --pitch -50"
        self.check(b"", 2.0, *space.split(), basis="fluvial")

    def test_fine_spacing(self):
        self.check(b"", 2.0, "--frames", "1", "--size", "1280x720", "--spacing", "0.001", basis="fluvial")

    def test_second_signal(self):
        flight = Flight("--frames", "1", "--size", "16384x256", "--screenshot", "large.png")
        self.addCleanup(flight.close)
        flight.read_until(b"picture [")
        flight.process.send_signal(signal.SIGINT)
        flight.process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        flight.process.wait(DEADLINE_S)
        self.assertLess(time.monotonic() - begin, SOON_S)
        self.assertEqual(os.listdir(flight.folder.name), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
