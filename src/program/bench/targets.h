/* targets.h - finds the benchmark's target for a backend. */
#ifndef TERRANE_PROGRAM_BENCH_TARGETS_H
#define TERRANE_PROGRAM_BENCH_TARGETS_H

#include "program/bench/target.h"

/** Target of a backend for arrays on n_devices devices; NULL if this build lacks it. */
const bench_target *bench_target_find(ter_backend backend, int n_devices);

#endif
