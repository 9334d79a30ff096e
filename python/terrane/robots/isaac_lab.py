"""Terrains for Isaac Lab: a height field for HfTerrainBaseCfg.

    from terrane.robots.isaac_lab import make_cfg
    HfTerraneTerrainCfg = make_cfg()
    sub_terrains = {"land": HfTerraneTerrainCfg(proportion=1.0, horizontal_scale=0.05)}

Signature: Isaac Lab 2 and 3, `function(difficulty, cfg) -> int16 array (size[0] / horizontal_scale, size[1] /
horizontal_scale)` below the decorator height_field_to_mesh. Isaac Lab is not on PyPI: the tests call height_field()
with an object that has the documented attributes, and make_cfg() with stubs of the modules that it imports."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .terrains import terrain

__all__ = ["height_field", "make_cfg"]


def height_field(difficulty: float, cfg: Any) -> NDArray[np.int16]:
    """The heights of a terrain with a given difficulty, in units of cfg.vertical_scale, rounded to integers.

    cfg  has size, horizontal_scale and vertical_scale as HfTerrainBaseCfg; the size is without the border, which Isaac
         Lab adds. It may also have: index (None: drawn from numpy's global generator, which Isaac Lab seeds), world,
         and rim, the width of a level rim in metres"""
    columns, rows = (int(side / cfg.horizontal_scale) for side in cfg.size)
    index = getattr(cfg, "index", None)
    made = terrain(
        int(np.random.randint(2**31)) if index is None else index,
        (columns * cfg.horizontal_scale, rows * cfg.horizontal_scale),
        cfg.horizontal_scale,
        difficulty,
        world=getattr(cfg, "world", None),
        border=getattr(cfg, "rim", 0.0),
    )
    return made.int16(cfg.vertical_scale)[:columns, :rows]


def make_cfg() -> Any:
    """The class HfTerraneTerrainCfg, a HfTerrainBaseCfg with `index`, `world` and `rim`. Raises ImportError without
    Isaac Lab"""
    from isaaclab.terrains.height_field.hf_terrains_cfg import HfTerrainBaseCfg  # type: ignore[import-not-found]
    from isaaclab.terrains.height_field.utils import height_field_to_mesh  # type: ignore[import-not-found]
    from isaaclab.utils import configclass  # type: ignore[import-not-found]

    class HfTerraneTerrainCfg(HfTerrainBaseCfg):  # type: ignore[misc]
        function = height_field_to_mesh(height_field)
        index: Any = None
        world: Any = None
        rim: float = 0.5

    return configclass(HfTerraneTerrainCfg)
