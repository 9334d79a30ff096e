/* targets.h - what a frame is drawn into: depth by the terrain pass, light, clouds, and the finished picture.
 */
#ifndef TERRANE_RENDER_TARGETS_H
#define TERRANE_RENDER_TARGETS_H

#include <stdbool.h>

#include "render/gl.h"

typedef struct targets {
    int width, height;      /* pixels; 0 before the first resize */
    int n_samples;          /* a pixel */
    int cloud_share;        /* pixels a cloud texel's side */
    GLuint depth, land;     /* texture and framebuffer of the terrain pass */
    bool has_plants;        /* asked for: the next two */
    GLuint plants, planted; /* texture of what plants a sample shows, and framebuffer with the same depth */
    GLuint light, clouds;   /* textures */
    GLuint picture;         /* texture */
    GLuint framebuffer;     /* of the picture */
} targets;

/** Make everything width x height pixels; what was there is lost. Does nothing when the size stays.
 *  Errors  OUTCOME_FAILED no such framebuffer */
outcome targets_resize(targets *targets, int width, int height);
void targets_destroy(targets *targets);

#endif
