/* targets.c - the list of the benchmark's targets, see target.h. */
#include "program/bench/targets.h"

const bench_target *bench_target_find(ter_backend backend, int n_devices)
{
    (void)n_devices;
#ifdef TER_HAVE_CUDA
    if (backend == TER_BACKEND_CUDA)
        return n_devices > 1 ? &bench_target_devices : &bench_target_cuda;
#endif
    return backend == TER_BACKEND_CPU ? &bench_target_cpu : NULL;
}
