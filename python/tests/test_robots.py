"""Ground for robots: difficulty, resolutions, borders, spawns, windows, and the adapters for simulators."""

import hashlib
import sys
import types

import numpy as np
import pytest

import terrane
from terrane import robots
from terrane.robots import roughness
from terrane.robots.spawns import dry_flat_places

# SHA-256 of the heights of indices 0 to 9 at 0.25 m, first 12 digits. They never change.
HASHES = """
969d6e2b8f42 9a935b509b4a 21ba7cf0bcfa e41795149a03 657fcd61d465
97ff133d9706 31ee190a99bf e4ebdc7d3909 07f7d612b090 029fe8d4c29a
""".split()


@pytest.fixture(scope="module")
def world():
    return terrane.World()


@pytest.fixture(scope="module")
def ground(world):
    return robots.terrain(1, difficulty=0.3, world=world)


def test_hashes_of_ten_indices(world):
    made = [robots.terrain(n, resolution=0.25, difficulty=n / 9, world=world) for n in range(10)]
    assert [hashlib.sha256(t.heights.tobytes()).hexdigest()[:12] for t in made] == HASHES
    assert [t.index for t in made] == list(range(10))


def test_difficulty_is_that_of_the_ground(world):
    """Ground of a greater difficulty is steeper, has higher steps and is rougher."""
    wanted = (0.05, 0.35, 0.65, 0.95)
    made = [[robots.terrain(n, resolution=0.5, difficulty=d, world=world) for n in range(3)] for d in wanted]
    for d, row in zip(wanted, made):
        assert np.median([abs(t.difficulty - d) for t in row]) < 0.05, d
    for figure in ("gradient", "step", "deviation"):
        means = [np.mean([getattr(t, figure) for t in row]) for row in made]
        assert all(a < b for a, b in zip(means, means[1:])), (figure, means)


def test_figures_of_known_ground():
    x = np.arange(33) * 0.25
    plane = (0.3 * x[None, :] + 0.4 * x[:, None]).astype(np.float32)
    stairs = np.repeat(np.repeat([[0.0, 0.2], [0.2, 0.0]], 17, 0), 17, 1)[:33, :33].astype(np.float32)
    figures = roughness.measure_roughness(np.stack([plane, plane * 0, stairs]))
    assert figures.gradient == pytest.approx([0.5, 0, 0], abs=2e-2)
    assert figures.deviation == pytest.approx([0, 0, 0.1], abs=2e-3)
    assert figures.step[:2] == pytest.approx([0, 0], abs=1e-3) and figures.step[2] < 0.21
    found = roughness.difficulty_of(figures)
    assert found[1] == 0 < found[2] and 0 < found[0] < 1


@pytest.mark.parametrize("spacing", [0.5, 0.3, 3.0])
def test_spacings(spacing):
    """Whatever the spacing of the world, ground is measured at 0.25 m: its figures are those of heights interpolated
    to this distance."""
    land = terrane.World(spacing=spacing)
    made = robots.terrain(3, (8, 6), 0.25, 0.4, world=land)
    assert made.heights.shape == (25, 33) and abs(made.difficulty - 0.4) < 0.05
    figures = roughness.measure_roughness(made.heights[None])
    assert (made.gradient, made.step, made.deviation) == pytest.approx([float(f[0]) for f in figures], rel=1e-3)
    assert made.difficulty == pytest.approx(roughness.difficulty_of(figures)[0], abs=2e-3)


def test_tables_rise():
    for table in (roughness._GRADIENT, roughness._STEP, roughness._DEVIATION, roughness._MEAN_RANK):
        assert len(table) == 21 and all(a < b for a, b in zip(table, table[1:]))


def test_resolutions(world, ground):
    """With the resolution of a level of detail, heights are samples of the world. With another resolution they lie
    between these samples. The place is the same."""
    exact = robots.terrain(1, resolution=0.0625, difficulty=0.3, world=world)
    assert (exact.x, exact.z) == (ground.x, ground.z)
    altitude = world.heights(exact.x, exact.z, 129, 129, -4)
    assert np.array_equal(exact.heights, (altitude.astype(float) - exact.base).astype(np.float32))
    assert ground.heights.shape == (161, 161) and ground.heights.dtype == np.float32
    assert ground.size == pytest.approx((8, 8))
    fine, own = exact.heights + exact.base, ground.heights + ground.base
    assert own[::5, ::5] == pytest.approx(fine[::4, ::4], abs=1e-3)  # every 25 cm
    low, high = np.minimum(fine[0, :-1], fine[0, 1:]), np.maximum(fine[0, :-1], fine[0, 1:])
    between = np.minimum((np.arange(161) * 0.8).astype(int), 127)
    assert np.all((own[0] >= low[between] - 1e-3) & (own[0] <= high[between] + 1e-3))


