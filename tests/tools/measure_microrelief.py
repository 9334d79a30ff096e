#!/usr/bin/env python3
"""measure_microrelief.py TERRANE [PLACES] - prints how rough the ground of each material is below the metre.

For each material it finds up to PLACES squares of 8 x 8 m, in several worlds, where this material has more than a
certain share of the ground, and exports them at level of detail -4. From each square of 4 x 4 m it subtracts the plane
that fits best, and finds the root mean square of the differences in height between points 0.25, 0.5 and 1 m apart. It
prints the medians of these figures over the squares of 4 m. Then it prints the same figures for the displacement below
1 m alone: the heights minus those that are interpolated between points 1 m apart.
docs/lab/2026-microrelief.md compares the figures with published ones."""

import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../library"))
from world_format_3.world import World  # noqa: E402

MATERIALS = "rock scree gravel sand soil grass".split()
LAGS = (4, 8, 16)  # samples of 1/16 m
STEP, SIDE, PLANE = 8, 512, 64  # m between sites; sites of a side of a window; samples of a side of a plane
SHARES = (0.9, 0.9, 0.9, 0.9, 0.6, 0.9)  # least ones; no ground has more than 0.7 of soil
WINDOWS = [  # seed, dryness, x, z
    (seed, dryness, x, z)
    for seed, x, z in ((1, 1913248, 2535840), (1, -1294336, -163840), (5, 500682, -875807), (7, 300000, 200000))
    for dryness in (-0.5, 0.0, 0.5)
]


def export(terrane, seed, dryness, lod, x, z, side, layers):
    with tempfile.TemporaryDirectory() as folder:
        command = [terrane, "export", "-q", "--backend", "cpu", "--seed", str(seed), "--dryness", str(dryness)]
        command += ["--lod", str(lod), "--at", "%d,%d" % (x, z), "--size", "%dx%d" % (side, side)]
        subprocess.run([*command, "--layer", ",".join(layers), "-o", folder + "/{layer}.r32"], check=True)
        return [np.fromfile("%s/%s.r32" % (folder, name), np.float32).reshape(side, side) for name in layers]


def shares_of(terrane, seed, dryness, x, z):
    """Shares of the materials at the inner sites of a window, computed by the program of World format 3."""
    world = World(seed, 0, 1, 0, 0, 0, 0, dryness, 1, 0, 1)
    height, flow, shore, dry = export(terrane, seed, dryness, 3, x, z, SIDE, ("height", "flow", "shore", "dryness"))
    own = height[1:-1, 1:-1]
    across, down = height[1:-1, 2:] - height[1:-1, :-2], height[2:, 1:-1] - height[:-2, 1:-1]
    around = height[:-2, 1:-1] + height[2:, 1:-1] + height[1:-1, :-2] + height[1:-1, 2:]
    area = flow[1:-1, 1:-1] / np.float32(262144)
    gap = shore[1:-1, 1:-1] - np.minimum(np.float32(0.64) * np.sqrt(area), np.float32(160))
    i, j = x // STEP + np.arange(SIDE), z // STEP + np.arange(SIDE)
    bytes_ = world.byte(334, i[None, :], j[:, None])
    total = sum(bytes_[b : b + SIDE - 2, a : a + SIDE - 2] for a in range(3) for b in range(3))
    blotch = np.clip((total.astype(np.float32) - 765) / 765, 0, 1).astype(np.float32)
    slope, hollow = np.hypot(across, down) / 16, (around - 4 * own) / 64
    return world.materials(slope, hollow, own, area, gap, dry[1:-1, 1:-1], blotch)


def halved(height):
    """The points of half the spacing that the four-point rule predicts; three fewer columns and rows at the borders."""

    def along(f):
        new = 0.5625 * (f[:, 1:-2] + f[:, 2:-1]) - 0.0625 * (f[:, :-3] + f[:, 3:])
        out = np.empty((f.shape[0], 2 * new.shape[1]))
        out[:, ::2], out[:, 1::2] = f[:, 1:-2], new
        return out

    return along(along(height).T).T


def deviations(height):
    """Root mean squares of the differences at each lag, for each square of 4 m, after a plane is subtracted."""
    x, y = np.meshgrid(np.arange(PLANE) - PLANE / 2, np.arange(PLANE) - PLANE / 2)
    plane = np.stack([np.ones(x.size), x.ravel(), y.ravel()], 1)
    found = []
    for row in range(0, height.shape[0] - PLANE + 1, PLANE):
        for column in range(0, height.shape[1] - PLANE + 1, PLANE):
            part = height[row : row + PLANE, column : column + PLANE].astype(np.float64).ravel()
            rest = part - plane @ np.linalg.lstsq(plane, part, rcond=None)[0]
            rest = rest.reshape(PLANE, PLANE)
            pairs = [((rest[:, lag:] - rest[:, :-lag]).ravel(), (rest[lag:] - rest[:-lag]).ravel()) for lag in LAGS]
            found.append([np.sqrt(np.mean(np.square(np.concatenate(pair)))) for pair in pairs])
    return found


def measure(terrane, seed, dryness, x, z):
    """Deviations of a square of 8 m, and of its displacement alone."""
    fine = export(terrane, seed, dryness, -4, x, z, STEP * 16, ("height",))[0].astype(np.float64)
    smooth = export(terrane, seed, dryness, 0, x - 4, z - 4, STEP + 9, ("height",))[0].astype(np.float64)
    first = 4  # points before the square
    for _ in range(4):
        smooth, first = halved(smooth), 2 * (first - 1)
    smooth = smooth[first : first + STEP * 16, first : first + STEP * 16]
    return deviations(fine), deviations(fine - smooth)


def main():
    terrane, most = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    random = np.random.default_rng(1)
    found = {name: [] for name in MATERIALS}
    for seed, dryness, x, z in WINDOWS:
        x, z = x // STEP * STEP, z // STEP * STEP
        for name, share, wanted in zip(MATERIALS, shares_of(terrane, seed, dryness, x, z), SHARES):
            least = np.minimum(np.minimum(share[:-1, :-1], share[:-1, 1:]), np.minimum(share[1:, :-1], share[1:, 1:]))
            places = random.permutation(np.argwhere(least > wanted))
            for row, column in places[: most // len(WINDOWS) + 1]:
                found[name].append((seed, dryness, x + STEP * (int(column) + 1), z + STEP * (int(row) + 1)))
    lags = "".join("%8.2f m" % (lag / 16) for lag in LAGS)
    print("material  squares  " + lags + "  displacement:" + lags + "   first place")
    for name, places in found.items():
        rows = [measure(terrane, *place) for place in places]
        if not rows:
            continue
        figures = [100 * np.median(np.concatenate([row[n] for row in rows]), 0) for n in range(2)]
        words = ["".join("%7.2f cm" % r for r in f) for f in figures]
        place = "seed %d, dryness %g, %d,%d" % places[0]
        print("%-8s  %7d  %s                %s   %s" % (name, len(rows), *words, place))


if __name__ == "__main__":
    main()
