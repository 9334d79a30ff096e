"""Heights of the ground along a line, also between samples."""

import numpy as np

import terrane

world = terrane.World("alps")
start, end = np.array([44224.0, 17920.0]), np.array([46000.5, 19000.25])
line = start + (end - start) * np.linspace(0, 1, 500)[:, None]
ground = world.at(line)

climb = np.diff(ground).clip(0).sum()
print(f"{np.linalg.norm(end - start) * world.spacing:.0f} m long, {climb:.0f} m up, highest point {ground.max():.1f} m")
