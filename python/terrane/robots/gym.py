"""An environment of Gymnasium: a ball on endless ground. Actions push the ball; the aim is to roll far to the east.

    import gymnasium
    import terrane.robots.gym
    env = gymnasium.make("terrane/Ball-v0", difficulty=0.3)

Action: force to the east and force to the north, each from -1 to 1 times `force`. Observation: velocity x, y, z in
metres per second, and the heights of 9 x 9 points around the ball, `spread` metres apart, in metres above the ball's
lowest point. Reward: metres that the ball moves to the east in a step. An episode ends after 500 steps of 20 ms, or
when the ball is more than 200 m from its start, in x or in y. reset() chooses the place with its random generator, or
takes the place of index n with options={"index": n}."""

from __future__ import annotations

import os
from typing import Any

try:
    import gymnasium
    import mujoco  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError as missing:
    raise ImportError(
        f"terrane.robots.gym needs Gymnasium and MuJoCo: pip install gymnasium mujoco ({missing})"
    ) from missing

import numpy as np
from numpy.typing import NDArray

from ..world import World
from .mujoco import WindowField
from .terrains import terrain
from .window import Window

__all__ = ["BallEnv"]

_BALL = """<mujoco><option timestep="0.004"/><worldbody><light pos="0 0 50" directional="true"/><body name="ball">
<freejoint/><geom type="sphere" size="0.2" mass="5" condim="6" friction="0.8 0.01 0.01"/></body></worldbody></mujoco>"""
_RADIUS_M, _SUBSTEPS, _MOST_STEPS, _FARTHEST_M = 0.2, 5, 500, 200.0
_POINTS = 9


class BallEnv(gymnasium.Env):  # type: ignore[misc, type-arg, unused-ignore]
    """A ball on endless ground.

    difficulty  difficulty of the ground at the start, 0 to 1
    world       as for terrain()
    force       newtons of an action of 1
    spread      metres between the heights that are observed"""

    metadata = {"render_modes": []}

    def __init__(
        self,
        difficulty: float = 0.3,
        world: World | str | os.PathLike[str] | None = None,
        force: float = 40.0,
        spread: float = 0.5,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.difficulty, self.force, self.spread = difficulty, force, spread
        self.world = world if isinstance(world, World) else World(world)
        self.action_space = gymnasium.spaces.Box(-1, 1, (2,), np.float32)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (3 + _POINTS**2,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Put the ball on new ground."""
        super().reset(seed=seed)
        index = int(self.np_random.integers(2**31))
        index = int((options or {}).get("index", index))
        ground = terrain(index, resolution=0.25, difficulty=self.difficulty, world=self.world)
        step = 4.0 / self.world.spacing
        size = (_POINTS + 3) * self.spread
        resolution = self.world.spacing * 0.125
        self._window = Window(ground.x + step, ground.z + step, (size, size), resolution, world=self.world)
        spec = mujoco.MjSpec.from_string(_BALL)
        self._field = WindowField(spec, self._window, reach=400.0)
        self._model = spec.compile()
        self._data = mujoco.MjData(self._model)
        self._field.show(self._model)
        self._data.qpos[2] = float(self._heights_at(np.zeros((1, 2)))[0]) + _RADIUS_M
        mujoco.mj_forward(self._model, self._data)
        self._steps = 0
        return self._observe(), {"index": index, "difficulty": ground.difficulty, "x": ground.x, "z": ground.z}

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Push the ball for 20 ms."""
        begin = float(self._data.qpos[0])
        self._data.xfrc_applied[1, :2] = np.clip(np.asarray(action, np.float64), -1, 1) * self.force
        for _ in range(_SUBSTEPS):
            mujoco.mj_step(self._model, self._data)
        x, y = (float(side) for side in self._data.qpos[:2])
        self._field.follow(self._model, x, y)
        self._steps += 1
        return self._observe(), x - begin, max(abs(x), abs(y)) > _FARTHEST_M, self._steps >= _MOST_STEPS, {}

    def _observe(self) -> NDArray[np.float32]:
        side = (np.arange(_POINTS) - _POINTS // 2) * self.spread
        around = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2) + self._data.qpos[:2]
        heights = self._heights_at(around) - (self._data.qpos[2] - _RADIUS_M)
        return np.concatenate([self._data.qvel[:3], heights]).astype(np.float32)

    def _heights_at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Heights of the nearest samples of the window."""
        window = self._window
        rows, columns = window.heights.shape
        off = (points - np.array(window.origin)) / window.resolution
        i = np.clip(np.rint(off[:, 0]).astype(np.int64) + columns // 2, 0, columns - 1)
        j = np.clip(rows // 2 - np.rint(off[:, 1]).astype(np.int64), 0, rows - 1)
        return np.asarray(window.heights[j, i], np.float64)


gymnasium.register("terrane/Ball-v0", entry_point="terrane.robots.gym:BallEnv")
