"""test_mujoco.py - checks in MuJoCo the height fields that test_mujoco.sh has exported into the working directory:
MuJoCo's heights, the places where rays hit the ground, and a ball on a slope are compared with raw heights. Argument:
the file with the lines that the exports printed."""

import re
import sys

import mujoco
import numpy

W, H, STEP, RADIUS = 129, 97, 1.0, 0.5
MILLIMETRE = 1e-3
raw = numpy.fromfile("a.r32", "<f4").reshape(H, W).astype("f8")


def lines_of(name):
    """The <hfield> and the <geom> that the export printed for a file."""
    said = open(sys.argv[1]).read()
    hfield = re.search(rf'<hfield name="{name}" [^>]*/>', said).group(0)
    geom = re.search(rf'<geom type="hfield" hfield="{name}" [^>]*/>', said).group(0)
    return hfield, geom


def model_of(hfields, geoms, ball=None):
    body = ""  # the ball is damped, because a fast ball jumps and sinks deep into the ground where it lands
    if ball is not None:
        body = f"""<body pos="{ball[0]} {ball[1]} {ball[2]}"><joint type="free" damping="1000"/>
          <geom type="sphere" size="{RADIUS}" friction="1 0 0" solref="0.0004 1" solimp="0.99 0.999 0.0001"/></body>"""
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option timestep="0.0001"/><asset>{hfields}</asset>
      <worldbody>{geoms}{body}</worldbody></mujoco>""")


def place_of(column, row):
    """Position of a sample, metres east and north of the field's middle."""
    return (column - (W - 1) / 2) * STEP, ((H - 1) / 2 - row) * STEP


def check_heights(model):
    assert (model.hfield_nrow[0], model.hfield_ncol[0]) == (H, W)
    heights = model.hfield_data.reshape(H, W)[::-1] * model.hfield_size[0][2] + model.geom_pos[0][2]
    assert abs(heights - raw).max() < MILLIMETRE, abs(heights - raw).max()
    assert (model.hfield_size[0][:2] == [(W - 1) * STEP / 2, (H - 1) * STEP / 2]).all()


def ray(model, data, x, y):
    geom = numpy.zeros(1, "i4")
    above = raw.max() + 100
    return above - mujoco.mj_ray(model, data, numpy.array([x, y, above]), numpy.array([0, 0, -1.0]), None, 1, -1, geom)


def check_rays(model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    random = numpy.random.default_rng(5)
    for column, row in zip(random.integers(1, W - 1, 60), random.integers(1, H - 1, 60)):
        assert abs(ray(model, data, *place_of(column, row)) - raw[row, column]) < MILLIMETRE, (column, row)


def slope_at(column, row):
    """Slopes to the east and to the north, metres per metre."""
    return numpy.array([raw[row, column + 1] - raw[row, column - 1], raw[row - 1, column] - raw[row + 1, column]]) / (
        2 * STEP
    )


def steady_slope():
    """Column, row and slope of a sample on an even slope: of the steep samples, the one around which slopes vary
    least."""
    best = None
    for row in range(8, H - 8, 4):
        for column in range(8, W - 8, 4):
            around = numpy.array(
                [slope_at(c, r) for r in range(row - 3, row + 4) for c in range(column - 3, column + 4)]
            )
            mean = around.mean(0)
            steep, uneven = numpy.hypot(*mean), numpy.hypot(*(around - mean).T).max()
            if 0.15 < steep < 1.2 and (best is None or uneven / steep < best[0]):
                best = (uneven / steep, column, row, mean)
    assert best and best[0] < 0.8, best
    return best[1:]


def check_ball(hfield, geom):
    column, row, slope = steady_slope()
    x, y = place_of(column, row)
    model = model_of(hfield, geom, (x, y, raw[row, column] + RADIUS * numpy.sqrt(1 + slope @ slope) + 0.02))
    data = mujoco.MjData(model)
    touched, deepest = 0, 0.0
    while data.time < 3.0:
        mujoco.mj_step(model, data)
        if data.time > 0.5 and data.ncon:  # after the ball has landed
            touched += 1
            deepest = max(deepest, -data.contact.dist.min())
    moved = data.qpos[:2] - [x, y]
    downhill = -slope / numpy.hypot(*slope)
    way, across = moved @ downhill, abs(moved[0] * downhill[1] - moved[1] * downhill[0])
    assert way > 1.0 and across < 0.5 * way, (way, across)
    assert touched > 100 and deepest < MILLIMETRE, (touched, deepest)
    # the ball has not fallen through the ground
    mujoco.mj_forward(model, data)
    column, row = data.qpos[0] / STEP + (W - 1) / 2, (H - 1) / 2 - data.qpos[1] / STEP
    c, r = int(column), int(row)
    assert (
        raw[r : r + 2, c : c + 2].min() < data.qpos[2] - RADIUS + 0.5 * RADIUS
        and data.qpos[2] > raw[r : r + 2, c : c + 2].min()
    )
    print(f"the ball rolled {way:.2f} m down and {across:.2f} m aside, at most {deepest * 1000:.3f} mm deep")


def check_tiles():
    """Two tiles beside each other are one surface."""
    pairs = [lines_of(f"t_x{x}_y0") for x in range(2)]
    model = model_of("".join(p[0] for p in pairs), "".join(p[1] for p in pairs))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    whole = numpy.fromfile("two.r32", "<f4").reshape(65, 129).astype("f8")
    for column, row in ((5, 9), (63, 30), (66, 31), (120, 60)):
        x, y = (column - 64) * STEP, (32 - row) * STEP
        assert abs(ray(model, data, x, y) - whole[row, column]) < MILLIMETRE, (column, row)


hfield, geom = lines_of("land")
model = model_of(hfield, geom)
check_heights(model)
check_rays(model)
check_ball(hfield, geom)
check_tiles()
print("all as expected")
