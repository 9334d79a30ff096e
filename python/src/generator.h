/* generator.h - generators that worlds share. A generator makes one call at a time, and Ctrl-C ends a long operation
 * within a second. */
#ifndef TERRANE_PYTHON_GENERATOR_H
#define TERRANE_PYTHON_GENERATOR_H

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <mutex>

#include "errors.h"
#include "gil.h"
#include "parts.h"

namespace nb = nanobind;

/** Chooses the size of blocks so that each takes about a tenth of a second. It measures the time of every block. */
class pace
{
  public:
    /** Start with a size for samples of this level. In land that drains, coarse samples take long, because each needs
     * its own drainage network, so the first block is small. */
    pace(const ter_params &world, int level);

    /** Number of samples of the next block. */
    uint64_t samples() const
    {
        return samples_;
    }
    /** Adapt the size to the time that a block took. */
    void measure(double elapsed_s);

  private:
    uint64_t samples_, least_;
};

/** A generator of this process and its lock. */
struct shared_generator {
    ter_generator *generator = nullptr;
    std::mutex mutex;
    ~shared_generator();
};

/** A reference to a generator. All references with the same options share one generator. A forked process makes its
 * own. */
class generator
{
  public:
    /** backend  "auto", "cpu" or "cuda" */
    generator(const nb::str &backend, int threads, int device);
    ~generator();

    const char *backend();
    const char *reason();
    int threads();
    int device() const
    {
        return options_.device;
    }

    /** Call `work` with the generator, without the GIL, while no other call uses the generator. Throws if `work`
     * returns an error. The caller holds the GIL. Ctrl-C ends the wait for calls of other threads.
     *
     *  Returns  seconds that `work` took
     */
    template <typename Work> double call(const Work &work)
    {
        ter_generator *g = get();
        shared_generator &shared = *shared_;
        while (!lock(shared))
            require_no_signal();
        const released_gil released;
        const std::unique_lock<std::mutex> held(shared.mutex, std::adopt_lock);
        const double begun_s = clock_now_s();
        require(work(g));
        return clock_now_s() - begun_s;
    }

  private:
    ter_generator *get();
    static bool lock(shared_generator &shared);

    ter_generator_options options_ = {};
    std::shared_ptr<shared_generator> shared_;
    int process_ = 0; /* the process that made shared_ */
};

void bind_generator(nb::module_ &m);

#endif
