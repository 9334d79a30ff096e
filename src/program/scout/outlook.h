/* outlook.h - scores a view by what its picture shows. */
#ifndef TERRANE_PROGRAM_SCOUT_OUTLOOK_H
#define TERRANE_PROGRAM_SCOUT_OUTLOOK_H

#include "program/scout/panorama.h"

enum { OUTLOOK_HEADINGS = 16 };

/** Measure a view of a panorama. Sets heading, pitch, shares, counts and score of `place`.
 *
 *  heading  0..OUTLOOK_HEADINGS - 1, clockwise from north
 *  sun      direction: east, up, south
 */
void outlook_measure(const panorama *panorama, int heading, const float sun[3], scout_place *place);

#endif
