/* statistics.h - statistics of rectangles on the CPU; `state` is a ter_cpu_state. */
#ifndef TERRANE_GENERATOR_CPU_STATISTICS_H
#define TERRANE_GENERATOR_CPU_STATISTICS_H

#include "library/world/world.h"

ter_status ter_cpu_statistics(void *state, const ter_world *world, const ter_rect *rect, const ter_histogram *histogram,
                              ter_statistics *out);

#endif
