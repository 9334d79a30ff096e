"""A ball, a wheel and a robot with four legs in MuJoCo, on a meadow, on scree and on a river bank. The legs trot with a
fixed rhythm, whatever the ground is.

    python 18_legs.py [FOLDER]    with a folder it also draws a picture of each ground (needs EGL or OSMesa)

It needs MuJoCo; pictures also need Pillow."""

import sys

import mujoco
import numpy as np

import terrane
from terrane import robots
from terrane.robots.mujoco import add_terrain

UPPER_M, LOWER_M, STAND_M = 0.2, 0.2, 0.28
STEP_M, LIFT_M, PERIOD_S, SECONDS = 0.1, 0.08, 0.45, 4.0
LEGS = {f"{a}_{b}": (x, y) for a, x in (("front", 0.2), ("back", -0.2)) for b, y in (("left", 0.18), ("right", -0.18))}
LEG = """<body name="{name}" pos="{x} {y} 0">
  <joint name="{name}_hip" type="hinge" axis="0 1 0" damping="0.5" armature="0.01"/>
  <geom type="capsule" fromto="0 0 0 0 0 -{upper}" size="0.022" mass="0.6" rgba="0.2 0.25 0.3 1"/>
  <body pos="0 0 -{upper}">
    <joint name="{name}_knee" type="hinge" axis="0 1 0" damping="0.5" armature="0.01"/>
    <geom type="capsule" fromto="0 0 0 0 0 -{lower}" size="0.018" mass="0.3" rgba="0.2 0.25 0.3 1"/>
    <geom type="sphere" pos="0 0 -{lower}" size="0.028" mass="0.05" friction="0.9" rgba="0.8 0.3 0.1 1"/>
  </body>
</body>"""
WORLD = """<mujoco>
<option timestep="0.002" integrator="implicitfast"/>
<visual><global offwidth="960" offheight="640"/><headlight ambient="0.35 0.35 0.35"/></visual>
<worldbody>
  <light pos="-6 4 12" dir="0.45 -0.3 -1" directional="true" castshadow="true"/>
  <body name="torso"><freejoint/>
    <geom type="box" size="0.22 0.1 0.05" mass="6" rgba="0.9 0.7 0.2 1"/>{legs}
  </body>
  <body name="ball"><freejoint/>
    <geom type="sphere" size="0.15" mass="2" condim="6" friction="0.8 0.005 0.005"/></body>
  <body name="wheel"><freejoint/>
    <geom type="cylinder" size="0.2 0.05" mass="2" condim="6" friction="0.8 0.005 0.005"/></body>
</worldbody>
<actuator>{motors}</actuator>
</mujoco>"""


def grounds():
    """A meadow, scree and a river bank: name and terrain."""
    land = terrane.World(continents=0)
    yield "meadow", robots.terrain(MEADOW, difficulty=0.3)
    yield "scree", robots.terrain(SCREE, difficulty=0.8)
    yield "river bank", robots.terrain_at(-1104274, 1954529, world=land)


COLORS = ([0.42, 0.47, 0.3, 1], [0.5, 0.48, 0.46, 1], [0.55, 0.5, 0.42, 1], [0.9, 0.9, 0.95, 1], [0.4, 0.38, 0.33, 1])
MEADOW, SCREE = 1, 5  # indices of terrains whose most frequent material is plants, and loose ground


def model_of(ground):
    """A model with the robot, the ball and the wheel."""
    legs = "".join(LEG.format(name=n, x=x, y=y, upper=UPPER_M, lower=LOWER_M) for n, (x, y) in LEGS.items())
    joints = [f"{name}_{joint}" for name in LEGS for joint in ("hip", "knee")]
    motors = "".join(f'<position joint="{j}" kp="120" kv="4" forcerange="-40 40"/>' for j in joints)
    spec = mujoco.MjSpec.from_string(WORLD.format(legs=legs, motors=motors))
    geom = add_terrain(spec, ground)
    geom.rgba = COLORS[int(np.bincount(ground.material.ravel()).argmax())]
    if ground.water.any():
        level = float(np.median((ground.heights + ground.water)[ground.water > 0]))
        size = [ground.size[0] / 2, ground.size[1] / 2, 0.005]
        water = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=size, pos=[0, 0, level])
        water.contype, water.conaffinity, water.rgba = 0, 0, [0.2, 0.4, 0.6, 0.6]
    return spec.compile()


