/* probe_thread.h - a thread that submits queries to probes while a frame is drawn. On a GPU, submitting a query takes a
 * millisecond or two; on the CPU, the call also computes the answer. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_PROBE_THREAD_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_PROBE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "program/core/result.h"
#include "terrane/terrane.h"

/** A query to a probe. next: target of a morph, mixed in by `blend`; NULL without a morph. */
typedef struct probe_query {
    ter_probe *probe;
    const ter_world *world, *next;
    ter_blend blend;
    ter_probe_point points[TER_PROBE_POINTS_MAX];
    int count;
    uint64_t ticket;
} probe_query;

typedef struct probe_thread probe_thread;

/** Start the thread. If the system has no thread, the thread that calls probe_thread_submit submits the queries. Errors
 * RESULT_FAILED no memory */
result probe_thread_create(probe_thread **out);

/** Wait for the query that is being submitted, end the thread and free it; NULL is allowed. */
void probe_thread_destroy(probe_thread *thread);

/** Submit a query. No other query may be pending. Until the thread is idle again, do not destroy the query's worlds,
 * and use neither the query's probe nor the generator of this probe. */
void probe_thread_submit(probe_thread *thread, const probe_query *query);

/** Whether no query is pending, so that probe_thread_wait returns at once. */
bool probe_thread_is_idle(probe_thread *thread);

/** Wait until no query is pending. Errors those of ter_probe_ask for the queries since the last call */
result probe_thread_wait(probe_thread *thread);

#endif
