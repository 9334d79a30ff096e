/* targets.h - what a frame is drawn into: depth by the terrain pass, light, clouds, the frame of 8 bits a color, and
 * the finished picture, which may be larger: then the frame is scaled up to it.
 */
#ifndef TERRANE_PROGRAM_RENDER_TARGETS_H
#define TERRANE_PROGRAM_RENDER_TARGETS_H

#include <stdbool.h>

#include "program/render/gl.h"

/** Pixels of a frame, and of the picture that it becomes. */
typedef struct target_size {
    int width, height;                 /* what passes draw */
    int picture_width, picture_height; /* not smaller */
} target_size;

typedef struct targets {
    target_size size;      /* all 0 before the first resize */
    int n_samples;         /* a pixel */
    int cloud_share;       /* pixels a cloud texel's side */
    bool is_land_computed; /* depth is bits in whole numbers, a layer a sample, and has no framebuffer */
    GLuint depth, land;    /* texture and framebuffer of the terrain pass */
    bool has_plants;       /* asked for: the next two */
    GLuint plant_nearest,
        plant_shown;      /* textures, a layer a sample: bits of the depth of the nearest plant; what it shows */
    GLuint light, clouds; /* textures */
    GLuint frame;         /* texture of the frame; that of the picture where both have one size */
    GLuint picture;       /* texture */
    GLuint framebuffer;   /* of the picture */
    GLuint small;         /* framebuffer of a frame that is smaller than its picture */
} targets;

/** Make everything as large as `size` says; what was there is lost. Does nothing when the size stays.
 *  Errors  OUTCOME_FAILED no such framebuffer */
outcome targets_resize(targets *targets, const target_size *size);

/** Whether the frame is smaller than the picture. */
bool targets_are_scaled(const targets *targets);

void targets_destroy(targets *targets);

#endif
