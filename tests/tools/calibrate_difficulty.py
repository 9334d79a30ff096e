#!/usr/bin/env python3
"""calibrate_difficulty.py [PIECES [SEED]] - prints the tables of python/terrane/robots/roughness.py.

It needs the Python package. It draws PIECES pieces of 8 x 8 m (200 unless given) of each class of province in sixteen
worlds with different seeds, all above water, and measures slope, steps and roughness at 0.25 m. The tables are
quantiles of these figures over the pieces of all classes. On stderr it prints the median figures of each class."""

import sys

import numpy as np

import terrane
from terrane.robots import roughness

SIDE, LOD, QUANTILES = 33, -2, np.arange(21) / 20


def quantiles(values):
    """Strictly rising quantiles, for interpolation."""
    found = np.quantile(values, QUANTILES)
    for n in range(1, len(found)):
        found[n] = max(found[n], found[n - 1] + 1e-6)
    return tuple(round(float(value), 6) for value in found)


def show(name, values):
    words, line = ", ".join(f"{value:.6g}" for value in values).split(" "), "   "
    print(f"{name} = (")
    for word in words:
        if len(line) + len(word) > 116:
            print(line)
            line = "   "
        line += " " + word
    print(line + ",\n)")
    return values


def main():
    pieces, seed = (int(word) for word in [*sys.argv[1:], *("200", "1")[len(sys.argv) - 1 :]])
    strata = {"province": terrane.PROVINCES, "land": [1, 1.1], "water": [0, 0.001]}
    patches = terrane.Patches({}, size=SIDE, lod=LOD, seed=seed, strata=strata)
    heights = patches.batch(range(pieces * len(terrane.PROVINCES)))["height"]
    figures = roughness.measure_roughness(heights)
    tables = [quantiles(values) for values in figures]
    names = ("_GRADIENT", "_STEP", "_DEVIATION")
    for name, values in zip(names, tables):
        setattr(roughness, name, show(name, values))
    ranks = roughness.mean_rank(figures)
    roughness._MEAN_RANK = show("_MEAN_RANK", quantiles(ranks))
    found = roughness.difficulty_of(figures)
    for n, name in enumerate(terrane.PROVINCES):
        own = [float(np.median(v[n :: len(terrane.PROVINCES)])) for v in (*figures, found)]
        print("%-10s gradient %.3f step %.4f m deviation %.4f m difficulty %.2f" % (name, *own), file=sys.stderr)


main()
