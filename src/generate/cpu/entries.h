/* entries.h - entries of the CPU backend's table that have a file of their own; `state` is a ter_cpu_state. */
#ifndef TER_GENERATE_CPU_ENTRIES_H
#define TER_GENERATE_CPU_ENTRIES_H

#include "generate/backend.h"

/* statistics.c */
ter_status ter_cpu_statistics(void *state, const ter_world *world, const ter_rect *rect, const ter_histogram *histogram,
                              ter_statistics *out);

/* blend.c */
ter_status ter_cpu_blend(void *state, const ter_blend_work *work, void *stream);

/* probe.c */
ter_status ter_cpu_probe_create(void *state, void **probe);
ter_status ter_cpu_probe_ask(void *probe, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                             const ter_probe_point *points, int count, uint64_t ticket);
ter_status ter_cpu_probe_answer(void *probe, uint64_t *ticket, int *count, float *out_m);
void ter_cpu_probe_over_water(void *probe);
void ter_cpu_probe_destroy(void *probe);

#endif