def angles(x, z):
    """Angles of hip and knee that put the foot at x ahead of the hip and z below it; the knee bends backwards."""
    far = min(np.hypot(x, z), UPPER_M + LOWER_M - 1e-3)
    inner = np.arccos((UPPER_M**2 + LOWER_M**2 - far**2) / (2 * UPPER_M * LOWER_M))
    at_hip = np.arccos((UPPER_M**2 + far**2 - LOWER_M**2) / (2 * UPPER_M * far))
    return np.arctan2(-x, z) - at_hip, np.pi - inner


def trot(time):
    """Angles of all legs at a time: two diagonal legs swing while the two others push."""
    wanted = []
    for n in range(4):
        phase = (time / PERIOD_S + (0.0 if n in (0, 3) else 0.5)) % 1
        swing = max(phase - 0.5, 0) * 2
        x = STEP_M * (0.5 - 2 * phase) if phase < 0.5 else STEP_M * (swing - 0.5)
        wanted += angles(x, STAND_M - LIFT_M * np.sin(np.pi * swing))
    return wanted


def place(model, ground):
    """The start: the robot above the best spawn, the ball and the wheel beside it."""
    data = mujoco.MjData(model)
    spot = ground.spawns[0][:2] if len(ground.spawns) else np.zeros(2)
    for k, (dx, dy, above) in enumerate(((0.0, 0.0, STAND_M + 0.03), (0.3, 1.0, 0.25), (0.3, -1.0, 0.3))):
        first = model.jnt_qposadr[np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE)[k]]
        x, y = np.clip(spot + (dx, dy), -3.2, 3.2)
        beside = np.meshgrid(x + np.array([-0.2, 0, 0.2]), y + np.array([-0.18, 0, 0.18]))
        around = ground.height_at(np.stack(beside, -1))
        data.qpos[first : first + 3] = x, y, around.max() + above
        if k == 2:  # the wheel stands upright
            data.qpos[first + 3 : first + 7] = np.sqrt(0.5), np.sqrt(0.5), 0, 0
    legs = [model.joint(f"{name}_{joint}").qposadr[0] for name in LEGS for joint in ("hip", "knee")]
    data.qpos[legs] = np.tile(angles(0, STAND_M), 4)
    return data


def walk(model, ground, seconds=SECONDS):
    """Stand for a second, then trot. Returns the state, how far the torso has moved (x, y), and how upright it is."""
    data = place(model, ground)
    begin = data.qpos[:2].copy()
    while data.time < seconds:
        data.ctrl[:] = trot(data.time - 1) if data.time > 1 else np.tile(angles(0, STAND_M), 4)
        mujoco.mj_step(model, data)
        if np.abs(data.body("torso").xpos[:2]).max() > 3.6:
            break
    return data, data.qpos[:2] - begin, data.body("torso").xmat[8]


def way(model, ground, data, body):
    """A text: how far a body has rolled."""
    begin = place(model, ground)
    mujoco.mj_forward(model, begin)
    at = data.body(body).xpos
    far = np.hypot(*(at - begin.body(body).xpos)[:2])
    return f"rolled {far:.2f} m" if at[2] > ground.height_at(at[:2]) - 0.1 else "rolled off the ground"


def draw(model, data, path):
    from PIL import Image

    camera = mujoco.MjvCamera()
    camera.lookat[:] = data.body("torso").xpos
    camera.distance, camera.azimuth, camera.elevation = 3.4, 125, -30
    with mujoco.Renderer(model, 640, 960) as renderer:
        renderer.update_scene(data, camera)
        Image.fromarray(renderer.render()).save(path, quality=88)


def main():
    for name, ground in grounds():
        model = model_of(ground)
        data, moved, upright = walk(model, ground)
        kind = robots.MATERIALS[int(np.bincount(ground.material.ravel()).argmax())].name
        print(f"{name} ({kind}, difficulty {ground.difficulty:.2f}):", end="")
        print(f" the robot trotted {np.hypot(*moved):.2f} m and {'stands' if upright > 0.5 else 'has fallen'},", end="")
        print("".join(f" the {body} {way(model, ground, data, body)}," for body in ("ball", "wheel"))[:-1])
        if len(sys.argv) > 1:
            data, *_ = walk(model, ground, 1.7)
            draw(model, data, f"{sys.argv[1]}/{name.replace(' ', '-')}.jpg")


if __name__ == "__main__":
    main()
