"""Ground for robots: easy and hard terrains by index, and a curriculum. If MuJoCo is installed, a ball rolls over the
hardest terrain."""

import numpy as np

from terrane import robots

for difficulty in (0.1, 0.5, 0.9):
    ground = robots.terrain(3, size=(8, 8), resolution=0.0625, difficulty=difficulty)
    slope = np.degrees(np.arctan(ground.gradient))
    print(f"difficulty {ground.difficulty:.2f}: slope {slope:.0f} degrees, steps of {100 * ground.step:.0f} cm,")
    print(f"   {len(ground.spawns)} places to stand")

grid = robots.curriculum(levels=3, kinds=2, resolution=0.125)
print("a curriculum of %d x %d samples" % grid.heights.shape)

try:
    import mujoco

    from terrane.robots.mujoco import add_terrain
except ImportError:
    print("no ball rolls: MuJoCo is missing")
else:
    ball = "<body name='ball'><freejoint/><geom type='sphere' size='.15'/></body>"
    spec = mujoco.MjSpec.from_string(f"<mujoco><worldbody>{ball}</worldbody></mujoco>")
    add_terrain(spec, ground)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:3] = [0, 0, ground.height_at([0, 0]) + 0.5]
    for _ in range(500):
        mujoco.mj_step(model, data)
    print("after 1 s a ball has rolled %.1f m" % np.hypot(*data.qpos[:2]))
