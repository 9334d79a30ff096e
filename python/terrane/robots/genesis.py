"""Terrains for Genesis: a morph for scene.add_entity().

Signature: genesis-world 1, `gs.morphs.Terrain(height_field=, horizontal_scale=, vertical_scale=, pos=)`. The first axis
of the height field points to the east, its numbers are heights in units of vertical_scale, and its first sample lies at
`pos`. The tests call it with a stub, and with Genesis where it is installed."""

from __future__ import annotations

from typing import Any

from .terrains import VERTICAL_SCALE_M, Terrain

__all__ = ["morph"]


def morph(ground: Terrain, *, vertical_scale: float = VERTICAL_SCALE_M, **options: Any) -> Any:
    """A morph whose middle lies at the origin.

    vertical_scale  unit of the heights, metres
    options         further arguments of gs.morphs.Terrain"""
    import genesis as gs  # type: ignore[import-not-found]

    return gs.morphs.Terrain(
        height_field=ground.int16(vertical_scale),
        horizontal_scale=ground.resolution,
        vertical_scale=vertical_scale,
        pos=(-ground.size[0] / 2, -ground.size[1] / 2, 0.0),
        **options,
    )
