/* generator.cpp - shares one generator per process among all worlds with the same options. */
#include "generator.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

/* For a sample of land that drains, one core takes 5 us if samples are 512 m apart, 90 us at 2 km, and 1 ms at 4 km. At
 * larger distances it takes no longer. */
pace::pace(const ter_params &world, int level)
{
    const int octaves =
        std::ilogb(std::ldexp(world.spacing, world.levels - level) / 256.0); /* from 256 m up to the sample distance */
    const int shift = world.basis == TER_BASIS_FLUVIAL ? 3 * std::clamp(octaves, 0, 4) : 0;
    samples_ = UINT64_C(1) << (17 - shift);
    least_ = std::min<uint64_t>(samples_, 4096);
}

void pace::measure(double elapsed_s)
{
    const double wanted_s = 0.1;
    if (elapsed_s < wanted_s / 2 && samples_ < UINT64_C(1) << 34)
        samples_ *= 2;
    else if (elapsed_s > wanted_s * 2 && samples_ > least_)
        samples_ /= 2;
}

shared_generator::~shared_generator()
{
    ter_generator_destroy(generator);
}

using generator_key = std::tuple<int, int, int>; /* backend, threads, device */

/** Generators of this process that are in use. Read and changed with the GIL held. */
static std::map<generator_key, std::weak_ptr<shared_generator>> &generators_in_use()
{
    static auto *list = new std::map<generator_key, std::weak_ptr<shared_generator>>; /* never deleted */
    static int process = getpid();
    if (process != getpid()) { /* forked: the generators of the parent have lost their threads */
        list = new std::map<generator_key, std::weak_ptr<shared_generator>>;
        process = getpid();
    }
    return *list;
}

generator::generator(const nb::str &name, int threads, int device)
{
    const std::string backend = text_of(name);
    static const ter_backend backends[] = {TER_BACKEND_AUTO, TER_BACKEND_CPU, TER_BACKEND_CUDA};
    const ter_backend *found = std::find_if(std::begin(backends), std::end(backends), [&](ter_backend b) {
        return backend == (b == TER_BACKEND_AUTO ? "auto" : ter_backend_name(b));
    });
    if (found == std::end(backends))
        throw invalid("backend is '" + std::string(c_text("backend", backend)) + "', expected auto, cpu or cuda");
    options_.struct_size = sizeof options_;
    options_.backend = *found;
    options_.threads = threads;
    options_.device = device;
}

/** Leak a generator of the parent process. It cannot be destroyed, because its threads do not exist in this process. */
static void abandon(std::shared_ptr<shared_generator> &shared)
{
    new std::shared_ptr<shared_generator>(std::move(shared));
    shared.reset();
}

generator::~generator()
{
    if (shared_ && process_ != getpid())
        abandon(shared_);
}

ter_generator *generator::get()
{
    if (shared_ && process_ != getpid())
        abandon(shared_);
    if (shared_)
        return shared_->generator;
    auto &listed = generators_in_use()[{options_.backend, options_.threads, options_.device}];
    std::shared_ptr<shared_generator> shared = listed.lock();
    if (!shared) {
        shared = std::make_shared<shared_generator>();
        require(ter_generator_create(&options_, &shared->generator));
        listed = shared;
    }
    shared_ = shared;
    process_ = getpid();
    return shared_->generator;
}

bool generator::lock(shared_generator &shared)
{
    const released_gil released;
    timespec until; /* not try_lock_for(), which waits in a way that the thread sanitizer does not see */
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100'000'000;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    return pthread_mutex_timedlock(shared.mutex.native_handle(), &until) == 0;
}

const char *generator::backend()
{
    return ter_backend_name(ter_generator_backend(get()));
}

const char *generator::reason()
{
    return ter_generator_reason(get());
}

int generator::threads()
{
    return ter_generator_threads(get());
}

void bind_generator(nb::module_ &m)
{
    nb::class_<generator>(m, "Generator", "The backend that computes heights; it is created at its first use.")
        .def(nb::init<const nb::str &, int, int>(), nb::arg("backend"), nb::arg("threads"), nb::arg("device"))
        .def_prop_ro("backend", &generator::backend)
        .def_prop_ro("reason", &generator::reason)
        .def_prop_ro("threads", &generator::threads);
}
