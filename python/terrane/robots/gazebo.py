"""Terrains for Gazebo: a model with a height map.

Signature: SDF 1.9, `<heightmap>` with `<uri>`, `<size>` and `<pos>`. Gazebo is not on PyPI: the tests read the files
back."""

from __future__ import annotations

import os
from xml.sax.saxutils import escape

import numpy as np

from ..errors import FileError, InvalidArgumentError
from .ground import MATERIALS
from .terrains import Terrain

__all__ = ["write_model"]

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


def write_model(ground: Terrain, folder: str | os.PathLike[str], name: str = "terrane") -> None:
    """Write a model: model.config, model.sdf and heights.png of 16 bits. The folder must not exist.

    Gazebo wants squares of 2**n + 1 samples: ground of terrain() with size 2**n * resolution has them. Raises
    InvalidArgumentError for another shape, FileError; ImportError without Pillow"""
    try:
        from PIL import Image
    except ImportError as missing:
        raise ImportError(f"terrane.robots.gazebo needs Pillow: pip install pillow ({missing})") from missing

    rows, columns = ground.heights.shape
    if rows != columns or (rows - 1) & (rows - 2):
        raise InvalidArgumentError(f"terrain has {columns} x {rows} samples, expected a square of 2**n + 1")
    low, span = float(ground.heights.min()), max(float(np.ptp(ground.heights)), 1e-3)
    whole = np.rint((ground.heights.astype(np.float64) - low) / span * 65535).astype(np.uint16)
    material = MATERIALS[int(np.bincount(ground.material.ravel()).argmax())]
    field = _HEIGHTMAP.format(file="heights.png", width=ground.size[0], height=ground.size[1], range=span, low=low)
    path = os.fspath(folder)
    try:
        os.mkdir(path)
        Image.fromarray(whole).save(os.path.join(path, "heights.png"))
        for file, text in (
            ("model.sdf", _MODEL.format(name=escape(name), heightmap=field, friction=material.friction)),
            ("model.config", _CONFIG.format(name=escape(name))),
        ):
            with open(os.path.join(path, file), "x", encoding="utf-8") as opened:
                opened.write(text)
    except OSError as error:
        raise FileError(f"cannot write {path!r}: {error.strerror or error}") from error
