"""Terrains for Newton: a height field in a ModelBuilder.

Signature: newton 1, `Heightfield(data, nrow, ncol, hx, hy, min_z, max_z)` and
`ModelBuilder.add_shape_heightfield(heightfield=, xform=, cfg=, label=)`. The tests call it with stubs of these."""

from __future__ import annotations

from typing import Any

from .terrains import Terrain

__all__ = ["add_terrain"]


def add_terrain(builder: Any, ground: Terrain, *, xform: Any = None, cfg: Any = None, label: str = "terrain") -> int:
    """Add a terrain. Returns the number of the shape.

    xform  place of the middle of the terrain; None: the origin
    cfg    ModelBuilder.ShapeConfig, which has one friction for the shape; ground.friction has that of each sample"""
    import newton  # type: ignore[import-not-found]

    rows, columns = ground.heights.shape
    low, high = float(ground.heights.min()), float(ground.heights.max())
    field = newton.Heightfield(
        ground.heights[::-1], rows, columns, ground.size[0] / 2, ground.size[1] / 2, min_z=low, max_z=high
    )
    return int(builder.add_shape_heightfield(heightfield=field, xform=xform, cfg=cfg, label=label))
