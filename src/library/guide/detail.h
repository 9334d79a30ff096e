/* detail.h - makes the detail of a guide: what fine pixels add to the heights of the land that the network makes. */
#ifndef TERRANE_GUIDE_DETAIL_H
#define TERRANE_GUIDE_DETAIL_H

#include "library/guide/making.h"

/** Make the detail of a guide whose pixels are finer than the network. All nodes must be in the tables.
 *
 *  points   receives the places of the points; `first` is not set
 *  values   receives a float for each point; free it. NULL: the guide has no detail
 *  Errors   TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_make_detail(guide_making *m, ter_guide_points *points, float **values);

#endif
