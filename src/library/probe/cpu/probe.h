/* probe.h - probes on the CPU, as the backend's table lists them; `state` is a ter_cpu_state. */
#ifndef TERRANE_PROBE_CPU_PROBE_H
#define TERRANE_PROBE_CPU_PROBE_H

#include <stdbool.h>

#include "library/probe/place.h"
#include "library/world/world.h"

ter_status ter_cpu_probe_create(void *state, bool is_over_water, void **probe);
ter_status ter_cpu_probe_ask(void *probe, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                             const ter_probe_point *points, int count, uint64_t ticket);
ter_status ter_cpu_probe_answer(void *probe, uint64_t *ticket, int *count, float *out_m);
void ter_cpu_probe_destroy(void *probe);

#endif
