"""Places on a terrain that are dry and flat enough to put a robot there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["dry_flat_places"]

_RADIUS_M = 0.4
"""Half side of the square that a robot stands on."""
_STEEPEST = 0.25  # metres per metre, which is 14 degrees
_ROUGHEST_M = 0.06  # greatest height above or below the plane that fits the square best
_APART_M = 0.8
_MOST = 16


def dry_flat_places(
    heights: NDArray[np.float32], depth: NDArray[np.float32], resolution: float
) -> NDArray[np.float32]:
    """Positions x, y, z of up to 16 places, the nearest to the middle first, shape (n, 3).

    Two places are at least 0.8 m apart in x or in y. Around each place lies a square whose sides are 0.8 m long,
    rounded to an even number of sample distances, at least 2. No sample of the square is wet. The plane that fits the
    heights of the square best has a gradient of at most 0.25. No height differs from it by more than 0.06 m."""
    rows, columns = heights.shape
    half = max(round(_RADIUS_M / resolution), 1)
    if min(rows, columns) <= 2 * half:
        return np.empty((0, 3), np.float32)
    stride = max(half // 2, 1)
    j, i = np.mgrid[half : rows - half : stride, half : columns - half : stride].reshape(2, -1)
    x, y = (i - (columns - 1) / 2) * resolution, ((rows - 1) / 2 - j) * resolution
    order = np.argsort(np.rint(np.hypot(x, y) * 1e6), kind="stable")
    found: list[tuple[float, float, float]] = []
    for n in order:
        is_near = any(max(abs(x[n] - a), abs(y[n] - b)) < _APART_M for a, b, _ in found)
        part = slice(j[n] - half, j[n] + half + 1), slice(i[n] - half, i[n] + half + 1)
        if not is_near and not depth[part].any() and _is_flat(heights[part].astype(np.float64), resolution):
            found.append((x[n], y[n], float(heights[j[n], i[n]])))
        if len(found) == _MOST:
            break
    return np.array(found, np.float32).reshape(-1, 3)


def _is_flat(h: NDArray[np.float64], resolution: float) -> bool:
    axis = (np.arange(len(h)) - (len(h) - 1) / 2) * resolution
    norm = len(h) * (axis * axis).sum()
    east, south = (h * axis).sum() / norm, (h * axis[:, None]).sum() / norm
    rest = h - h.mean() - east * axis - south * axis[:, None]
    return bool(np.hypot(east, south) <= _STEEPEST and np.abs(rest).max() <= _ROUGHEST_M)
