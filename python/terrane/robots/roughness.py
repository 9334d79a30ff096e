"""How hard a piece of ground is for a robot: its slope, steps and roughness, and the difficulty that they give.

The pieces are heights 0.25 m apart. All sums are of integers (units of 0.1 mm), so the figures are the same on every
machine. The tables are made by tests/tools/calibrate_difficulty.py from pieces of 8 x 8 m, equally many of each class
of province (terrane.PROVINCES), all above water."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Roughness", "difficulty_of", "measure_roughness"]

STEP_M = 0.25
"""Distance between the samples that are measured, metres."""

_UNITS = 10_000  # in a metre

# Quantiles 0, 1/20, ..., 1 of each figure over the pieces, and of the mean rank of the three figures.
_GRADIENT = (
    0.001008, 0.010524, 0.016961, 0.026447, 0.037302, 0.056471, 0.083276, 0.110627, 0.153085, 0.192493, 0.22008,
    0.257203, 0.298978, 0.341331, 0.379897, 0.440482, 0.500527, 0.59089, 0.684488, 0.875174, 3.60979,
)
_STEP = (
    0.0117, 0.017895, 0.0195, 0.0208, 0.02228, 0.0232, 0.0242, 0.0254, 0.02676, 0.0279, 0.031, 0.034645, 0.03876,
    0.044905, 0.05541, 0.07015, 0.0844, 0.106415, 0.13401, 0.187405, 1.4794,
)
_DEVIATION = (
    0.007296, 0.009995, 0.011601, 0.013183, 0.016642, 0.019863, 0.026191, 0.032034, 0.038273, 0.047972, 0.059842,
    0.071055, 0.081283, 0.098685, 0.115662, 0.136458, 0.164162, 0.202155, 0.266057, 0.476308, 4.99739,
)
_MEAN_RANK = (
    0.016441, 0.076685, 0.119904, 0.179195, 0.219113, 0.261053, 0.303616, 0.344779, 0.391558, 0.435525, 0.50336,
    0.561782, 0.60405, 0.649052, 0.68712, 0.73721, 0.779044, 0.824566, 0.869994, 0.918235, 0.998509,
)


class Roughness(NamedTuple):
    """Figures of pieces of ground, each of shape (pieces,)."""

    gradient: NDArray[np.float64]
    """Gradient of the plane that fits the piece best, metres per metre."""
    step: NDArray[np.float64]
    """95th percentile of the differences in height above the plane between neighbours 0.25 m apart, metres."""
    deviation: NDArray[np.float64]
    """Root mean square of the heights above the plane, metres."""


def measure_roughness(heights: NDArray[np.float32]) -> Roughness:
    """Measure pieces of ground. heights: metres, 0.25 m apart, shape (pieces, rows, columns), at least 3 x 3"""
    rows, columns = heights.shape[1:]
    own = heights.astype(np.float64) - heights[:, rows // 2, columns // 2].astype(np.float64)[:, None, None]
    whole = np.rint(own * _UNITS).astype(np.int64)
    # Coordinates in half samples around the middle are integers for odd and for even sides.
    x, y = 2 * np.arange(columns) - (columns - 1), 2 * np.arange(rows) - (rows - 1)
    slope_x = (whole * x).sum(axis=(1, 2)) / (rows * int((x * x).sum()))  # units per half sample
    slope_y = (whole * y[:, None]).sum(axis=(1, 2)) / (columns * int((y * y).sum()))
    mean = whole.sum(axis=(1, 2)) / (rows * columns)
    plane = mean[:, None, None] + slope_x[:, None, None] * x + slope_y[:, None, None] * y[:, None]
    rest = np.rint(whole - plane).astype(np.int64)
    return Roughness(
        np.sqrt(slope_x * slope_x + slope_y * slope_y) * (2 / (_UNITS * STEP_M)),
        _steps(rest) / _UNITS,
        np.sqrt((rest * rest).sum(axis=(1, 2)) / (rows * columns)) / _UNITS,
    )


def _steps(rest: NDArray[np.int64]) -> NDArray[np.int64]:
    east, south = np.abs(np.diff(rest, axis=2)), np.abs(np.diff(rest, axis=1))
    steps = np.concatenate([east.reshape(len(rest), -1), south.reshape(len(rest), -1)], axis=1)
    return np.asarray(np.sort(steps, axis=1)[:, (steps.shape[1] - 1) * 95 // 100])


def mean_rank(figures: Roughness) -> NDArray[np.float64]:
    """Mean of three ranks of each piece. The rank of a figure is the share of the calibrated pieces whose figure is
    smaller."""
    ranks = [_rank(values, table) for values, table in zip(figures, (_GRADIENT, _STEP, _DEVIATION), strict=True)]
    return np.asarray((ranks[0] + ranks[1] + ranks[2]) / 3)


def difficulty_of(figures: Roughness) -> NDArray[np.float64]:
    """Difficulty of pieces, 0 to 1: the share of the calibrated pieces that are easier, in steps of 0.0001."""
    return np.rint(_rank(mean_rank(figures), _MEAN_RANK) * 10_000) / 10_000


def _rank(values: NDArray[np.float64], table: tuple[float, ...]) -> NDArray[np.float64]:
    return np.interp(values, table, np.arange(len(table)) / (len(table) - 1))
