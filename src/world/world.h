/* world.h - what lies behind ter_world, for the layers of the library. */
#ifndef TER_WORLD_WORLD_H
#define TER_WORLD_WORLD_H

#include "terrane.h"
#include "world/fluvial/province.h"
#include "world/height.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ter_world {
    ter_params params;
    ter_field field;     /* of bases midpoint and smooth */
    ter_fluvial fluvial; /* of basis fluvial */
};

/** Record the detail sentence of a failure, printf-style, and return `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
ter_status
ter_fail(ter_status status, const char *format, ...);

/** Return TER_EINVAL from the enclosing function when a pointer is NULL; the sentence names it. */
#define TER_REQUIRE(pointer)                                                                                                       \
    do {                                                                                                                           \
        if (!(pointer))                                                                                                            \
            return ter_fail(TER_EINVAL, "%s: %s is NULL", __func__, #pointer);                                                     \
    } while (0)

/** The same for an array, which may be NULL when it has no elements. */
#define TER_REQUIRE_ARRAY(array, count)                                                                                            \
    do {                                                                                                                           \
        if ((count) > 0)                                                                                                           \
            TER_REQUIRE(array);                                                                                                    \
    } while (0)

/** Check that columns i .. i + width - 1 and rows j .. j + height - 1 of a level lie in the lattice of a world of so many levels.
 */
ter_status ter_lattice_check(int levels, const ter_rect *rect);

/** Check that columns i .. i + width - 1 and rows j .. j + height - 1 of a level lie in the world. */
ter_status ter_world_check(const ter_world *world, int level, int64_t i, int64_t j, int64_t width, int64_t height);

#ifdef __cplusplus
}
#endif

#endif
