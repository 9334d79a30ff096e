"""Facts that World's methods return: statistics and histograms of heights, and what a guide is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Guide", "Histogram", "Statistics"]


@dataclass(frozen=True)
class Statistics:
    """Statistics of a rectangle's heights, in metres."""

    min: float
    max: float
    mean: float
    count: int
    """Number of samples."""


@dataclass(frozen=True)
class Guide:
    """What a guide is, and what the world made of it."""

    file: str | None
    """None: the guide is an array."""
    shape: tuple[int, int]
    """Rows and columns of pixels."""
    at: tuple[int, int]
    """x, z of the middle of the north-western pixel, metres."""
    spacing: float
    """Metres between pixels."""
    surround: str
    """What lies around the guide: "endless" or "sea"."""
    min_lake_depth: float
    """Metres; depressions that are at least this deep remain lakes. 0: none does."""
    checksum: str
    """SHA-256 of the heights."""
    level: int
    """Level of the drainage network that the guide sets."""
    cell_m: float
    """Width of the cells of this level, metres."""
    rim_m: float
    """Width of the band outside the pixels in which the guide fades out, metres."""
    cells: int
    """Cells whose node is the guide's."""
    lakes: int
    """Lakes among them."""
    tails: int
    """Nodes outside that rivers of the guide reach."""
    rivers: int
    """Lines of rivers."""
    river_cells: int
    """Nodes on these lines."""
    river_cut_m: float
    """Greatest depth of such a node below the lowest height of the guide in its cell, metres."""
    basins: int
    """Basins without an outlet."""
    detail_m: float
    """Metres between points at which the land has the guide's own heights. 0: its pixels are too coarse for that."""
    place: tuple[int, float, float, float] | None
    """Number of the EPSG of the file's projected coordinate system; east and north of the middle of the north-western
    pixel there; metres of a unit. None: the file has none, or another spacing was given."""
    nbytes: int
    """Bytes of the tables that the world made of the guide."""
    tables_checksum: str
    """SHA-256 of these tables. Equal tables make equal land."""


class Histogram(NamedTuple):
    """Counts of heights, as numpy.histogram returns them."""

    counts: NDArray[np.uint64]
    """Shape (bins,)."""
    edges: NDArray[np.float64]
    """Metres, shape (bins + 1,)."""
