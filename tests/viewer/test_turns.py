#!/usr/bin/env python3
"""test_turns.py TERRANE - frames of a flight that waits for its tiles look like single pictures of the same views,
however fast the camera turns, pitches or rises. The planet is small, so that there is little far land to make.
The sky is left out, because clouds drift. In a flight exposure adapts over time, but not in a single picture, so
pictures are compared at the same brightness."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing", file=sys.stderr)
    sys.exit(77)

FPS, FRAMES, SECONDS = 24, 13, 1.5
WIDTH, HEIGHT = 160, 96
BEGIN = np.array([-1141954, 1952076, 1153, 22.5, -4])  # x, z, altitude, heading, pitch
TURNS = {  # changes of the numbers of BEGIN within a second
    "3 degrees a second": [0, 0, 0, 3, 0],
    "30 degrees a second": [0, 0, 0, 30, 0],
    "90 degrees a second": [0, 0, 0, 90, 0],
    "pitching": [0, 0, 0, 0, -20],
    "rising": [0, 0, 400, 0, 0],
}
BACKGROUND = [255, 0, 255]


def fly(terrane, first, last, *options):
    """Fly from one view to another. Returns the flight's figures."""
    lines = [
        " ".join(f"{number:.9f}" for number in (seconds, *view)) for seconds, view in ((0, first), (SECONDS, last))
    ]
    pathlib.Path("path.txt").write_text("\n".join(lines) + "\n")
    words = "fly --headless --force --backend cpu --quality low --planet-radius 60 --time 18 --layers terrain,water"
    size = f"--size {WIDTH}x{HEIGHT} --fps {FPS} --path path.txt --stats stats.json"
    subprocess.run([terrane, *words.split(), *size.split(), *options], check=True, stderr=subprocess.DEVNULL)
    return json.loads(pathlib.Path("stats.json").read_text())


def read(name):
    raw = subprocess.run(["convert", name, "-depth", "8", "rgb:-"], check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(raw, np.uint8).reshape(HEIGHT, WIDTH, 3).astype(float)


def difference(a, b):
    """Mean difference of two pictures, of 255, after scaling the first one to the brightness of the second."""
    land = ~((a == BACKGROUND).all(2) | (b == BACKGROUND).all(2))
    matched = a.copy()
    for color in range(3):  # tone mapping is not linear
        x, y = a[land, color], b[land, color]
        matched[land, color] = np.polyval(np.polyfit(x, y, 3), x)
    return abs(matched - b).mean()


def check_turn(terrane, name, step):
    step = np.array(step)
    figures = fly(terrane, BEGIN, BEGIN + SECONDS * step, "--frames", str(FRAMES), "--frames-dir", "frames")
    faults = [f"{name}: {figures[key]} {key}" for key in ("late_tiles", "gl_errors") if figures[key] != 0]
    for number in range(0, FRAMES, 6):
        view = BEGIN + (number + 1) / FPS * step
        fly(terrane, view, view, "--frames", "1", "--screenshot", "still.png")
        found = difference(read(f"frames/frame-{number:06d}.png"), read("still.png"))
        print(f"{name}: frame {number} differs from a still by {found:.2f}")
        if found >= 1.0:
            faults.append(
                f"{name}: frame {number} differs from a still of its view by {found:.2f}, expected less than 1"
            )
    return faults


def main():
    terrane = str(pathlib.Path(sys.argv[1]).resolve())
    if not shutil.which("convert"):
        print("skipped: ImageMagick's convert is missing", file=sys.stderr)
        return 77
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, step in TURNS.items():
            faults += check_turn(terrane, name, step)
        os.chdir("/")
    for fault in faults:
        print(f"FAILED: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
