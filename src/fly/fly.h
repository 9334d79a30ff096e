/* fly.h - a flight from beginning to end. */
#ifndef TERRANE_FLY_FLY_H
#define TERRANE_FLY_FLY_H

#include <stdbool.h>

#include "picture/look.h"
#include "program/outcome.h"
#include "terrane.h"

/** A world to become, and how. */
typedef struct fly_morph {
    ter_params params;
    look look;
    double seconds;
    bool is_wanted;
} fly_morph;

typedef struct fly_request {
    int64_t at[2];     /* lattice coordinates */
    double altitude_m; /* over the ground */
    double heading_deg, pitch_deg;
    const char *view; /* instead of the four above, or NULL */
    double speed;     /* m/s */
    double min_clearance_m;
    double planet_radius_km; /* 0 is flat */
    int width, height;
    bool is_headless;
    bool is_impatient;              /* without a window too, frames do not wait for tiles */
    int frames;                     /* 0: until the window is closed; headless: FLY_HEADLESS_FRAMES */
    int fps;                        /* headless: frames a second of flight; in a window the most there are, 0: as the display */
    const char *screenshot, *stats; /* files, or NULL */
    const char *path;               /* a path to fly, or NULL */
    const char *film, *frames_dir;  /* or NULL */
    bool may_replace;               /* films, frames, pictures and figures that exist */
    bool has_checksums;
    bool is_view_exported; /* at the end the command that exports the ground in view goes to stdout */
    fly_morph morph;
    bool is_front;      /* morphs sweep over the land */
    double journey_s;   /* a morph to the next seed this often; 0: none */
    int quality;        /* 0 low, 1 medium, 2 high, FLY_QUALITY_AUTO */
    double pixel_error; /* how large the land's samples, and errors of its mesh, may look, pixels */
    int tile_memory_mb; /* for tiles on the GPU; 0: enough for the quality */
    double time_h;      /* solar time; not a number: the sun stands at sun_deg */
    double sun_deg[2];  /* azimuth, elevation */
    look look;
    int debug;
    unsigned layers; /* 1 << render_layer */
    const char *layer_names;
    const char *shader_folder;
} fly_request;

enum {
    FLY_HEADLESS_FRAMES = 120,
    FLY_QUALITY_AUTO = -1,
    FLY_FRAME_MAX = 4096 /* pixels of a frame's side; a larger picture is drawn once, at the end, in parts that are no larger */
};

/** Fly over a world, which it takes over. `say` takes messages for the user; `is_interrupted` ends the flight with
 * OUTCOME_INTERRUPTED. Errors  OUTCOME_MISSING no OpenGL 4.5; OUTCOME_FILE; OUTCOME_FAILED */
outcome fly_run(const fly_request *request, ter_world *world, ter_generator *generator, void (*say)(const char *text),
                int (*is_interrupted)(void));

#endif
