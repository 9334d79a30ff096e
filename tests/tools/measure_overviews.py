#!/usr/bin/env python3
"""measure_overviews.py TERRANE [WINDOWS [SEED ...]] - prints how far overviews lie from means of exact land.

Overviews of levels of detail 14 and 16 say what class of land a window has. WINDOWS windows of each class (30 unless
given) are drawn at random for each seed. In a window, heights of levels of detail 9 to 13 are compared with means of
points over one step around each sample: points 64 m apart for levels 9 to 11, 256 m apart for 12 and 13. Relief is the
root mean square of the points around the mean of their sample. For each class and level the table has the mean error
(bias) and its root mean square as shares of relief, over all samples of the windows. It also has the largest bias and
the largest error of a seed."""

import os
import subprocess
import sys
import tempfile

import numpy as np

CLASSES = "flat hills mountains plateau coast".split()
SEEDS = (90210, 5150, 777)
LAYERS = "height land plain plateau relief".split()
MAP = 128  # side of the map of classes, samples
# level of the map of classes, whose step is as wide as a window; level of the points; levels that are compared
TIERS = ((14, 6, (9, 10, 11)), (16, 8, (12, 13)))
NEAR_M = 3e6  # maps of classes lie up to this far from the origin


def export(terrane, seed, lod, x, z, width, height, layers=("height",)):
    with tempfile.TemporaryDirectory() as folder:
        command = [terrane, "export", "-q", "--backend", "cpu", "--seed", str(seed), "--lod", str(lod)]
        command += ["--at=%d,%d" % (x, z), "--size", "%dx%d" % (width, height), "--layer", ",".join(layers)]
        subprocess.run([*command, "-o", folder + "/{layer}.r32"], check=True)
        return [np.fromfile("%s/%s.r32" % (folder, name), np.float32).reshape(height, width) for name in layers]


def class_of(land, plain, plateau, relief):
    """Class of a window by the means of its layers; None for the sea and for land between two classes."""
    if 0.1 < land < 0.9:
        return "coast"
    if land < 1.0:
        return None
    if plateau > 0.6:
        return "plateau"
    if plain > 0.7:
        return "flat"
    if plateau > 0.2 or plain > 0.4:
        return None
    return "mountains" if relief > 1.2 else "hills" if relief < 1.0 else None


def windows_of(terrane, seed, tier, count, random):
    """North-west corners of windows of each class, in m."""
    step = 1 << tier[0]
    places = {name: [] for name in CLASSES}
    for _ in range(40):
        if all(len(found) >= count for found in places.values()):
            break
        corner = [int(random.uniform(-NEAR_M, NEAR_M)) // step * step for _ in range(2)]
        maps = export(terrane, seed, tier[0], *corner, MAP, MAP, LAYERS)
        for n in random.permutation(MAP * MAP):
            j, i = divmod(int(n), MAP)
            name = class_of(*(float(layer[j, i]) for layer in maps[1:]))
            # no more than a third of a class from one map, so that classes are not single places
            if name and sum(at[2] == tuple(corner) for at in places[name]) < count // 3 and len(places[name]) < count:
                x, z = (corner[0] + i * step - step // 2, corner[1] + j * step - step // 2)
                places[name].append((x, z, tuple(corner)))
    return {name: [at[:2] for at in found] for name, found in places.items()}


def box_means(points, n):
    """Means over n + 1 points in both directions, of which the outer ones count half, around every n-th point from
    n/2 on; and the mean squares of the points around these means."""
    weights = np.ones(n + 1)
    weights[0] = weights[-1] = 0.5
    weights /= n

    def along(f):
        return np.stack([f[:, k : k + n + 1] @ weights for k in range(0, f.shape[1] - n, n)], 1)

    mean, square = (along(along(f).T).T for f in (points, points * points))
    return mean, np.maximum(square - mean * mean, 0)


def measure(terrane, seed, tier, x, z):
    """For each level: errors of the samples of a window, and mean squares of the points around their means."""
    lod, levels = tier[1], tier[2]
    side = (1 << tier[0] - lod) + 1
    points = export(terrane, seed, lod, x, z, side, side)[0].astype(np.float64)
    for level in levels:
        step, n = 1 << level, 1 << level - lod
        # the first sample whose square begins in the window
        first = [-(-(at + step // 2) // step) * step for at in (x, z)]
        skip = [(first[k] - step // 2 - at) >> lod for k, at in enumerate((x, z))]
        mean, square = box_means(points[skip[1] :, skip[0] :], n)
        samples = export(terrane, seed, level, *first, mean.shape[1], mean.shape[0])[0]
        yield level, samples - mean, square


def figures(parts):
    errors, squares = (np.concatenate([part[n].ravel() for part in parts]) for n in range(2))
    relief = np.sqrt(squares.mean())
    return errors.mean() / relief, np.sqrt(np.square(errors).mean()) / relief, relief, errors.size


def main():
    terrane = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    seeds = [int(word) for word in sys.argv[3:]] or SEEDS
    found = {}  # (class, level): for each seed, the parts of its windows
    for seed in seeds:
        random = np.random.default_rng(seed)
        for tier in TIERS:
            for name, places in windows_of(terrane, seed, tier, count, random).items():
                print("seed %d, points of lod %d, %s: %d windows" % (seed, tier[1], name, len(places)), file=sys.stderr)
                for x, z in places:
                    for level, errors, squares in measure(terrane, seed, tier, x, z):
                        found.setdefault((name, level), {}).setdefault(seed, []).append((errors, squares))
    print("class      lod  windows  samples  relief m   bias   rms   largest of a seed: bias   rms")
    for (name, level), by_seed in sorted(found.items(), key=lambda item: (CLASSES.index(item[0][0]), item[0][1])):
        parts = [part for seed in by_seed.values() for part in seed]
        bias, rms, relief, size = figures(parts)
        rows = [figures(part) for part in by_seed.values()]
        words = (name, level, len(parts), size, relief, bias, rms)
        worst = (max((row[0] for row in rows), key=abs), max(row[1] for row in rows))
        print("%-9s %4d  %7d  %7d  %8.1f  %5.3f  %4.2f                      %6.3f  %4.2f" % (*words, *worst))


if __name__ == "__main__":
    main()
