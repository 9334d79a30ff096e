#!/usr/bin/env python3
"""measure_descent.py TERRANE PICTURE_STEPS FOLDER [BACKEND [FPS]] - flies from 20,000 km down to 3 m in a minute, and
up again, and compares neighbouring frames.

Frames of 320 x 180 pixels stay in FOLDER/down and FOLDER/up. BACKEND is cpu unless it is given, and FPS is 24. The
difference of two frames is the mean difference of their pixels. A jump is a difference that is more than three times
the median of the differences within half a second before and after it. A second flight of each kind, without sky,
counts pixels of the background in frames between 2 and 1,000 km, which the land fills: holes. For each flight the
script prints late tiles, edges that do not meet, GL errors, the largest difference in medians, and all jumps."""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

WIDTH, HEIGHT, SECONDS = 320, 180, 60
HIGH_M, LOW_M = 2e7, 3.0
X, Z = -1078367, 1921027
MOST = 3.0
FILLED_M = (2e3, 1e6)  # heights from which the view looks down and the planet fills the picture


def ground_m(terrane):
    words = subprocess.run([terrane, "probe", "%d,%d" % (X, Z)], check=True, stdout=subprocess.PIPE).stdout.split()
    return float(words[2])


def height_at(share, is_up):
    """Height over the ground, metres, at a share of the flight."""
    return HIGH_M * math.exp(math.log(LOW_M / HIGH_M) * (1.0 - share if is_up else share))


def write_path(name, ground, is_up):
    """Write a path on which the logarithm of the height changes evenly. From far away the view looks down; near the
    ground it looks ahead."""
    lines, points = [], 8 * SECONDS
    for n in range(points + 1):
        share = n / points
        height = height_at(share, is_up)
        near = 1.0 - min(max(math.log(height / LOW_M) / math.log(2000.0 / LOW_M), 0.0), 1.0)
        pitch = -80.0 + 70.0 * near * near * (3.0 - 2.0 * near)
        lines.append("%.6f %d %.6f %.6f 0 %.6f" % (SECONDS * share, X, Z + 0.15 * height, ground + height, pitch))
    pathlib.Path(name).write_text("\n".join(lines) + "\n")


class Descent:
    """The programs and options of the flights."""

    def __init__(self, terrane, picture_steps, backend, fps):
        self.terrane, self.picture_steps, self.backend, self.fps = terrane, picture_steps, backend, fps

    def fly(self, path, layers, folder):
        """Fly a path. Returns the flight's figures."""
        words = f"fly --headless --force --backend {self.backend} --quality low --time 12"
        words += f" --layers {layers} --path {path}"
        frames = f"--fps {self.fps} --frames {SECONDS * self.fps} --stats {folder}.json --frames-dir {folder}"
        subprocess.run([self.terrane, *words.split(), "--size", f"{WIDTH}x{HEIGHT}", *frames.split()], check=True)
        return json.loads(pathlib.Path(folder + ".json").read_text())

    def steps(self, folder):
        """The difference of each frame from the one before it, and its number of pixels of the background."""
        names = sorted(str(name) for name in pathlib.Path(folder).glob("*.png"))
        lines = subprocess.run([self.picture_steps, *names], check=True, stdout=subprocess.PIPE, text=True).stdout
        words = [line.split() for line in lines.splitlines()]
        return [float(word[1]) for word in words][1:], [int(word[2]) for word in words]

    def report(self, name):
        figures = self.fly(name + ".txt", "terrain,water,sky,clouds,shadows", name)
        steps, _ = self.steps(name)
        half = self.fps // 2
        ratios = [
            step / max(statistics.median(steps[max(n - half, 0) : n + half + 1]), 1e-3) for n, step in enumerate(steps)
        ]
        self.fly(name + ".txt", "terrain,water", name + "-land")
        _, background = self.steps(name + "-land")
        heights = [height_at(n / len(background), name == "up") for n in range(len(background))]
        holes = sum(count for h, count in zip(heights, background) if FILLED_M[0] < h < FILLED_M[1])
        words = [f"{key} {figures[key]}" for key in ("late_tiles", "edge_samples_different", "gl_errors")]
        print(f"{name}: {len(steps) + 1} frames, {', '.join(words)}, holes {holes} pixels, "
              f"largest difference {max(ratios):.2f} medians")
        for n, ratio in enumerate(ratios):
            if ratio > MOST:
                print(f"  jump from frame {n} to {n + 1}: {steps[n]:.2f}, {ratio:.2f} medians")


def main():
    terrane, picture_steps = (os.path.abspath(word) for word in sys.argv[1:3])
    backend = sys.argv[4] if len(sys.argv) > 4 else "cpu"
    fps = int(sys.argv[5]) if len(sys.argv) > 5 else 24
    descent = Descent(terrane, picture_steps, backend, fps)
    ground = ground_m(terrane)
    os.makedirs(sys.argv[3], exist_ok=True)
    os.chdir(sys.argv[3])
    for name in ("down", "up"):
        write_path(name + ".txt", ground, name == "up")
        descent.report(name)


if __name__ == "__main__":
    main()
