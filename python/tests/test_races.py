"""Threads that use the module at the same time, under the thread sanitizer. Each thread has its own world, and all
threads share another world. Every kind of call is made, also the first call of a world and calls that fail."""

import os
import subprocess
import sys
import textwrap

PROGRAM = """
    import threading
    import numpy as np, terrane

    calls = [
        lambda w: w.heights(0, 0, 60, 40),
        lambda w: w.layers(["height", "water", "slope", "splat"], 0, 0, 10, 8, 4),
        lambda w: w.tiles([(0, 0, 0), (64, 64, 3)], 8, 8),
        lambda w: w.at([(0, 0), (90, 5)]),
        lambda w: w.at([(0.5, 0), (90.5, 5)]),
        lambda w: w.statistics(0, 0, 100, 50),
        lambda w: w.map(0, 0, 20, 16, 3).png(),
        lambda w: refused(lambda: w.heights(2**50, 0, 2, 2)),
        lambda w: refused(lambda: w.layers(["no such layer"], 0, 0, 2, 2)),
    ]

    def refused(call):
        try:
            call()
        except terrane.InvalidArgumentError as error:
            return str(error)

    shared = terrane.World("alps", threads=2)  # the first thread that calls it creates its generator
    begin = threading.Barrier(4)
    results = [[] for _ in range(4)]

    def run(number):
        private = terrane.World("alps", threads=1 + number % 2)
        begin.wait()
        for call in calls[number:] + calls[:number]:
            results[number].append(call(shared))
            call(private)

    threads = [threading.Thread(target=run, args=[n]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    heights = [results[n][-n % len(calls)] for n in range(4)]
    assert all(np.array_equal(h, shared.heights(0, 0, 60, 40)) for h in heights)
    # a thread that still computes when the process ends
    threading.Thread(target=lambda: shared.heights(0, 0, 20000, 20000), daemon=True).start()
    begin = threading.Event()
    begin.wait(0.2)
    print("done", terrane._core.__file__)
"""


def test_no_race(sanitized):
    runtime = (sanitized / "libtsan").read_text().strip()
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime,
        "PYTHONPATH": str(sanitized),
        "OPENBLAS_NUM_THREADS": "1",
        "TSAN_OPTIONS": "exitcode=66 ignore_noninstrumented_modules=1",
    }
    words = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "ThreadSanitizer" not in done.stderr, (done.returncode, done.stderr[:5000])
    assert done.stdout.startswith(f"done {sanitized}")
