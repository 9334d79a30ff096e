/* generator.h - generators that worlds share, each with one call at a time, and calls that Ctrl-C ends within a second.
 */
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

/** How large a block of work is that takes about a tenth of a second, found out by measuring. */
class pace
{
  public:
    /** Of samples of a world's level: coarse ones of land that drains lie over a network each. */
    pace(const ter_params &world, int level);

    /** Samples of the next block. */
    uint64_t samples() const
    {
        return samples_;
    }
    /** Tell how long a block took. */
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

/** What heights are computed with. Generators with the same options are one; a process that was forked makes its own.
 */
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

    /** Call `work` with the generator, without the GIL and with no other call on it, and check its status. The caller
     * holds the GIL. Ctrl-C ends the wait for calls of other threads.
     *
     *  Returns  seconds that the call took
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
    int process_ = 0; /* that made it */
};

void bind_generator(nb::module_ &m);

#endif
