"""Terrains for mjlab: a SubTerrainCfg.

Signature: mjlab 1, `function(difficulty, spec, rng) -> TerrainOutput`. The tests call it
with stubs of the classes that it imports and a real MjSpec, and with mjlab where that is installed."""

from __future__ import annotations

from typing import Any

import numpy as np

from .mujoco import add_terrain
from .terrains import terrain

__all__ = ["make_cfg"]


def make_cfg() -> Any:
    """The class TerraneTerrainCfg, a SubTerrainCfg with `resolution`, `border` and `world`. Raises ImportError without
    mjlab"""
    from dataclasses import dataclass

    from mjlab.terrains.terrain_generator import (  # type: ignore[import-not-found]
        SubTerrainCfg,
        TerrainGeometry,
        TerrainOutput,
    )

    @dataclass
    class TerraneTerrainCfg(SubTerrainCfg):  # type: ignore[misc]
        resolution: float = 0.05
        border: float = 0.5
        world: Any = None

        def function(self, difficulty: float, spec: Any, rng: np.random.Generator) -> Any:
            index = int(rng.integers(2**31))
            ground = terrain(index, self.size, self.resolution, difficulty, world=self.world, border=self.border)
            geom = add_terrain(spec, ground, f"terrane_{index}", spec.body("terrain"))
            middle = [side / 2 for side in self.size]  # mjlab's terrains begin at a corner
            geom.pos[:2] = middle
            at = ground.spawns[0] if len(ground.spawns) else (0, 0, float(ground.height_at([0.0, 0.0])))
            origin = np.array([middle[0] + at[0], middle[1] + at[1], at[2]])
            return TerrainOutput(origin=origin, geometries=[TerrainGeometry(geom=geom)])

    return TerraneTerrainCfg
