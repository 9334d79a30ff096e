/* clock.h - the clock for measuring durations. */
#ifndef TERRANE_PROGRAM_CORE_CLOCK_H
#define TERRANE_PROGRAM_CORE_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/** Seconds since a moment in the past, never going back. Any thread. */
double clock_now_s(void);

#ifdef __cplusplus
}
#endif

#endif
