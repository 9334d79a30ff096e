/* plant_forms.h - builds the meshes of single plants from parts. A form is a way of growing that several kinds share.
 * Ages are 0..PLANT_AGES - 1. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_FORMS_H
#define TERRANE_PROGRAM_RENDER_PLANT_FORMS_H

#include "program/render/plant_parts.h"
#include "program/render/plant_table.h"

/** A stem with whorls of branches that carry needles. */
typedef struct whorls {
    int count;     /* number of whorls of a full-grown tree */
    int branches;  /* of a whorl in the lower half */
    float low;     /* height of the lowest branches of a full-grown tree */
    float droop;   /* greatest slope of branches downwards */
    float profile; /* exponent of the crown's outline: less than 1 is bulging */
    float wide;    /* half width of a branch, in its lengths */
    plant_material bark;
} whorls;

/** Crowns of leaves on limbs of a trunk, all inside one ellipsoid. */
typedef struct crowns {
    int count;   /* crowns */
    int n_cards; /* cards of every crown */
    float size;  /* size of a card */
    plant_material leaves;
    float thick;   /* radius of the trunk */
    float spread;  /* 0: the upper crowns are nearer to the axis; 1: all are as far away, like an umbrella */
    float hanging; /* see crown */
} crowns;

/** A rosette of fronds, on a trunk or without one. */
typedef struct rosette {
    int count;
    float length, wide, fold; /* of a frond */
    float bend;               /* how much the elevation of a frond decreases along it, radians */
    float up, down;           /* elevations of the uppermost and of the lowest frond, radians */
    float trunk;              /* height of the trunk */
    float thick;              /* radius of the trunk */
    plant_material leaves, bark;
} rosette;

void plant_add_whorls(plant_mesh *mesh, plant_stream *random, const whorls *form, const plant_row *row, int age);
void plant_add_crowns(plant_mesh *mesh, plant_stream *random, const crowns *form, const plant_row *row, int age);
void plant_add_rosette(plant_mesh *mesh, plant_stream *random, const rosette *form, int age);

/** Dead wood: a spire, a bare tree, a log that lies along x, a stump. Old ages are more decayed. */
void plant_add_dead_conifer(plant_mesh *mesh, plant_stream *random, int age);
void plant_add_dead_tree(plant_mesh *mesh, plant_stream *random, int age);
void plant_add_log(plant_mesh *mesh, plant_stream *random, int age);
void plant_add_stump(plant_mesh *mesh, plant_stream *random, int age);

/** A column with arms, more of them at greater ages. */
void plant_add_cactus(plant_mesh *mesh, plant_stream *random, int age);

/** Grass and the like: upright cards. lean: how far their tops are from their feet at most */
void plant_add_blades(plant_mesh *mesh, plant_stream *random, int n_cards, float lean, plant_material material);
/** Blossoms: small cards at the height of their stalks' tops. */
void plant_add_blossoms(plant_mesh *mesh, plant_stream *random, int count);

/** A stone of 4 * rows * rows triangles. */
void plant_add_stone(plant_mesh *mesh, plant_stream *random, int rows);

#endif
