/* world.h - the definition of ter_world: the parameters, and the values that each basis computes from them. */
#ifndef TERRANE_WORLD_WORLD_H
#define TERRANE_WORLD_WORLD_H

#include "library/core/status.h"
#include "library/guide/guide.h"
#include "library/fractal/height.h"
#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ter_world {
    ter_params params;
    ter_field field;           /* of bases midpoint and smooth */
    ter_fluvial fluvial;       /* of basis fluvial */
    const guide_tables *guide; /* tables of params.guide, or NULL */
};

/** Read parameters with a guide that ter_world_create would accept, without the tables of the guide.
 *
 *  used    receives the parameters
 *  f       receives the numbers that the land's functions need, without a guide
 *  Errors  TER_EINVAL a parameter outside its range, or no guide
 */
ter_status ter_params_read_guided(const ter_params *caller_params, ter_params *used, ter_fluvial *f);

/** Greatest displacements of levels 0..last of bases midpoint and smooth, metres. out_m: last + 1 numbers */
void ter_level_amplitudes(const ter_params *params, int last, double *out_m);

/** Check that a rectangle has at least one point, and lies in the lattice of a world with `levels` levels. */
ter_status ter_lattice_check(int levels, const ter_rect *rect);

/** Check that columns i to i + width - 1 and rows j to j + height - 1 of a level lie in the world. */
ter_status ter_world_check(const ter_world *world, int level, int64_t i, int64_t j, int64_t width, int64_t height);

#ifdef __cplusplus
}
#endif

#endif
