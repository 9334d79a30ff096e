/* fields.h - makes the fields of the provinces in a guide, and the heights of level 0 around it. */
#ifndef TERRANE_GUIDE_FIELDS_H
#define TERRANE_GUIDE_FIELDS_H

#include "library/guide/making.h"

/** Set relief, share, height and rough of all cells. Errors TER_ENOMEM */
ter_status guide_make_fields(guide_making *m);

/** Window of the cells of level 0 whose heights the guide changes. */
ter_window guide_raise_window(const guide_making *m);

/** Set the raises of that window: metres that are added to the heights of its cells. The fields of the guide's cells
 * must have been set. Errors TER_ENOMEM */
ter_status guide_make_raise(guide_making *m);

#endif
