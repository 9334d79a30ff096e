#!/usr/bin/env python3
"""measure_descent.py TERRANE FOLDER [FPS] - flies from 20,000 km down to 3 m in a minute, and up again, and compares
neighbouring frames.

Frames of 320 x 180 pixels, made without a GPU, stay in FOLDER/down and FOLDER/up. The difference of two frames is the
mean difference of their pixels. A jump is a difference that is more than three times the median of the differences
within half a second before and after it. A second flight of each kind, without sky, counts pixels of the background:
holes in the land. For each flight the script prints late tiles, edges that do not meet, GL errors, the largest
difference in medians, and all jumps."""

import json
import math
import os
import pathlib
import subprocess
import sys

import numpy as np

WIDTH, HEIGHT, SECONDS = 320, 180, 60
HIGH_M, LOW_M = 2e7, 3.0
X, Z = -1078367, 1921027
MOST = 3.0
BACKGROUND = (255, 0, 255)


def ground_m(terrane):
    words = subprocess.run([terrane, "probe", "%d,%d" % (X, Z)], check=True, stdout=subprocess.PIPE).stdout.split()
    return float(words[2])


def write_path(name, ground, is_up):
    """Write a path on which the logarithm of the height changes evenly. From far away the view looks down; near the
    ground it looks ahead."""
    lines, points = [], 8 * SECONDS
    for n in range(points + 1):
        share = n / points
        height = HIGH_M * math.exp(math.log(LOW_M / HIGH_M) * (1.0 - share if is_up else share))
        near = 1.0 - min(max(math.log(height / LOW_M) / math.log(2000.0 / LOW_M), 0.0), 1.0)
        pitch = -80.0 + 70.0 * near * near * (3.0 - 2.0 * near)
        lines.append("%.6f %d %.6f %.6f 0 %.6f" % (SECONDS * share, X, Z + 0.15 * height, ground + height, pitch))
    pathlib.Path(name).write_text("\n".join(lines) + "\n")


def fly(terrane, path, fps, layers, folder):
    words = f"fly --headless --force --backend cpu --quality low --time 12 --layers {layers} --path {path}"
    size = f"--size {WIDTH}x{HEIGHT} --fps {fps} --frames {SECONDS * fps} --stats {folder}.json --frames-dir {folder}"
    subprocess.run([terrane, *words.split(), *size.split()], check=True)
    return json.loads(pathlib.Path(folder + ".json").read_text())


def frames_in(folder):
    """The frames of a folder, one after the other."""
    for name in sorted(pathlib.Path(folder).glob("*.png")):
        raw = subprocess.run(["convert", str(name), "-depth", "8", "rgb:-"], check=True, stdout=subprocess.PIPE).stdout
        yield np.frombuffer(raw, np.uint8).reshape(HEIGHT, WIDTH, 3).astype(np.int16)


def differences(folder):
    before, found = None, []
    for frame in frames_in(folder):
        if before is not None:
            found.append(float(np.abs(frame - before).mean()))
        before = frame
    return np.array(found)


def report(terrane, name, fps):
    figures = fly(terrane, name + ".txt", fps, "terrain,water,sky,clouds,shadows", name)
    steps = differences(name)
    ratios = np.array([
        step / max(float(np.median(steps[max(n - fps // 2, 0) : n + fps // 2 + 1])), 1e-3)
        for n, step in enumerate(steps)
    ])
    fly(terrane, name + ".txt", fps, "terrain,water", name + "-land")
    holes = sum(int((frame == BACKGROUND).all(2).sum()) for frame in frames_in(name + "-land"))
    words = [f"{key} {figures[key]}" for key in ("late_tiles", "edge_samples_different", "gl_errors")]
    print(f"{name}: {len(steps) + 1} frames, {', '.join(words)}, background {holes} pixels, "
          f"largest difference {ratios.max():.2f} medians")
    for n in np.flatnonzero(ratios > MOST):
        print(f"  jump from frame {n} to {n + 1}: {steps[n]:.2f}, {ratios[n]:.2f} medians")


def main():
    terrane, fps = os.path.abspath(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 24
    ground = ground_m(terrane)
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    for name in ("down", "up"):
        write_path(name + ".txt", ground, name == "up")
        report(terrane, name, fps)


if __name__ == "__main__":
    main()
