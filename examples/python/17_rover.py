"""Does Terrane's land help robots to learn? A rover with four wheels learns to drive to a goal, over ground of Terrane
or over noise, and is judged on ground that it has not seen.

    python 17_rover.py ground FOLDER                  writes terrane, terrane-test, noise and slopes .npz
    python 17_rover.py real FOLDER PIECE.npy...       writes real.npz from elevation models 1 m apart
    python 17_rover.py train FOLDER --on terrane noise slopes --test real terrane-test [--policies 3]

The part `train` trains some policies on each ground, all side by side, and prints the shares of the goals that they
reach.

noise   random heights between two levels, as the terrain random_uniform of Isaac Lab
slopes  the same noise on pyramids with slopes of up to 0.4, as Isaac Lab's pyramid_slope

A ground is a set of squares of 32 m with samples 0.25 m apart. Its file has `heights`, in millimetres, int16, of shape
(squares, rows, columns) with the first row in the south, and `gradient`, the mean steepness of each square. The rover
is a rigid body on springs, 0.8 m long, and steers like a tank. PPO trains the policies. `train` needs PyTorch."""

import argparse
import json
import math

import numpy as np

SIDE_M, STEP_M = 32.0, 0.25
SAMPLES = round(SIDE_M / STEP_M) + 1

# ---- grounds ----


def steepness(heights):
    """Mean steepness of squares, metres per metre."""
    h = heights.astype(np.float64) / 1000
    north, east = np.diff(h, axis=1)[:, :, :-1], np.diff(h, axis=2)[:, :-1]
    return np.hypot(north, east).mean((1, 2)) / STEP_M


