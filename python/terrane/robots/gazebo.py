"""Terrains for Gazebo: a model with a height map, and a world of many models. Gazebo loads the models near a robot.

Signature: SDF 1.9, `<heightmap>` with `<uri>`, `<size>` and `<pos>`; levels of gz-sim, `<level>` and `<performer>` in
the plugin gz::sim. Gazebo is not on PyPI: the tests read the files back."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from ..arguments import count
from ..errors import FileError, InvalidArgumentError
from ..world import World
from .ground import MATERIALS
from .terrains import Terrain, terrain_at

__all__ = ["write_model", "write_world"]

_MODEL = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="{name}">
    <static>true</static>
    <link name="ground">
      <collision name="collision">
        <geometry>{heightmap}</geometry>
        <surface><friction><ode><mu>{friction}</mu><mu2>{friction}</mu2></ode></friction></surface>
      </collision>
      <visual name="visual">
        <geometry>{heightmap}</geometry>
      </visual>
    </link>
  </model>
</sdf>
"""
_HEIGHTMAP = (
    "<heightmap><uri>{file}</uri><size>{width:.9g} {height:.9g} {range:.9g}</size><pos>0 0 {low:.9g}</pos></heightmap>"
)
_CONFIG = """<?xml version="1.0"?>
<model>
  <name>{name}</name>
  <version>1.0</version>
  <sdf version="1.9">model.sdf</sdf>
</model>
"""
_WORLD = """<?xml version="1.0"?>
<sdf version="1.9">
  <world name="terrane">
    <light type="directional" name="sun"><direction>-0.5 0.3 -1</direction></light>
{includes}    <plugin name="gz::sim" filename="dummy">
      <performer name="performer">
        <ref>{robot}</ref>
        <geometry><box><size>2 2 2</size></box></geometry>
      </performer>
{levels}    </plugin>
  </world>
</sdf>
"""
_INCLUDE = "    <include><uri>{file}</uri><name>{name}</name><pose>{x:.9g} {y:.9g} {z:.9g} 0 0 0</pose></include>\n"
_LEVEL = """      <level name="level_{name}">
        <pose>{x:.9g} {y:.9g} {z:.9g} 0 0 0</pose>
        <geometry><box><size>{side:.9g} {side:.9g} 2000</size></box></geometry>
        <buffer>{buffer:.9g}</buffer>
        <ref>{name}</ref>
      </level>
"""


class _Part(NamedTuple):
    """A terrain of a world, its name, and its place in metres from the middle of the world."""

    name: str
    x: float
    y: float
    ground: Terrain


def write_world(
    x: float,
    z: float,
    folder: str | os.PathLike[str],
    *,
    columns: int = 3,
    rows: int = 3,
    side: float = 32.0,
    resolution: float = 0.125,
    robot: str = "robot",
    world: World | str | os.PathLike[str] | None = None,
) -> None:
    """Write world.sdf and a model for each of columns x rows squares of land. Each square is a level: Gazebo loads its
    model while the robot is within half a side of it. The middle of the land is the origin. Height 0 is the base of the
    north-western square. The folder must not exist.

    x, z        lattice coordinates of the north-western sample of the land
    side        metres of a square, 1 to 64; side / resolution is 2**n
    robot       name of the model that Gazebo follows
    resolution, world  as for terrain()

    Raises what terrain_at() and write_model() raise"""
    columns, rows = count("columns", columns), count("rows", rows)
    includes = levels = ""
    base: float | None = None
    with _new_folder(os.fspath(folder)) as path:
        for part in _parts(x, z, columns, rows, side, resolution, world):
            base = part.ground.base if base is None else base
            write_model(part.ground, os.path.join(path, part.name), part.name)
            at = {"name": part.name, "x": part.x, "y": part.y, "z": part.ground.base - base}
            includes += _INCLUDE.format(file=part.name, **at)
            levels += _LEVEL.format(side=side, buffer=side / 2, **at)
        with open(os.path.join(path, "world.sdf"), "x", encoding="utf-8") as opened:
            opened.write(_WORLD.format(robot=escape(robot), levels=levels, includes=includes))


def _parts(
    x: float,
    z: float,
    columns: int,
    rows: int,
    side: float,
    resolution: float,
    world: World | str | os.PathLike[str] | None,
) -> Iterator[_Part]:
    """The squares of a land, row by row from the north-west. Neighbours share the samples of their edge."""
    w = world if isinstance(world, World) else World(world)
    step = side / w.spacing
    for row in range(rows):
        for column in range(columns):
            ground = terrain_at(x + column * step, z + row * step, (side, side), resolution, world=w)
            east, north = (column - (columns - 1) / 2) * side, ((rows - 1) / 2 - row) * side
            yield _Part(f"ground_{column}_{row}", east, north, ground)


@contextmanager
def _new_folder(path: str) -> Iterator[str]:
    """A folder that gets its name when the block ends. If the block fails, the folder is removed. Raises FileError"""
    made = f"{path}.part"
    try:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        os.mkdir(made)
        try:
            yield made
            os.rename(made, path)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    except OSError as error:
        at = error.filename or path
        raise FileError(f"cannot write {at!r}: {error.strerror or error}") from error


def _require_square(ground: Terrain) -> None:
    rows, columns = ground.heights.shape
    if rows != columns or (rows - 1) & (rows - 2):
        raise InvalidArgumentError(f"terrain has {columns} x {rows} samples, expected a square of 2**n + 1")


def write_model(ground: Terrain, folder: str | os.PathLike[str], name: str = "terrane") -> None:
    """Write a model: model.config, model.sdf and heights.png of 16 bits. The folder must not exist.

    Gazebo wants squares of 2**n + 1 samples: ground of terrain() with size 2**n * resolution has them. Raises
    InvalidArgumentError for another shape, FileError; ImportError without Pillow"""
    try:
        from PIL import Image
    except ImportError as missing:
        raise ImportError(f"terrane.robots.gazebo needs Pillow: pip install pillow ({missing})") from missing

    _require_square(ground)
    low, span = float(ground.heights.min()), max(float(np.ptp(ground.heights)), 1e-3)
    whole = np.rint((ground.heights.astype(np.float64) - low) / span * 65535).astype(np.uint16)
    material = MATERIALS[int(np.bincount(ground.material.ravel()).argmax())]
    field = _HEIGHTMAP.format(file="heights.png", width=ground.size[0], height=ground.size[1], range=span, low=low)
    with _new_folder(os.fspath(folder)) as path:
        Image.fromarray(whole).save(os.path.join(path, "heights.png"))
        for file, text in (
            ("model.sdf", _MODEL.format(name=escape(name), heightmap=field, friction=material.friction)),
            ("model.config", _CONFIG.format(name=escape(name))),
        ):
            with open(os.path.join(path, file), "x", encoding="utf-8") as opened:
                opened.write(text)
