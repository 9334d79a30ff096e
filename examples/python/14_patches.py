"""A data set of patches by index: batches, routed layers, and a shard for training."""

import numpy as np

import terrane

patches = terrane.Patches(
    {"name": ["alps", "fjords", "badlands"], "relief": (0.7, 1.3)},  # sixteen worlds, each with its own seed
    size=64,
    lod=4,
    layers=["height", "accumulation", "hand", "wet"],
    strata={"gradient": [0, 0.2, 3]},  # even and steep land take turns
)
batch = patches.batch(range(8))
height, accumulation = batch["height"], batch["accumulation"]
print("%d patches of %d x %d samples" % height.shape)
for place, h, a in zip(patches.places(range(8)), height, accumulation):
    print("x %12d z %12d: %4.0f to %4.0f m, largest area %5.2f km2" % (*place[:2], h.min(), h.max(), a.max() / 1e6))
assert np.array_equal(patches[5]["height"], height[5])  # an index gives the same patch in any batch

patches.write("patches-000.tar", range(8), replace=True)  # webdataset.WebDataset("patches-000.tar") reads it
