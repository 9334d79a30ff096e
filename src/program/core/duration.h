/* duration.h - durations as text. */
#ifndef TERRANE_PROGRAM_CORE_DURATION_H
#define TERRANE_PROGRAM_CORE_DURATION_H

enum { DURATION_TEXT = 32 };

/** Write a duration with a unit that suits its size: "1.5 s", "12 s", "4 min", "1.5 h", "3 days". */
void duration_describe(double seconds, char text[DURATION_TEXT]);

#endif
