"""test_drained.py - checks the drained layers that test_drained.sh has exported into the working directory."""

import numpy as np

STEPS = {1: (0, 1), 2: (1, 1), 4: (1, 0), 8: (1, -1), 16: (0, -1), 32: (-1, -1), 64: (-1, 0), 128: (-1, 1)}


def read(name, shape=(50, 60)):
    return np.fromfile(f"{name}.r32", "<f4").reshape(shape)


def ways(direction):
    """Flat indices (from, to): all samples with a direction, and the samples that their water goes to."""
    rows, columns = direction.shape
    y, x = np.nonzero(direction)
    dy, dx = np.array([STEPS[int(code)] for code in direction[y, x]]).T
    assert ((y + dy >= 0) & (y + dy < rows) & (x + dx >= 0) & (x + dx < columns)).all(), "a way leaves the grid"
    return y * columns + x, (y + dy) * columns + x + dx


def added_up(direction, cell_m2):
    """The areas of samples, without rivers that enter, added up along the directions; the sample after each sample; and
    the order from springs to ends."""
    begin, to = ways(direction)
    following = np.full(direction.size, -1)
    following[begin] = to
    waits = np.bincount(to, minlength=direction.size)
    area = np.full(direction.size, float(cell_m2))
    ready = list(np.nonzero(waits == 0)[0])
    order = []
    while ready:
        cell = ready.pop()
        order.append(cell)
        if following[cell] >= 0:
            area[following[cell]] += area[cell]
            waits[following[cell]] -= 1
            if waits[following[cell]] == 0:
                ready.append(following[cell])
    assert len(order) == direction.size, "water flows in a circle"
    return area.reshape(direction.shape), following, order


def check_areas_add_up(name, cell_m2, enters, shape=(50, 60)):
    direction, area = read(f"{name}_direction", shape), read(f"{name}_accumulation", shape).astype(float)
    own, following, order = added_up(direction, cell_m2)
    assert (area >= own * (1 - 1e-6)).all()
    inflow = area.ravel() - cell_m2
    for cell in order:
        if following[cell] >= 0:
            inflow[following[cell]] -= area.flat[cell]
    inside = np.zeros(shape, bool)
    inside[2:-2, 2:-2] = True
    extra = inflow.reshape(shape) > 2e-6 * area + 1
    assert not extra[inside].any(), "areas come from nowhere"
    assert extra.any() == enters
    print("check_areas_add_up", name)


def check_ends(name, shape=(50, 60)):
    """Water ends in the sea or at the edge."""
    height, direction = read(f"{name}_height", shape), read(f"{name}_direction", shape)
    ends = direction == 0
    ends[[0, -1]] = ends[:, [0, -1]] = False
    sea = 0.0 if shape == (50, 60) else -45.0
    assert (height[ends] < sea).all()


def check_conditioned():
    """Conditioned heights fall along every way, and the steepest way is the direction."""
    height, direction = read("c_height").astype(float), read("c_direction")
    begin, to = ways(direction)
    assert (height.flat[begin] > height.flat[to]).all()
    dry = np.isnan(read("p_water"))
    raised = (height - read("p_height"))[dry]
    assert (raised < -1).mean() > 0.002 and (raised > 1).mean() < 0.01, ((raised < -1).mean(), (raised > 1).mean())
    twice = np.fromfile("d.r16", "<u2").reshape(50, 60)
    assert np.array_equal(twice, direction)
    print("check_conditioned")


def check_breaching():
    """Coarse depressions are drained by lowering their outlets: hardly any dry sample is raised."""
    dry = np.isnan(read("w_water", (40, 40)))
    raised = (read("w_conditioned", (40, 40)) - read("w_height", (40, 40)))[dry]
    assert (raised < -1).mean() > 0.05 and raised.max() < 5, ((raised < -1).mean(), raised.max())
    print("check_breaching")


def check_rivers_agree():
    """Where the network has a great river, the area of conditioned heights is that of layer flow."""
    flow, area = read("p_flow").astype(float), read("c_accumulation").astype(float)
    peaks = area > 5e7
    shares = area[peaks] / flow[peaks]
    assert peaks.sum() > 20 and 0.8 < np.median(shares) < 1.25, np.median(shares)
    print("check_rivers_agree")


check_areas_add_up("p", 128.0**2, True)
check_areas_add_up("c", 128.0**2, True)
check_areas_add_up("s", 1.0, False, (30, 40))
for grid in "p", "c":
    check_ends(grid)
check_ends("s", (30, 40))
check_conditioned()
check_breaching()
check_rivers_agree()
