/* targets.h - owns the textures that the passes of a frame draw into: depth, plants, light, clouds, frame and picture.
 *
 * The frame is the result of the passes at 8 bits per colour. The finished picture may be larger; then the frame is
 * scaled up to it. */
#ifndef TERRANE_PROGRAM_RENDER_TARGETS_H
#define TERRANE_PROGRAM_RENDER_TARGETS_H

#include <stdbool.h>

#include "program/render/gl.h"

/** Sizes of a frame and of its picture, pixels. */
typedef struct target_size {
    int width, height;                 /* size of the frame */
    int picture_width, picture_height; /* at least as large as the frame */
} target_size;

typedef struct targets {
    target_size size;      /* all 0 before the first resize */
    int n_samples;         /* samples per pixel */
    int cloud_share;       /* pixels per side of a cloud texel */
    bool is_land_computed; /* compute shaders write the depth as float bits in integers, a layer per sample */
    GLuint depth, land;    /* texture of the terrain pass; framebuffer with this texture, 0 if is_land_computed */
    bool has_plants;       /* whether the next two textures are needed */
    GLuint plant_nearest;  /* texture, a layer per sample: float bits of the depth of the nearest plant */
    GLuint plant_shown;    /* texture, a layer per sample: appearance of this plant; pack_plant in plants.glsl */
    GLuint light, clouds;  /* textures */
    GLuint frame;          /* texture of the frame; equal to `picture` if both have the same size */
    GLuint picture;        /* texture */
    GLuint framebuffer;    /* framebuffer of the picture */
    GLuint small;          /* framebuffer of a frame that is smaller than its picture */
} targets;

/** Recreate the textures for a size; their contents are lost. Does nothing if the size has not changed.
 *  Errors  RESULT_FAILED the driver does not support the framebuffer */
result targets_resize(targets *targets, const target_size *size);

/** Whether the frame is smaller than the picture. */
bool targets_are_scaled(const targets *targets);

void targets_destroy(targets *targets);

#endif
