"""Adapters of terrane.robots with the real simulators, where these are installed. test_robots.py calls the same adapters
with stubs."""

import numpy as np
import pytest

import terrane
from terrane import robots


@pytest.fixture(scope="module")
def world():
    return terrane.World()


@pytest.fixture(scope="module")
def ground(world):
    return robots.terrain(1, resolution=0.1, difficulty=0.3, world=world)


def test_mjlab(world):
    """mjlab's generator makes a grid of terrains. A robot that stands at an origin of the grid touches the ground."""
    generator = pytest.importorskip("mjlab.terrains.terrain_generator")
    mujoco = pytest.importorskip("mujoco")
    from terrane.robots.mjlab import make_cfg

    land = make_cfg()(resolution=0.25, world=world)
    made = generator.TerrainGenerator(
        generator.TerrainGeneratorCfg(
            seed=3, size=(8.0, 8.0), num_rows=2, num_cols=2, border_width=1.0, sub_terrains={"land": land}
        )
    )
    spec = mujoco.MjSpec()
    made.compile(spec)
    for n, origin in enumerate(made.terrain_origins.reshape(-1, 3)):
        ball = spec.worldbody.add_body(name=f"ball_{n}", pos=origin + [0, 0, 0.6])
        ball.add_freejoint()
        ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    model = spec.compile()
    assert model.nhfield == 4
    data = mujoco.MjData(model)
    for _ in range(200):
        mujoco.mj_step(model, data)
    heights = data.qpos.reshape(4, 7)[:, 2] - made.terrain_origins.reshape(-1, 3)[:, 2]
    assert data.ncon >= 4 and np.all(np.abs(heights - 0.1) < 0.25)


def test_genesis(ground):
    """Genesis builds a scene with the terrain, and a ball that falls comes to lie on the ground."""
    genesis = pytest.importorskip("genesis")
    from terrane.robots.genesis import morph

    genesis.init(backend=genesis.cpu, logging_level="error")
    scene = genesis.Scene(show_viewer=False)
    scene.add_entity(morph(ground))
    x, y = (float(number) for number in ground.spawns[0][:2])
    height = float(ground.height_at([x, y]))
    ball = scene.add_entity(genesis.morphs.Sphere(pos=(x, y, height + 0.5), radius=0.15))
    scene.build()
    for _ in range(60):
        scene.step()
    at = np.asarray(ball.get_pos())
    assert abs(at[2] - float(ground.height_at(at[:2])) - 0.15) < 0.1
