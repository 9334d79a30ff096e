"""The level rim of a terrain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["level_border"]

# Greatest gradient that the blend from the rim to the ground adds, metres per metre. A small terrain may exceed it.
_STEEPEST = 0.5


def level_border(
    heights: NDArray[np.float32], depth: NDArray[np.float32], resolution: float, border: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The heights of the ground and the depths of the water, with a rim of height 0, `border` metres wide.

    Inside the rim the heights blend smoothly into those of the ground. The blend is at least as wide as the rim, and
    wide enough that it adds a gradient of at most 0.5, but never wider than a quarter of the shorter side. There is no
    water on the rim and in the blend."""
    rows, columns = heights.shape
    across, down = np.arange(columns), np.arange(rows)[:, None]
    inwards = np.minimum(np.minimum(across, columns - 1 - across), np.minimum(down, rows - 1 - down)) * resolution
    most = max(abs(float(heights.min())), abs(float(heights.max())))
    shorter = (min(rows, columns) - 1) * resolution
    width = min(max(border, 1.5 * most / _STEEPEST), shorter / 4)  # a smooth step is 1.5 times as steep as a ramp
    t = np.clip((inwards - border) / width, 0, 1)
    share = t * t * (3 - 2 * t)
    return (heights * share).astype(np.float32), np.where(share < 1, np.float32(0), depth)
