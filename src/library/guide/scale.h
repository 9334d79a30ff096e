/* scale.h - finds the finest level of the network about whose cells a guide has information. */
#ifndef TERRANE_GUIDE_SCALE_H
#define TERRANE_GUIDE_SCALE_H

#include "library/guide/definition.h"

typedef struct guide_scale {
    int level;        /* level whose nodes the guide sets */
    bool is_painting; /* whether the guide is smooth at its own scale, as paintings are and land is not */
} guide_scale;

/** Find the scale of a guide. Land is about as steep as the law of hillsides at all scales. A painting is less steep at
 * fine scales, because a smooth surface has the same slope at all scales. The level is the finest whose cells are at
 * least 0.45 pixels wide and not more than `most`, and at whose scale the guide is not smooth; 1 if there is none.
 *
 *  spacing  lattice steps between pixels
 *  rim      lattice steps; 0: chosen by guide_rim
 *  sea      m
 *  most     greatest number of cells
 *  Errors   TER_ENOMEM
 */
ter_status guide_find_scale(const ter_guide *guide, double spacing, double rim, float sea, double most,
                            guide_scale *out);

/** Width of the rim, lattice steps. given: lattice steps; 0: chosen by the width of a cell. cell: width of a cell,
 * lattice steps */
double guide_rim(double given, double cell);

#endif