def write_ground(path, squares):
    """Write squares of heights in metres."""
    level = [h - h[SAMPLES // 2, SAMPLES // 2] for h in squares]
    heights = np.clip(np.rint(np.stack(level) * 1000), -32767, 32767).astype(np.int16)
    np.savez_compressed(path, heights=heights, gradient=steepness(heights))
    print(f"{path}: {len(heights)} squares, steepness {steepness(heights).mean():.2f} on average")


def noise(share, random):
    """Even noise: heights in steps of 1 cm, from 0 to 0.3 m times `share`, on a grid of 0.25 to 1 m."""
    coarse = int(random.integers(1, 5))
    cells = -(-(SAMPLES - 1) // coarse) + 1
    drawn = np.rint(random.uniform(0, 30 * share, (cells, cells))) / 100
    at = np.arange(SAMPLES) / coarse
    rows = np.stack([np.interp(at, np.arange(cells), row) for row in drawn])
    return np.stack([np.interp(at, np.arange(cells), column) for column in rows.T], axis=1)


def pyramid(share, random):
    """A pyramid or a hollow 16 m wide in each quarter of the square. share: of the greatest slope, 0.4"""
    x = np.abs((np.arange(SAMPLES) * STEP_M) % 16 - 8)
    far = np.maximum(x[None, :], x[:, None])
    return random.choice([-1, 1]) * 0.4 * share * (8 - far)


def write_grounds(folder, count, seed):
    from terrane import robots

    random = np.random.default_rng(seed)
    shares = np.linspace(0, 0.95, count)
    write_ground(f"{folder}/noise.npz", [noise(share, random) for share in shares])
    write_ground(f"{folder}/slopes.npz", [noise(s, random) + pyramid(s, random) for s in shares])
    for name, first, some in (("terrane", 0, shares), ("terrane-test", 1000, shares[1::3])):
        made = (
            robots.terrain(first + n, (SIDE_M, SIDE_M), STEP_M, share, seed=seed).heights[::-1]
            for n, share in enumerate(some)
        )
        write_ground(f"{folder}/{name}.npz", made)


def rough(square, random):
    """A square with samples 1 m apart, made finer by midpoints with random offsets of 3 cm at 0.5 m and 2 cm at
    0.25 m."""
    for offset in (0.03, 0.02):
        side = 2 * len(square) - 1
        fine = np.zeros((side, side))
        fine[::2, ::2] = square
        fine[1::2, ::2] = (square[1:] + square[:-1]) / 2
        fine[:, 1::2] = (fine[:, :-1:2] + fine[:, 2::2]) / 2
        moved = random.normal(scale=offset, size=fine.shape)
        moved[::2, ::2] = 0
        square = fine + moved
    return square


def squares_of(path, count, random):
    """Squares at random places of an elevation model. Places with gaps are left out."""
    piece, cells, made = np.load(path), round(SIDE_M) + 1, []
    if min(piece.shape) < cells:
        raise SystemExit(f"{path}: {piece.shape[0]} x {piece.shape[1]} samples, expected at least {cells} x {cells}")
    for _ in range(1000 * count):
        j, i = (int(random.integers(n - cells + 1)) for n in piece.shape)
        square = piece[j : j + cells, i : i + cells].astype(np.float64)
        if np.isfinite(square).all():
            made.append(rough(square, random)[::-1])
        if len(made) == count:
            return made
    raise SystemExit(f"{path}: nearly all places have gaps: {len(made)} squares found, expected {count}")


def write_real(folder, paths, count, seed):
    """Squares of elevation models whose samples are 1 m apart."""
    random = np.random.default_rng(seed)
    made = [square for path in paths for square in squares_of(path, count, random)]
    write_ground(f"{folder}/real.npz", made)


# ---- the rover ----

WHEELS = [(x, y, -0.3) for x in (0.3, -0.3) for y in (0.25, -0.25)]  # centres: x forwards, y to the left
CORNERS = [(x, y, z) for x in (0.4, -0.4) for y in (0.2, -0.2) for z in (-0.2, 0.2)]
RADIUS_M, MASS_KG, INERTIA = 0.15, 30.0, (1.2, 2.0, 2.2)
FRICTION, MOTOR_N, SPRING, DAMPER, GRIP = 0.7, 60.0, 4000.0, 250.0, 180.0
SPEED, TURN = 2.5, 1.5  # of the wheels, m/s: forwards, and against each other
SUBSTEP_S, SUBSTEPS = 0.005, 10
GOAL_M, REACHED_M, STEPS = 9.0, 0.8, 240
SCAN = [(0.4 * i, 0.4 * j) for i in range(-2, 7) for j in range(-3, 4)]  # heights that the rover sees


def rotations(torch, q):
    """Rotation matrices of unit quaternions."""
    w, x, y, z = q.unbind(1)
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return torch.stack(rows, 1).view(-1, 3, 3)


class Ground:
    """Squares of ground of some files on a device."""

    def __init__(self, torch, paths, device):
        files = [np.load(path) for path in paths]
        self.gradient = np.concatenate([file["gradient"] for file in files])
        heights = np.concatenate([file["heights"] for file in files]).astype(np.float32) / 1000
        self.counts = [len(file["gradient"]) for file in files]
        self.torch, self.flat = torch, torch.tensor(heights, device=device).reshape(-1)

    def at(self, square, x, y):
        """Heights of points, and their slopes to the east and north. square: shape (n,); x, y: shape (n, k)"""
        u, v = (((c / STEP_M) + SAMPLES // 2).clamp(0, SAMPLES - 1.001) for c in (x, y))
        i, j = u.long(), v.long()
        a, b = u - i, v - j
        first = (square[:, None] * SAMPLES + j) * SAMPLES + i
        h00, h10, h01, h11 = (self.flat[first + n] for n in (0, 1, SAMPLES, SAMPLES + 1))
        south, north = h00 + (h10 - h00) * a, h01 + (h11 - h01) * a
        east = ((h10 - h00) * (1 - b) + (h11 - h01) * b) / STEP_M
        return south + (north - south) * b, east, (north - south) / STEP_M


class Rovers:
    """Rovers side by side, each with a square and a goal. Positions are metres from the middle of the square.

    file  number of the ground's file whose squares a rover drives on, shape (rovers,)"""

    def __init__(self, torch, ground, file, device, seed):
        self.torch, self.ground, self.count, self.device = torch, ground, len(file), device
        self.random = torch.Generator(device).manual_seed(seed)
        counts = torch.tensor(ground.counts, device=device)
        self.first, self.choice = (counts.cumsum(0) - counts)[file], counts[file]
        self.points = torch.tensor(WHEELS + CORNERS, device=device)
        self.is_wheel = torch.tensor([1.0] * 4 + [0.0] * 8, device=device)
        self.left = torch.tensor([1.0, -1.0, 1.0, -1.0] + [0.0] * 8, device=device)
        self.inertia = torch.tensor(INERTIA, device=device)
        self.scan = torch.tensor(SCAN, device=device)
        zeros = lambda n: torch.zeros(self.count, n, device=device)  # noqa: E731
        self.p, self.q, self.v, self.w, self.goal, self.action = (zeros(n) for n in (3, 4, 3, 3, 2, 2))
        self.square = torch.zeros(self.count, dtype=torch.long, device=device)
        self.age = torch.zeros(self.count, device=device)
        self.far = torch.zeros(self.count, device=device)
        self.graph = None
        self.reset(torch.ones(self.count, dtype=torch.bool, device=device))

    def uniform(self, *shape):
        return self.torch.rand(*shape, generator=self.random, device=self.device)

    def even_place(self, square, x, y):
        """For each rover, the place with the most even ground. x, y: shape (rovers, places)"""
        _, east, north = self.ground.at(square, x, y)
        best = (east * east + north * north).argmin(1, keepdim=True)
        return x.gather(1, best)[:, 0], y.gather(1, best)[:, 0]

    def reset(self, which, square=None):
        """Put some rovers at random places of the ground, with goals about 9 m away."""
        torch, n = self.torch, self.count
        drawn = self.first + (self.uniform(n) * self.choice).long() if square is None else square
        x, y = self.even_place(drawn, *((self.uniform(n, 6) - 0.5) * 14 for _ in range(2)))
        angle = self.uniform(n, 6) * (2 * math.pi)
        goal = self.even_place(drawn, x[:, None] + GOAL_M * angle.cos(), y[:, None] + GOAL_M * angle.sin())
        yaw = self.uniform(n) * math.pi
        around = self.scan[None, :, 0] * 0.3 + x[:, None], self.scan[None, :, 1] * 0.3 + y[:, None]
        z = self.ground.at(drawn, *around)[0].amax(1) + 0.45
        zero = torch.zeros_like(x)
        new = {
            "p": torch.stack([x, y, z], 1), "q": torch.stack([yaw.cos(), zero, zero, yaw.sin()], 1),
            "v": torch.zeros_like(self.v), "w": torch.zeros_like(self.w), "goal": torch.stack(goal, 1),
            "action": torch.zeros_like(self.action), "square": drawn, "age": zero,
        }  # fmt: skip
        new["far"] = (new["goal"] - new["p"][:, :2]).norm(dim=1)
        for name, values in new.items():
            own = getattr(self, name)
            own.copy_(torch.where(which.view(-1, *[1] * (own.dim() - 1)), values, own))

    def substep(self):
        torch = self.torch
        r = rotations(torch, self.q)
        arms = self.points @ r.transpose(1, 2)
        at = arms + self.p[:, None]
        h, east, north = self.ground.at(self.square, at[..., 0], at[..., 1])
        up = torch.stack([-east, -north, torch.ones_like(east)], 2)
        up = up / up.norm(dim=2, keepdim=True)
        arms = arms - (self.is_wheel * RADIUS_M)[:, None] * up
        depth = self.is_wheel * RADIUS_M - (at[..., 2] - h) * up[..., 2]
        speed = self.v[:, None] + torch.linalg.cross(self.w[:, None].expand_as(arms), arms)
        normal = (SPRING * depth - DAMPER * (speed * up).sum(2)).clamp(0, 1500) * (depth > 0)
        ahead = r[:, None, :, 0] - up * (r[:, None, :, 0] * up).sum(2, keepdim=True)
        ahead = ahead / ahead.norm(dim=2, keepdim=True).clamp_min(0.1)
        aside = torch.linalg.cross(up, ahead)
        wheel = self.action[:, :1] * SPEED - self.left * self.action[:, 1:] * TURN
        along = (GRIP * (self.is_wheel * wheel - (speed * ahead).sum(2))).clamp(-MOTOR_N, MOTOR_N)
        across = -GRIP * (speed * aside).sum(2)
        limit = FRICTION * normal / (along.square() + across.square()).sqrt().clamp_min(1e-3)
        force = normal[..., None] * up + limit.clamp_max(1)[..., None] * (
            along[..., None] * ahead + across[..., None] * aside
        )
        torque = torch.linalg.cross(arms, force).sum(1)
        push = force.sum(1) / MASS_KG
        push[:, 2] -= 9.81
        spin = ((torque[:, None] @ r)[:, 0] / self.inertia)[:, None] @ r.transpose(1, 2)
        self.v.copy_((self.v + push * SUBSTEP_S).clamp(-6, 6))
        self.w.copy_(((self.w + spin[:, 0] * SUBSTEP_S) * 0.998).clamp(-8, 8))
        self.p.add_(self.v * SUBSTEP_S)
        w, x = self.q[:, :1], self.q[:, 1:]
        turned = torch.cat([-(self.w * x).sum(1, keepdim=True), w * self.w + torch.linalg.cross(self.w, x)], 1)
        q = self.q + turned * (SUBSTEP_S / 2)
        self.q.copy_(q / q.norm(dim=1, keepdim=True))

    def move(self):
        """Drive for SUBSTEPS. On a GPU the substeps are a CUDA graph, which is recorded once."""
        if self.device.type != "cuda":
            for _ in range(SUBSTEPS):
                self.substep()
            return
        if self.graph is None:
            self.record()
        self.graph.replay()

    def record(self):
        torch = self.torch
        kept = [t.clone() for t in (self.p, self.q, self.v, self.w)]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.substep()
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(SUBSTEPS):
                self.substep()
        for own, was in zip((self.p, self.q, self.v, self.w), kept):
            own.copy_(was)

    def observe(self):
        """What the policy sees: the ground around, the goal, the attitude and speeds in the rover's frame."""
        torch = self.torch
        r = rotations(torch, self.q)
        yaw = torch.atan2(r[:, 1, 0], r[:, 0, 0])
        c, s = yaw.cos()[:, None], yaw.sin()[:, None]
        fx, fy = self.scan[:, 0], self.scan[:, 1]
        h, _, _ = self.ground.at(self.square, self.p[:, :1] + c * fx - s * fy, self.p[:, 1:2] + s * fx + c * fy)
        to = self.goal - self.p[:, :2]
        far = to.norm(dim=1, keepdim=True).clamp_min(0.1)
        goal = torch.cat([c * to[:, :1] + s * to[:, 1:], c * to[:, 1:] - s * to[:, :1]], 1) / far
        own = [(v[:, None] @ r)[:, 0] for v in (self.v, self.w)]
        scan = (h - self.p[:, 2:]).clamp(-2, 2) + 0.43
        return torch.cat([2 * scan, goal, far / GOAL_M, r[:, 2], own[0], own[1] / 2, self.action], 1)

    def step(self, action):
        """Drive by actions from -1 to 1. Returns rewards and which episodes end at the goal, by a fall or otherwise."""
        action = action.clamp(-1, 1)
        effort = (action - self.action).square().sum(1)
        self.action.copy_(action)
        self.move()
        self.age += 1
        far = (self.goal - self.p[:, :2]).norm(dim=1)
        up = 1 - 2 * (self.q[:, 1].square() + self.q[:, 2].square())
        reached, fallen = far < REACHED_M, up < 0.5
        late = (self.age >= STEPS) | (self.p[:, :2].abs().amax(1) > SIDE_M / 2 - 0.5)
        reward = (self.far - far) - 0.01 - 0.01 * effort + 5.0 * reached - 5.0 * fallen
        self.far.copy_(far)
        return reward, reached, fallen & ~reached, late & ~reached & ~fallen


# ---- the policies ----


def make_policies(torch, count, inputs):
    """Some policies side by side, each with two nets of three layers: the mean of the action, and the value of a
    state."""
    nn = torch.nn

    class Policies(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ParameterDict()
            for name, outputs, scale in (("actor", 2, 0.1), ("critic", 1, 1.0)):
                for n, (a, b) in enumerate(((inputs, 128), (128, 128), (128, outputs))):
                    most = (scale if n == 2 else 1.0) / math.sqrt(a)
                    self.layers[f"{name}{n}"] = nn.Parameter((2 * torch.rand(count, a, b) - 1) * most)
                    self.layers[f"{name}{n}b"] = nn.Parameter(torch.zeros(count, 1, b))
            self.spread = nn.Parameter(torch.full((count, 1, 2), -0.5))

        def forward(self, name, x):
            for n in range(3):
                x = torch.baddbmm(self.layers[f"{name}{n}b"], x, self.layers[f"{name}{n}"])
                x = nn.functional.elu(x) if n < 2 else x
            return x

        def chance(self, seen):
            return torch.distributions.Normal(self("actor", seen), self.spread.exp(), validate_args=False)

    return Policies()


def rollout(torch, rovers, policies, count, length):
    """Some steps of all rovers: what PPO learns from, and how many episodes of each policy ended at the goal, by a
    fall, and otherwise. Arrays have the shape (policies, rovers, ...)."""
    kept, ends = [], torch.zeros(3, count, device=rovers.device)
    for _ in range(length):
        seen = rovers.observe().view(count, rovers.count // count, -1)
        value, chance = policies("critic", seen)[..., 0], policies.chance(seen)
        action = chance.sample()
        reward, *over = (x.view(value.shape) for x in rovers.step(action.flatten(0, 1)))
        ends += torch.stack([end.sum(1) for end in over])
        reward = reward + 0.99 * value * over[2]  # an episode that runs out of time could have gone on
        done = over[0] | over[1] | over[2]
        kept.append((seen, action, chance.log_prob(action).sum(2), value, reward, done.float()))
        rovers.reset(done.flatten())
    return [torch.stack(parts) for parts in zip(*kept)], ends


def advantages(torch, value, last, reward, done):
    """Generalised advantage estimates (Schulman 2016) with discount 0.99 and lambda 0.95."""
    made, gain = torch.zeros_like(value), torch.zeros_like(last)
    for t in range(len(value) - 1, -1, -1):
        following = last if t == len(value) - 1 else value[t + 1]
        delta = reward[t] + 0.99 * following * (1 - done[t]) - value[t]
        gain = delta + 0.99 * 0.95 * (1 - done[t]) * gain
        made[t] = gain
    return made


def improve(torch, policies, steps, seen, action, before, value, gain, parts):
    """One update of PPO (Schulman 2017), four passes in parts. Arrays have the shape (steps, policies, rovers, ...)."""
    flat = [t.transpose(0, 1).flatten(1, 2) for t in (seen, action, before, gain, gain + value)]
    for _ in range(4):
        for part in torch.randperm(flat[2].shape[1], device=seen.device).chunk(parts):
            s, a, old, g, target = (t[:, part] for t in flat)
            chance = policies.chance(s)
            ratio = (chance.log_prob(a).sum(2) - old).exp()
            g = (g - g.mean(1, keepdim=True)) / (g.std(1, keepdim=True) + 1e-6)
            actor = -torch.minimum(ratio * g, ratio.clamp(0.8, 1.2) * g).mean(1)
            critic = (policies("critic", s)[..., 0] - target).square().mean(1)
            loss = actor + 0.5 * critic - 0.003 * policies.spread.sum((1, 2))
            steps.zero_grad()
            loss.sum().backward()
            own = [p.grad for p in policies.parameters()]
            size = sum(g.square().sum((1, 2), keepdim=True) for g in own).sqrt()  # of each policy's gradient
            for g in own:
                g.mul_((1 / size.clamp_min(1)))
            steps.step()


def train(torch, ground, options, device):
    """Policies: `options.policies` for each file of the ground."""
    torch.manual_seed(options.seed)
    count = len(ground.counts) * options.policies
    file = torch.arange(count, device=device).repeat_interleave(options.rovers) // options.policies
    rovers = Rovers(torch, ground, file, device, options.seed)
    policies = make_policies(torch, count, rovers.observe().shape[1]).to(device)
    steps = torch.optim.Adam(policies.parameters(), 5e-4)
    for n in range(options.iterations):
        for group in steps.param_groups:
            group["lr"] = 5e-4 * (1 - 0.9 * n / options.iterations)
        with torch.no_grad():
            (seen, action, before, value, reward, done), ends = rollout(torch, rovers, policies, count, 32)
            last = policies("critic", rovers.observe().view(seen.shape[1:]))[..., 0]
            gain = advantages(torch, value, last, reward, done)
        improve(torch, policies, steps, seen, action, before, value, gain, 8)
        if n % 20 == 0 or n == options.iterations - 1:
            share = (ends[0] / ends.sum(0).clamp_min(1)).tolist()
            print(f"iteration {n}: share of episodes that end at the goal:", *("%.2f" % s for s in share), flush=True)
    return policies, count


def judge(torch, ground, policies, count, device, times=16):
    """Shares of episodes that end at the goal and by a fall, by policy and square. Each policy drives `times` times on
    each square, from the same places to the same goals."""
    squares = len(ground.gradient)
    square = torch.arange(squares, device=device).repeat(count * times)
    rovers = Rovers(torch, ground, torch.zeros_like(square), device, 12345)
    rovers.reset(torch.ones_like(square, dtype=torch.bool), square)
    for part in (rovers.p, rovers.q, rovers.goal, rovers.far):  # all policies begin at the same places
        each = part.view(count, times * squares, -1)
        each.copy_(each[:1].clone().expand_as(each))
    going, ended = torch.ones(len(square), device=device), torch.zeros(2, len(square), device=device)
    with torch.no_grad():
        for _ in range(STEPS):
            action = policies("actor", rovers.observe().view(count, times * squares, -1))
            _, *over = rovers.step(action.flatten(0, 1))
            for end, now in zip(ended, over):
                end += going * now
            going *= 1 - (over[0] | over[1] | over[2]).float()
    return ended.view(2, count, times, squares).mean(2).cpu().numpy()


def learn(options):
    import torch

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    paths = [f"{options.folder}/{name}.npz" for name in options.on]
    policies, count = train(torch, Ground(torch, paths, device), options, device)
    report = {"on": options.on, "policies": options.policies, "seed": options.seed, "tests": {}}
    for test in options.test:
        ground = Ground(torch, [f"{options.folder}/{test}.npz"], device)
        reached, fallen = judge(torch, ground, policies, count, device)
        report["tests"][test] = {"reached": reached, "fallen": fallen, "gradient": ground.gradient}
        for n in range(count):
            words = (options.on[n // options.policies], test, reached[n].mean(), fallen[n].mean())
            print("trained on %s, on %s: %.3f of the goals reached, %.3f fell" % words, flush=True)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            json.dump(report, file, default=lambda a: np.round(a, 4).tolist())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parts = parser.add_subparsers(dest="part", required=True)
    making = parts.add_parser("ground")
    making.add_argument("folder")
    making.add_argument("--squares", type=int, default=72)
    making.add_argument("--seed", type=int, default=1)
    real = parts.add_parser("real")
    real.add_argument("folder")
    real.add_argument("pieces", nargs="+")
    real.add_argument("--squares", type=int, default=40, help="of each piece")
    real.add_argument("--seed", type=int, default=1)
    learning = parts.add_parser("train")
    learning.add_argument("folder")
    learning.add_argument("--on", nargs="+", default=["terrane", "noise", "slopes"], help="grounds to learn on")
    learning.add_argument("--test", nargs="+", default=["real", "terrane-test"], help="grounds to be judged on")
    learning.add_argument("--policies", type=int, default=3, help="trained on each ground")
    learning.add_argument("--seed", type=int, default=0)
    learning.add_argument("--rovers", type=int, default=2048, help="of each policy")
    learning.add_argument("--iterations", type=int, default=90)
    learning.add_argument("--report", help="a file for the shares by square, JSON")
    options = parser.parse_args()
    if options.part == "ground":
        write_grounds(options.folder, options.squares, options.seed)
    elif options.part == "real":
        write_real(options.folder, options.pieces, options.squares, options.seed)
    else:
        learn(options)


if __name__ == "__main__":
    main()
