"""Heights in existing memory: a mapped file, and a part of a larger array."""

import os
import sys

import numpy as np

import terrane

world = terrane.World("alps")
side, strip = 2048, 256
if os.path.exists("alps.npy"):
    sys.exit("alps.npy exists already")
mapped = np.lib.format.open_memmap("alps.npy", "w+", np.float32, (side, side))
for row in range(0, side, strip):
    world.heights(44224, 17920 + row, side, strip, out=mapped[row : row + strip])
mapped.flush()

atlas = np.zeros((512, 1024), np.float32)
world.heights(0, 0, 512, 512, out=atlas[:, :512])
world.heights(0, 0, 512, 512, lod=3, out=atlas[:, 512:])
print(f"alps.npy has {mapped.nbytes / 2**20:.0f} MiB, the atlas goes from {atlas.min():.0f} m to {atlas.max():.0f} m")
