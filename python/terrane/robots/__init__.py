"""Ground for robots, by index and difficulty.

    >>> from terrane import robots
    >>> ground = robots.terrain(7, size=(8, 8), resolution=0.05, difficulty=0.6)
    >>> ground.heights, ground.water, ground.friction, ground.spawns

terrain()     a rectangle of ground with a given difficulty, with water, materials, and places where a robot can stand
terrain_at()  the same at a given place
curriculum()  a grid of terrains whose difficulty grows from row to row
Window        ground that follows a robot over endless land
MATERIALS     the materials of the ground, with friction and restitution

Adapters for simulators, each a module of its own: terrane.robots.isaac_lab, mujoco, mjlab, newton, genesis, gazebo, gym
"""

from __future__ import annotations

from .curricula import Curriculum, curriculum
from .ground import MATERIALS, Material
from .selection import ROBOTS_VERSION
from .terrains import Terrain, terrain, terrain_at
from .window import Window

__all__ = [
    "MATERIALS",
    "ROBOTS_VERSION",
    "Curriculum",
    "Material",
    "Terrain",
    "Window",
    "curriculum",
    "terrain",
    "terrain_at",
]
