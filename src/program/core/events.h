/* events.h - what long work tells its user meanwhile, and how it is interrupted. */
#ifndef TERRANE_PROGRAM_CORE_EVENTS_H
#define TERRANE_PROGRAM_CORE_EVENTS_H

#include <stdbool.h>

typedef struct export_events {
    void *user;
    bool (*progress)(void *user, const char *path,
                     double share);                 /* share done, 0..1; returns false to interrupt; or NULL */
    void (*note)(void *user, const char *sentence); /* or NULL */
} export_events;

/** Tell how much is done of what `path` names. False when the user has interrupted. */
static inline bool export_goes_on(const export_events *events, const char *path, double share)
{
    return !events->progress || events->progress(events->user, path, share);
}

/** What work on one file asks now and then, from the thread that does it. */
typedef struct export_pulse {
    bool (*goes_on)(void *user, const char *step,
                    double share); /* share 0..1 of a step that the file needs; false: interrupted */
    void *user;
} export_pulse;

/** False when the user has interrupted. No pulse, or none that asks: it goes on. step: NULL for one that is not told
 * of. */
static inline bool export_pulse_goes_on(const export_pulse *pulse, const char *step, double share)
{
    return !pulse || !pulse->goes_on || pulse->goes_on(pulse->user, step, share);
}

#endif
