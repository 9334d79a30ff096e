/* plant_kinds.h - the kinds of plants and stones and their materials, as C enumerations. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_KINDS_H
#define TERRANE_PROGRAM_RENDER_PLANT_KINDS_H

#include <constants.glsl>

/** Kinds of plants, PLANT_SPRUCE ... The first PLANT_TREES kinds are trees, and those before PLANT_VIEWED are trees and
 * bushes. Only these have impostors. */
#define PLANT_KIND(name, number) PLANT_##name = (number),
#define PLANT_MATERIAL(name, number)
typedef enum plant_kind {
#include <plant_kinds.glsl>
    PLANT_KINDS,
    PLANT_TREES = PLANT_SHRUB,
    PLANT_VIEWED = PLANT_BOULDER
} plant_kind;
#undef PLANT_KIND
#undef PLANT_MATERIAL

/** Material of a triangle: a picture of leaves, or bark, or what stones and cacti consist of. */
#define PLANT_KIND(name, number)
#define PLANT_MATERIAL(name, number) name = (number),
typedef enum plant_material {
#include <plant_kinds.glsl>
    PLANT_MATERIALS,
    MATERIAL_PICTURES = MATERIAL_BARK
} plant_material;
#undef PLANT_KIND
#undef PLANT_MATERIAL

/* A mesh is a kind at an age. Ages of stones, grass and the like are different shapes. */
enum { PLANT_MESHES = PLANT_KINDS * PLANT_AGES };

#endif
