/* definition.h - the definition of ter_guide, and of the tables that its worlds share. */
#ifndef TERRANE_GUIDE_DEFINITION_H
#define TERRANE_GUIDE_DEFINITION_H

#include "library/core/cancel.h"
#include "library/core/sha256.h"
#include "library/fluvial/province.h"

struct ter_guide {
    ter_guide_options options;              /* heights, rasters and rivers: the guide's own copies */
    unsigned char digest[TER_SHA256_BYTES]; /* of the heights */
    unsigned char raster_digest[TER_GUIDE_RASTER_COUNT][TER_SHA256_BYTES];
    unsigned char river_digest[TER_SHA256_BYTES]; /* all 0 without rivers */
    struct guide_shared *shared;
};

/** Tables of a guide for one set of parameters, and what is known about them. */
typedef struct guide_tables {
    struct guide_tables *next;
    ter_fluvial f; /* the parameters, without a guide */
    int n_users;
    const struct ter_guide_tables *at;
    uint64_t key;
    ter_guide_report report;
} guide_tables;

#endif
