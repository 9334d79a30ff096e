"""The same land at several levels of detail: every sample of a coarser level is exactly a sample of the finer ones."""

import numpy as np

import terrane

world = terrane.World("alps")
fine = world.heights(44224, 17920, 1025, 1025)
for lod in range(5):
    step = 2**lod
    coarse = world.heights(44224, 17920, 1024 // step + 1, 1024 // step + 1, lod)
    assert np.array_equal(coarse, fine[::step, ::step])
    print(f"lod {lod}: {coarse.size} samples, {step * world.spacing:g} m apart")
