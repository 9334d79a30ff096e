"""Terrains for MuJoCo: height fields in an MjSpec, also one that follows a robot.

    spec = mujoco.MjSpec.from_string(robot_xml)
    add_terrain(spec, terrain(3, difficulty=0.4))
    model = spec.compile()"""

from __future__ import annotations

from typing import Any

try:
    import mujoco  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError as missing:
    raise ImportError(f"terrane.robots.mujoco needs MuJoCo: pip install mujoco ({missing})") from missing

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgumentError
from .ground import MATERIALS
from .terrains import Terrain
from .window import Window

__all__ = ["WindowField", "add_height_field", "add_terrain"]

_BASE_M = 1.0  # thickness of the ground below its lowest sample
_LEAST_RANGE_M = 1e-3  # MuJoCo refuses a height of 0


def add_height_field(
    spec: Any, name: str, heights: NDArray[np.float32], resolution: float, low: float, high: float, body: Any = None
) -> Any:
    """Add a height field and its geom, whose middle is at the origin of the body. Returns (field, geom).

    heights    metres, row 0 in the north; MuJoCo's rows go from south to north
    low, high  heights of the numbers 0 and 1 of the field, metres
    body       MjsBody; None: the world"""
    rows, columns = heights.shape
    size = [(columns - 1) * resolution / 2, (rows - 1) * resolution / 2, high - low, _BASE_M]
    field = spec.add_hfield(name=name, size=size, nrow=rows, ncol=columns, userdata=[0.0] * (rows * columns))
    field.userdata = _shares(heights, low, high).ravel().tolist()
    geom = (spec.worldbody if body is None else body).add_geom(
        name=name, type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname=name, pos=[0, 0, low]
    )
    return field, geom


def _shares(heights: NDArray[np.float32], low: float, high: float) -> NDArray[np.float64]:
    return (heights[::-1].astype(np.float64) - low) / (high - low)


def add_terrain(spec: Any, ground: Terrain, name: str = "terrain", body: Any = None) -> Any:
    """Add a terrain. MuJoCo has one friction per geom: the terrain gets that of its most frequent material. Returns the
    geom."""
    low = float(ground.heights.min())
    high = max(float(ground.heights.max()), low + _LEAST_RANGE_M)
    _, geom = add_height_field(spec, name, ground.heights, ground.resolution, low, high, body)
    material = MATERIALS[int(np.bincount(ground.material.ravel(), minlength=len(MATERIALS)).argmax())]
    geom.friction[0] = material.friction
    return geom


class WindowField:
    """A height field that shows a Window. The constructor adds it to the spec. After compilation call show() once, and
    then follow() with each new position of the robot. show() and follow() raise InvalidArgumentError if a height of the
    window is more than `reach` metres above or below the height at the beginning."""

    def __init__(self, spec: Any, window: Window, name: str = "terrain", reach: float = 100.0) -> None:
        self.window, self.name, self.reach = window, name, float(reach)
        # MuJoCo scales the numbers of the spec to 0 .. 1 when it compiles, so the samples are set afterwards.
        add_height_field(spec, name, window.heights, window.resolution, -self.reach, self.reach)

    def show(self, model: Any) -> None:
        """Copy the window's heights and place into a model."""
        shares = _shares(self.window.heights, -self.reach, self.reach)
        if shares.min() < 0 or shares.max() > 1:
            raise InvalidArgumentError(
                f"the ground is more than {self.reach:g} m above or below its beginning, expected a greater reach"
            )
        field = model.hfield(self.name)
        first = model.hfield_adr[field.id]
        model.hfield_data[first : first + shares.size] = shares.ravel()
        model.geom(self.name).pos[:2] = self.window.origin

    def follow(self, model: Any, x: float, y: float) -> bool:
        """Recentre the window if the robot at x, y has left its middle, see Window.move(). Returns whether the model
        has changed. If it has, a viewer must upload the field (mjr_uploadHField)."""
        if not self.window.move(x, y):
            return False
        self.show(model)
        return True
