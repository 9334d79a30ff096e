#!/usr/bin/env python3
"""test_descent.py TERRANE PICTURE_STEPS - a descent from space has no jump: no two neighbouring frames differ by more
than three times the median difference of neighbouring frames. Three pieces of the descent are flown, which begin at
12,000, 600 and 316 km. In them one level of detail replaces another: one level of means another one, or a level of
points a level of means. No tile is late, and no edge between tiles is open. In the piece from 600 km no pixel shows
the background."""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

FPS, FRAMES, WIDTH, HEIGHT = 24, 13, 160, 96
X, Z = -1078367, 1921027
BEGIN_M = [12e6, 600e3, 316e3]
RATE = 0.4  # by which the logarithm of the altitude falls within a second; 20,000 km to 2 m in 40 s
MOST = 3.0


def fly(terrane, begin_m, layers):
    """Fly a piece of the descent, looking down. Returns the flight's figures and the names of its frames."""
    lines = []
    for n in range(FRAMES + 1):
        altitude = begin_m * math.exp(-RATE * n / FPS)
        lines.append(f"{n / FPS:.9f} {X} {Z + 0.15 * altitude:.6f} {altitude:.6f} 0 -80")
    pathlib.Path("path.txt").write_text("\n".join(lines) + "\n")
    words = f"fly --headless --force --backend cpu --quality low --time 12 --layers {layers} --path path.txt"
    size = f"--size {WIDTH}x{HEIGHT} --fps {FPS} --frames {FRAMES} --stats stats.json --frames-dir frames"
    subprocess.run([terrane, *words.split(), *size.split()], check=True, stderr=subprocess.DEVNULL)
    names = sorted(str(name) for name in pathlib.Path("frames").glob("*.png"))[:FRAMES]
    return json.loads(pathlib.Path("stats.json").read_text()), names


def compared(picture_steps, names):
    """The difference of each frame from the one before it, and its number of pixels of the background."""
    lines = subprocess.run([picture_steps, *names], check=True, stdout=subprocess.PIPE, text=True).stdout
    words = [line.split() for line in lines.splitlines()]
    return [float(word[1]) for word in words][1:], [int(word[2]) for word in words]


def faults_of(terrane, picture_steps, begin_m):
    figures, names = fly(terrane, begin_m, "terrain,water,sky,clouds,shadows")
    steps, _ = compared(picture_steps, names)
    ratio = max(steps) / statistics.median(steps)
    print(f"{begin_m / 1e3:g} km: {len(names)} frames, largest step {ratio:.2f} medians")
    if not (len(names) == FRAMES and ratio <= MOST):
        yield f"{begin_m / 1e3:g} km: steps of frames {[round(step, 2) for step in steps]}"
    for key in ("late_tiles", "edge_samples_different", "gl_errors"):
        if figures[key] != 0:
            yield f"{begin_m / 1e3:g} km: {key} {figures[key]}"


def background_of(terrane, picture_steps, begin_m):
    _, names = fly(terrane, begin_m, "terrain,water")
    count = sum(compared(picture_steps, names)[1])
    if count > 0:
        yield f"{begin_m / 1e3:g} km: {count} pixels show the background"


def main():
    terrane, picture_steps = (os.path.abspath(word) for word in sys.argv[1:3])
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for begin_m in BEGIN_M:
            faults += faults_of(terrane, picture_steps, begin_m)
        faults += background_of(terrane, picture_steps, BEGIN_M[1])
        os.chdir("/")
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