def test_materials_and_water():
    land = terrane.World(continents=0)
    x, z = -1104308.0, 1954569.0  # a river
    wet = robots.terrain_at(x, z, (16, 12), 0.5, world=land)
    assert 0 < (wet.water > 0).mean() < 1 and wet.heights.shape == wet.water.shape == wet.material.shape == (25, 33)
    assert np.array_equal(wet.material == 4, wet.water > 0)
    made = land.layers(["height", "water"], x, z, 33, 25, -1)
    assert np.array_equal(wet.water, np.nan_to_num(np.maximum(made["water"] - made["height"], 0)))
    assert robots.terrain_at(x, z, (16, 12), 0.25, world=land).difficulty == wet.difficulty
    assert set(np.unique(wet.friction)) <= {np.float32(m.friction) for m in robots.MATERIALS}
    assert wet.restitution.shape == (25, 33)


def test_spawns_are_dry_and_flat(world):
    ground = robots.terrain(6, difficulty=0.6, world=world)
    assert len(ground.spawns) > 1
    for x, y, z in ground.spawns:
        assert z == pytest.approx(ground.height_at([x, y]), abs=1e-4)
        i, j = round(x / 0.05) + 80, 80 - round(y / 0.05)
        part = ground.heights[j - 8 : j + 9, i - 8 : i + 9]
        assert part.shape == (17, 17) and np.ptp(part) < 0.25 * 0.8 * 1.5 + 0.12


def test_spawns_of_known_ground():
    """A steep plane and rough ground have no spawns, and a flat one has them where it is dry."""
    x = np.arange(81) * 0.1 - 4
    level, dry = np.zeros((81, 81), np.float32), np.zeros((81, 81), np.float32)
    for heights, is_good in ((level + 0.2 * x, True), (level + 0.3 * x, False), (level + 0.2 * (x % 0.2 > 0.1), False)):
        assert (len(dry_flat_places(heights.astype(np.float32), dry, 0.1)) > 0) == is_good
    wet = np.where(x > 1, np.float32(0.1), dry)
    found = dry_flat_places(level, wet, 0.1)
    assert len(found) > 8 and found[:, 0].max() <= 0.6 and tuple(found[0]) == (0, 0, 0)
    assert min(np.abs(a - b).max() for n, a in enumerate(found) for b in found[:n]) >= 0.79


def test_borders_and_curricula(world):
    made = robots.curriculum(3, 2, resolution=0.25, world=world, border=0.5)
    assert made.heights.shape == (3 * 32 + 1, 2 * 32 + 1) and made.origins.shape == (3, 2, 3)
    for edge in (0, 32, 64):
        assert not made.heights[edge : edge + 2].any() and not made.heights[:, edge : edge + 2].any()
    assert made.origins[0, 0, :2] == pytest.approx((-4, 8)) and made.terrains[2][1].difficulty > 0.8
    assert made.origins[2, 1, 2] == pytest.approx(made.heights[80, 48], abs=1e-5)
    assert made.terrains[0][1].heights[16, 16] == made.heights[16, 48]


