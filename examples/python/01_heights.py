"""Heights of a rectangle as a numpy array."""

import terrane

world = terrane.World("alps")
# x, z of the north-west corner; samples to the east, samples to the south
heights = world.heights(44224, 17920, 1024, 512)

print(f"{heights.shape[1]} x {heights.shape[0]} heights from {heights.min():.1f} m to {heights.max():.1f} m")
print(f"in the north-west corner: {heights[0, 0]:.3f} m")
