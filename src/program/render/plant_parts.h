/* plant_parts.h - the parts of plants' meshes: cards with leaves, limbs, and crowns. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_PARTS_H
#define TERRANE_PROGRAM_RENDER_PLANT_PARTS_H

#include <cglm/cglm.h>

#include "program/render/plant_random.h"
#include "program/render/plant_triangles.h"

/** A textured rectangle. `from` is the middle of its inner edge, `from + out` the middle of its outer edge, `across`
 * leads from its middle line to one side. */
typedef struct card {
    vec3 from, out, across, normal;
    float brightness, dim; /* brightness at the outer and at the inner edge */
    plant_material material;
} card;

/** A trunk or branch: a prism that becomes thinner and darker from its foot to its end. */
typedef struct limb {
    vec3 from, to;
    float thick, thin;     /* radius at the foot and at the end */
    float brightness, dim; /* brightness at the foot and at the end, which is darker because it is inside the crown */
    plant_material material;
    int sides; /* 3 or more; 0: 6 */
} limb;

/** An ellipsoid of leaves. */
typedef struct crown {
    float middle[3], radius[3];
    int n_cards;
    float size;    /* size of a card */
    float hanging; /* 0: cards have all directions; 1: they hang down */
    plant_material material;
} crown;

size_t plant_add_vertex(plant_mesh *mesh, const vec3 place, const vec3 normal, const float picture[2], float brightness,
                        plant_material material);
void plant_add_triangle(plant_mesh *mesh, size_t a, size_t b, size_t c);

/** Add the strip of a card between two positions across it, -1..1. */
void plant_add_strip(plant_mesh *mesh, const card *card, float low, float high);
void plant_add_card(plant_mesh *mesh, const card *card);
void plant_add_limb(plant_mesh *mesh, const limb *limb);
void plant_add_crown(plant_mesh *mesh, plant_stream *random, const crown *crown);

/** A frond or long leaf: where it begins, its direction about the vertical, and how it bends. */
typedef struct frond {
    vec3 from;
    float angle;  /* direction, radians */
    float rise;   /* elevation of its first part, radians */
    float bend;   /* how much the elevation decreases along the frond, radians */
    float length; /* in heights of the plant */
    float wide;   /* half its width */
    float fold;   /* angle of both halves below the horizontal, radians */
    plant_material material;
} frond;

void plant_add_frond(plant_mesh *mesh, const frond *frond, int n_parts);

#endif