def test_windows(world):
    """A window has the samples of the world wherever it is moved."""
    w = robots.Window(-1078272.0, 1921024.0, size=(4, 3), world=world)
    kept = w.heights
    rows, columns = w.heights.shape
    assert w.heights[rows // 2, columns // 2] == 0 and not w.move(0.3, 0.2) and w.move(0.75, 0.1)
    for x, y in ((0.9, 1.2), (-2.0, 1.0), (700.0, -300.0), (700.5, -299.0)):
        w.move(x, y)
        east, north = w.origin
        corner = (-1078272 + east - columns // 2 / 16, 1921024 - north - rows // 2 / 16)
        land = world.heights(*corner, columns, rows, -4)
        assert np.array_equal(w.heights, (land.astype(float) - w.base).astype(np.float32)), (x, y)
    assert w.heights is kept


# ---- adapters ----

BALL = """<mujoco><option timestep="0.004"/><worldbody><body name="robot"><freejoint/>
<geom type="{type}" size="{size}" mass="1" condim="6" friction="1 0.005 0.005"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("shape", "size"), [("sphere", "0.2"), ("cylinder", "0.2 0.05")])
def test_mujoco_ball_and_wheel(world, shape, size):
    """A ball and a wheel fall onto a slope, stay on the ground, and roll down."""
    mujoco = pytest.importorskip("mujoco")
    from terrane.robots.mujoco import add_terrain

    slope = robots.terrain(7, resolution=0.1, difficulty=0.5, world=world)
    spec = mujoco.MjSpec.from_string(BALL.format(type=shape, size=size))
    add_terrain(spec, slope)
    model = spec.compile()
    field = model.hfield_data.reshape(slope.heights.shape) * model.hfield_size[0, 2] + model.geom("terrain").pos[2]
    assert field[::-1] == pytest.approx(slope.heights, abs=1e-5)  # the field's rows go from south to north
    data = mujoco.MjData(model)
    steep = [slope.height_at([[d, 0], [0, d], [-d, 0], [0, -d]]) for d in (1.0,)][0]
    data.qpos[:3] = [0, 0, slope.height_at([0, 0]) + 0.4]
    axis = np.array([steep[1] - steep[3], steep[2] - steep[0], 0])  # across the slope
    axis = np.append(axis[:2] / np.linalg.norm(axis[:2]), 0)
    data.qpos[3:7] = [np.sqrt(0.5), *(np.cross([0, 0, 1], axis) * np.sqrt(0.5))]  # the wheel stands upright
    begin = float(data.qpos[2])
    for n in range(300):
        mujoco.mj_step(model, data)
        x, y, z = data.qpos[:3]
        if max(abs(x), abs(y)) > 3.5:
            break
        above = z - slope.height_at([x, y])
        assert above > -0.05 and (n < 120 or above < 0.5), (n, x, y, above)
    assert np.hypot(x, y) > 0.2 and z < begin - 0.4, (x, y, z, begin)


def test_mujoco_window(world):
    """The ground follows a ball: wherever the ball is put, it touches the ground of the world."""
    mujoco = pytest.importorskip("mujoco")
    from terrane.robots.mujoco import WindowField

    window = robots.Window(-1078272, 1921024, size=(8, 8), resolution=0.25, world=world)
    spec = mujoco.MjSpec.from_string(BALL.format(type="sphere", size="0.1"))
    field = WindowField(spec, window)
    model = spec.compile()
    field.show(model)
    for x, y in ((0.0, 0.0), (3.0, 2.0), (30.0, -20.0)):
        assert field.follow(model, x, y) == (x > 0)
        altitude = float(world.heights(-1078272 + x, 1921024 - y, 1, 1, -2)[0, 0]) - window.base
        data = mujoco.MjData(model)
        data.qpos[:3] = [x, y, altitude + 0.25]
        for _ in range(60):
            mujoco.mj_step(model, data)
        assert 0 < data.qpos[2] - altitude < 0.4 and data.ncon > 0
    with pytest.raises(terrane.InvalidArgumentError, match="expected a greater reach"):
        WindowField(spec, window, "other", reach=1e-4).show(model)


def stub(monkeypatch, **modules):
    """Put modules with some attributes where imports find them."""
    for name, attributes in modules.items():
        module = types.ModuleType(name.replace("__", "."))
        module.__dict__.update(attributes)
        monkeypatch.setitem(sys.modules, module.__name__, module)


def test_isaac_lab(monkeypatch, world):
    from terrane.robots import isaac_lab

    class Base:
        size, horizontal_scale, vertical_scale, border_width = (8.0, 6.0), 0.1, 0.005, 0.0

    decorated = []

    def decorate(function):
        decorated.append(function)
        return staticmethod(function)

    stub(
        monkeypatch,
        isaaclab={},
        isaaclab__terrains={},
        isaaclab__terrains__height_field={},
        isaaclab__terrains__height_field__hf_terrains_cfg={"HfTerrainBaseCfg": Base},
        isaaclab__terrains__height_field__utils={"height_field_to_mesh": decorate},
        isaaclab__utils={"configclass": lambda c: c},
    )
    cfg = isaac_lab.make_cfg()()
    assert decorated == [isaac_lab.height_field]
    cfg.index, cfg.world, cfg.rim = 4, world, 0.0
    made = cfg.function(0.5, cfg)
    same = robots.terrain(4, (8, 6), 0.1, 0.5, world=world)
    assert made.shape == (80, 60) and made.dtype == np.int16
    assert np.abs(made[10, 20] * 0.005 - same.heights[60 - 20, 10]) <= 0.0026  # x to the east, y to the north
    cfg.index = None
    np.random.seed(3)
    first = cfg.function(0.5, cfg)
    np.random.seed(3)
    assert np.array_equal(first, cfg.function(0.5, cfg))


def test_newton_and_genesis(monkeypatch, ground):
    from terrane.robots import genesis, newton

    class Heightfield:
        def __init__(self, data, nrow, ncol, hx=1.0, hy=1.0, min_z=None, max_z=None):
            self.__dict__.update(locals())

    class Builder:
        def add_shape_heightfield(self, *, xform=None, heightfield=None, cfg=None, label=None):
            self.field = heightfield
            return 7

    stub(monkeypatch, newton={"Heightfield": Heightfield})
    builder = Builder()
    assert newton.add_terrain(builder, ground) == 7
    field = builder.field
    assert (field.nrow, field.ncol, field.hx, field.max_z) == (161, 161, pytest.approx(4), ground.heights.max())
    assert np.array_equal(field.data[0], ground.heights[-1])
    stub(monkeypatch, genesis={"morphs": types.SimpleNamespace(Terrain=lambda **given: given)})
    made = genesis.morph(ground)
    assert made["height_field"][5, 0] == round(float(ground.heights[-1, 5]) / 0.005)
    assert made["horizontal_scale"] == 0.05 and made["pos"] == pytest.approx((-4, -4, 0))


def test_newton_itself(ground):
    newton = pytest.importorskip("newton")
    from terrane.robots.newton import add_terrain

    builder = newton.ModelBuilder()
    assert add_terrain(builder, ground) == 0 and builder.shape_count == 1
    field = builder.shape_source[0]
    low, high = float(ground.heights.min()), float(ground.heights.max())
    heights = low + np.asarray(field.data).reshape(161, 161) * (high - low)  # Newton keeps shares of the range
    assert heights == pytest.approx(ground.heights[::-1], abs=1e-4)


def test_mjlab(monkeypatch, world):
    mujoco = pytest.importorskip("mujoco")
    from dataclasses import dataclass

    from terrane.robots import mjlab

    @dataclass
    class SubTerrainCfg:
        size: tuple = (8.0, 8.0)

    def kept(**given):
        return types.SimpleNamespace(**given)

    stub(
        monkeypatch,
        mjlab={},
        mjlab__terrains={},
        mjlab__terrains__terrain_generator={
            "SubTerrainCfg": SubTerrainCfg, "TerrainGeometry": kept, "TerrainOutput": kept,
        },
    )
    # The package's own module has the name mjlab, too, but lies in terrane.robots.
    spec = mujoco.MjSpec.from_string("<mujoco><worldbody><body name='terrain'/></worldbody></mujoco>")
    made = mjlab.make_cfg()(resolution=0.25, world=world).function(0.2, spec, np.random.default_rng(1))
    model = spec.compile()
    assert len(made.geometries) == 1 and made.geometries[0].geom.pos[0] == 4
    assert model.nhfield == 1 and model.hfield_nrow[0] == 33 and 0 <= made.origin[0] <= 8


def test_gazebo(ground, world, tmp_path):
    image = pytest.importorskip("PIL.Image")
    import xml.etree.ElementTree as ElementTree

    from terrane.robots.gazebo import write_model

    square = robots.terrain(2, (8, 8), 0.125, world=world)
    write_model(square, tmp_path / "land", "a & b")
    field = ElementTree.parse(tmp_path / "land/model.sdf").find(".//collision//heightmap")
    width, _, span = map(float, field.find("size").text.split())
    low = float(field.find("pos").text.split()[2])
    pixels = np.asarray(image.open(tmp_path / "land/heights.png")).astype(float)
    assert width == 8 and low + pixels / 65535 * span == pytest.approx(square.heights, abs=span / 65000)
    with pytest.raises(terrane.FileError, match="File exists"):
        write_model(square, tmp_path / "land")
    with pytest.raises(terrane.InvalidArgumentError, match=r"161 x 161 samples, expected a square of 2\*\*n"):
        write_model(ground, tmp_path / "other")


def test_gazebo_levels(world, tmp_path):
    """A world of squares: each is a level around its model, and the models join without a step."""
    image = pytest.importorskip("PIL.Image")
    import xml.etree.ElementTree as ElementTree

    from terrane.robots.gazebo import write_world

    write_world(-1078272, 1921024, tmp_path / "land", columns=2, rows=1, side=8, resolution=0.25, world=world)
    sdf = ElementTree.parse(tmp_path / "land/world.sdf")
    plugin = sdf.find(".//plugin")
    assert plugin.find("performer/ref").text == "robot" and len(plugin.findall("level")) == 2
    heights = {}
    for include, level in zip(sdf.findall(".//include"), plugin.findall("level")):
        name, x, y, z = include.find("name").text, *map(float, include.find("pose").text.split()[:3])
        assert level.find("ref").text == name and level.find("pose").text == include.find("pose").text
        field = ElementTree.parse(tmp_path / f"land/{name}/model.sdf").find(".//collision//heightmap")
        low, span = float(field.find("pos").text.split()[2]), float(field.find("size").text.split()[2])
        pixels = np.asarray(image.open(tmp_path / f"land/{name}/heights.png")).astype(float)
        heights[x, y] = z + low + pixels / 65535 * span
    west, east = heights[-4, 0], heights[4, 0]
    assert west[:, -1] == pytest.approx(east[:, 0], abs=2e-3) and np.ptp(west) > 0.01
    with pytest.raises(terrane.FileError, match="File exists"):
        write_world(-1078272, 1921024, tmp_path / "land", side=8, resolution=0.25, world=world)
    with pytest.raises(terrane.InvalidArgumentError, match="expected a square"):
        write_world(0, 0, tmp_path / "other", side=10, resolution=0.25, world=world)
    assert not (tmp_path / "other").exists()


# ---- wrong arguments ----


def wrong(w):
    return {
        "index is -1, expected 0 to": lambda: robots.terrain(-1, world=w),
        "index is 0.5, expected an integer": lambda: robots.terrain(0.5, world=w),
        "resolution is 0.01, expected 0.025 to 4 m": lambda: robots.terrain(0, resolution=0.01, world=w),
        "resolution is nan": lambda: robots.terrain(0, resolution=float("nan"), world=w),
        "size is .0.05, 8., expected two lengths": lambda: robots.terrain(0, size=(0.05, 8), world=w),
        "size is 8, expected two lengths": lambda: robots.terrain(0, size=8, world=w),
        "size is 100, expected 1 to 64 m": lambda: robots.terrain(0, size=(100, 8), world=w),
        "difficulty is 1.5, expected 0 to 1": lambda: robots.terrain(0, difficulty=1.5, world=w),
        "border is 3, expected 0 to 2 m": lambda: robots.terrain(0, border=3, world=w),
        "seed is -1, expected": lambda: robots.terrain(0, seed=-1, world=w),
        "spacing of the world is 90 m": lambda: robots.terrain(0, world=terrane.World(spacing=90)),
        "world is 'alp'": lambda: robots.terrain(0, world="alp"),
        "border is 0, expected more than 0 m": lambda: robots.curriculum(1, 1, border=0, world=w),
        "difficulty is .1, 0., expected two numbers": lambda: robots.curriculum(difficulty=(1, 0), world=w),
        "levels is 0, expected 1 to": lambda: robots.curriculum(0, 1, world=w),
        "expected samples of a level of detail: 0.0625 m": lambda: robots.Window(0, 0, resolution=0.1, world=w),
        "slack is 2, expected": lambda: robots.Window(0, 0, slack=2, world=w),
        "position is nan": lambda: robots.Window(0, 0, (1, 1), world=w).move(float("nan"), 0),
    }


@pytest.mark.parametrize("sentence", wrong(None))
def test_wrong_arguments(world, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        wrong(world)[sentence]()


def test_heights_that_do_not_fit(ground):
    with pytest.raises(terrane.InvalidArgumentError, match="expected at most 0.0 m with vertical_scale 1e-06 m"):
        ground.int16(1e-6)


def test_no_land():
    sea = terrane.World(basis="midpoint", base=-30000.0)
    with pytest.raises(terrane.Error, match="index 0 has no terrain: 12 neighbourhoods .* are under water"):
        robots.terrain(0, world=sea)


def test_gymnasium(world):
    """The environment passes Gymnasium's own check, and is the same for the same seed."""
    gymnasium = pytest.importorskip("gymnasium")
    pytest.importorskip("mujoco")
    import terrane.robots.gym  # noqa: F401
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("terrane/Ball-v0", difficulty=0.4, world=world).unwrapped
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gymnasium.logger.warn", lambda *words, **more: None)
        check_env(env, skip_render_check=True)
    runs = []
    for _ in range(2):
        first, facts = env.reset(seed=5, options={"index": 2})
        steps = [env.step([1.0, 0.0]) for _ in range(60)]
        runs.append((first, steps[-1][0], sum(step[1] for step in steps)))
    assert facts["index"] == 2 and abs(facts["difficulty"] - 0.4) < 0.1
    assert np.array_equal(runs[0][1], runs[1][1]) and runs[0][2] > 0.5  # pushed to the east
    assert abs(first[3 + 40]) < 0.1  # the ground below the ball
