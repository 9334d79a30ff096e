#!/usr/bin/env python3
"""test_descent.py TERRANE - a descent from space has no jump: no two neighbouring frames differ by more than three
times the median difference of neighbouring frames. Three pieces of the descent are flown, which begin at 12,000, 600
and 316 km. In them one level of detail replaces another: one level of means another one, or a level of points a level
of means. No tile is late, and no edge between tiles is open. In the piece from 600 km no pixel shows the background."""

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import os

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing", file=sys.stderr)
    sys.exit(77)

FPS, FRAMES, WIDTH, HEIGHT = 24, 13, 160, 96
X, Z = -1078367, 1921027
BEGIN_M = [12e6, 600e3, 316e3]
RATE = 0.4  # by which the logarithm of the altitude falls within a second; 20,000 km to 2 m in 40 s
MOST = 3.0


def fly(terrane, begin_m, layers):
    """Fly a piece of the descent, looking down. Returns the flight's figures and its frames."""
    lines = []
    for n in range(FRAMES + 1):
        altitude = begin_m * math.exp(-RATE * n / FPS)
        lines.append(f"{n / FPS:.9f} {X} {Z + 0.15 * altitude:.6f} {altitude:.6f} 0 -80")
    pathlib.Path("path.txt").write_text("\n".join(lines) + "\n")
    words = f"fly --headless --force --backend cpu --quality low --time 12 --layers {layers} --path path.txt"
    size = f"--size {WIDTH}x{HEIGHT} --fps {FPS} --frames {FRAMES} --stats stats.json --frames-dir frames"
    subprocess.run([terrane, *words.split(), *size.split()], check=True, stderr=subprocess.DEVNULL)
    names = sorted(pathlib.Path("frames").glob("*.png"))[:FRAMES]
    return json.loads(pathlib.Path("stats.json").read_text()), [read(str(name)) for name in names]


def read(name):
    raw = subprocess.run(["convert", name, "-depth", "8", "rgb:-"], check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(raw, np.uint8).reshape(HEIGHT, WIDTH, 3).astype(float)


def faults_of(terrane, begin_m):
    figures, frames = fly(terrane, begin_m, "terrain,water,sky,clouds,shadows")
    steps = [abs(a - b).mean() for a, b in zip(frames, frames[1:])]
    ratio = max(steps) / float(np.median(steps))
    print(f"{begin_m / 1e3:g} km: {len(frames)} frames, largest step {ratio:.2f} medians")
    if not (len(frames) == FRAMES and ratio <= MOST):
        yield f"{begin_m / 1e3:g} km: steps of frames {np.round(steps, 2)}"
    for key in ("late_tiles", "edge_samples_different", "gl_errors"):
        if figures[key] != 0:
            yield f"{begin_m / 1e3:g} km: {key} {figures[key]}"


def background_of(terrane, begin_m):
    _, frames = fly(terrane, begin_m, "terrain,water")
    count = sum(int((frame == [255, 0, 255]).all(2).sum()) for frame in frames)
    if count > 0:
        yield f"{begin_m / 1e3:g} km: {count} pixels show the background"


def main():
    terrane = os.path.abspath(sys.argv[1])
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for begin_m in BEGIN_M:
            faults += faults_of(terrane, begin_m)
        faults += background_of(terrane, BEGIN_M[1])
        os.chdir("/")
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
