/* detail.h - what the pixels of a fine guide add to the land that the network makes. */
#ifndef TERRANE_GUIDE_DETAIL_H
#define TERRANE_GUIDE_DETAIL_H

#include "library/guide/making.h"

/** Make the detail of a guide whose pixels are finer than the network. The tables have all nodes.
 *
 *  points   receives where the points lie; `first` is not set
 *  values   receives a float a point; free it. NULL: the guide has no detail
 *  Errors   TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_make_detail(guide_making *m, ter_guide_points *points, float **values);

#endif
