"""The level rim of a terrain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["level_border"]

_STEEPEST = 0.5  # of the slope that leads from the rim to the ground, metres a metre, where there is room


def level_border(
    heights: NDArray[np.float32], depth: NDArray[np.float32], resolution: float, border: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Heights and depths of water with a rim of height 0 that is `border` metres wide. Inside the rim the heights grow
    smoothly to those of the ground, over a width that makes the slope 0.5 at most, or a quarter of the shorter side."""
    rows, columns = heights.shape
    across, down = np.arange(columns), np.arange(rows)[:, None]
    inwards = np.minimum(np.minimum(across, columns - 1 - across), np.minimum(down, rows - 1 - down)) * resolution
    most = max(abs(float(heights.min())), abs(float(heights.max())))
    shorter = (min(rows, columns) - 1) * resolution
    width = min(max(border, 1.5 * most / _STEEPEST), shorter / 4)  # 1.5: the smooth step is that much steeper
    t = np.clip((inwards - border) / width, 0, 1)
    share = t * t * (3 - 2 * t)
    return (heights * share).astype(np.float32), np.where(share < 1, np.float32(0), depth)
