/* outlook.h - how good a view is. */
#ifndef TERRANE_PROGRAM_SCOUT_OUTLOOK_H
#define TERRANE_PROGRAM_SCOUT_OUTLOOK_H

#include "program/scout/panorama.h"

enum { OUTLOOK_HEADINGS = 16 };

/** Measure the view in a direction, 0..OUTLOOK_HEADINGS - 1 from north over east: heading, pitch, shares, score of
 * `place`. */
void outlook_measure(const panorama *panorama, int heading, const float sun[3], scout_place *place);

#endif
