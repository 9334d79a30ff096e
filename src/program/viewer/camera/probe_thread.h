/* probe_thread.h - a thread that asks about the ground while a frame is drawn: what a question needs takes a GPU's
 * driver a millisecond or two, and a CPU makes the answer itself. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_PROBE_THREAD_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_PROBE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "program/core/result.h"
#include "terrane/terrane.h"

/** What is asked of a probe; next: a world that the land becomes by `blend`, or NULL. */
typedef struct probe_query {
    ter_probe *probe;
    const ter_world *world, *next;
    ter_blend blend;
    ter_probe_point points[TER_PROBE_POINTS_MAX];
    int count;
    uint64_t ticket;
} probe_query;

typedef struct probe_thread probe_thread;

/** Where the system has no thread questions are asked at once. Errors RESULT_FAILED no memory */
result probe_thread_create(probe_thread **out);

/** Free an asker when it has settled; NULL is allowed. */
void probe_thread_destroy(probe_thread *thread);

/** Ask a question; until it has settled the asker takes no other one, and the question's worlds must live and its probe
 * and their generator be left alone. */
void probe_thread_submit(probe_thread *thread, const probe_query *question);

/** Whether the last question has been asked: probe_thread_wait does not wait. */
bool probe_thread_is_idle(probe_thread *thread);

/** Wait until the last question has been asked. Errors those of ter_probe_ask, of any question since the call before */
result probe_thread_wait(probe_thread *thread);

#endif
