"""remembered.py - a decorator that remembers what was computed for a point."""

import functools

import numpy as np


def remembered(method):
    """Compute the numbers of a method only once for each point. The last two arguments of the method are arrays of x
    and y."""

    @functools.wraps(method)
    def wrapper(self, *key):
        x, y = np.broadcast_arrays(*key[-2:])
        known = self.known.setdefault((method.__name__,) + key[:-2], {})
        points = list(zip(x.ravel().tolist(), y.ravel().tolist()))
        new = [p for p in dict.fromkeys(points) if p not in known]
        if new:
            found = method(self, *key[:-2], *np.array(new, np.int64).T)
            assert all(f.dtype == np.float32 for f in found), method.__name__
            known.update(zip(new, np.stack(found, 1)))
        table = np.array([known[p] for p in points], np.float32).reshape(x.shape + (-1,))
        return [table[..., k] for k in range(table.shape[-1])]

    return wrapper
