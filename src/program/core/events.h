/* events.h - callbacks by which long work reports its progress and learns that the user has interrupted it. */
#ifndef TERRANE_PROGRAM_CORE_EVENTS_H
#define TERRANE_PROGRAM_CORE_EVENTS_H

#include <stdbool.h>

typedef struct work_events {
    void *user;
    /** Show the share of the file `path` that is done, 0..1. Returns false to interrupt the work. May be NULL. */
    bool (*progress)(void *user, const char *path, double share);
    void (*note)(void *user, const char *sentence); /* may be NULL */
    int (*is_cancelled)(void *user); /* any thread; whether the user has interrupted the work. May be NULL */
} work_events;

/** Report which share of the file `path` is done. Returns false if the user has interrupted the work. */
static inline bool work_goes_on(const work_events *events, const char *path, double share)
{
    return !events->progress || events->progress(events->user, path, share);
}

/** Callbacks of work on one file. */
typedef struct work_progress {
    /** Show the share of the step that is done, 0..1. Returns false to interrupt the work. Called now and then, from
     * the thread that does the work. */
    bool (*goes_on)(void *user, const char *step, double share);
    void *user;
    int (*is_cancelled)(void *user); /* as in work_events */
} work_progress;

/** Call the callback of `progress`. Returns false if the user has interrupted the work; true if not, or if `progress`
 * or its callback is NULL. `step` is NULL for a step that is not shown to the user. */
static inline bool work_progress_goes_on(const work_progress *progress, const char *step, double share)
{
    return !progress || !progress->goes_on || progress->goes_on(progress->user, step, share);
}

#endif
