"""Statistics and a histogram of 268 million samples, without an array of them.

07_statistics.py [SIDE]   SIDE x SIDE samples; SIDE is 16384 unless given
"""

import sys

import numpy as np

import terrane

world = terrane.World("archipelago")
side = int(sys.argv[1]) if len(sys.argv) > 1 else 16384
known = world.statistics(0, 0, side, side)
counts, edges = world.histogram(0, 0, side, side, bins=200, range=(-400, 600))

sea = world.parameters["sea"]
land = counts[edges[:-1] >= sea].sum() / known.count
print(f"{known.count} samples from {known.min:.0f} m to {known.max:.0f} m, {known.mean:.1f} m on average")
print(f"{land:.0%} is land")
print(f"half of the samples are below {edges[np.searchsorted(counts.cumsum(), known.count / 2)]:.0f} m")
