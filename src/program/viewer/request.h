/* request.h - what a flight is asked for, and how it speaks to who asked. */
#ifndef TERRANE_PROGRAM_VIEWER_REQUEST_H
#define TERRANE_PROGRAM_VIEWER_REQUEST_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/surface/look.h"
#include "terrane/terrane.h"

/** A world to become, and how. */
typedef struct fly_morph {
    ter_params params;
    look look;
    double seconds;
    bool is_wanted;
} fly_morph;

/** What frames may cost, from little to much; auto is what the machine can. */
enum {
    FLY_QUALITY_AUTO = -1,
    FLY_QUALITY_LOWEST,
    FLY_QUALITY_LOW,
    FLY_QUALITY_MEDIUM,
    FLY_QUALITY_HIGH,
    FLY_QUALITIES
};

/** Names of the qualities, the first of them "auto"; after the last, NULL. */
extern const char *const fly_qualities[];

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
    bool is_impatient; /* without a window too, frames do not wait for tiles */
    int frames;        /* 0: until the window is closed; headless: FLY_HEADLESS_FRAMES or FLY_PICTURE_FRAMES */
    int fps;           /* headless: frames a second of flight; in a window the most there are, 0: as the display */
    const char *screenshot, *stats; /* files, or NULL */
    const char *path;               /* a path to fly, or NULL */
    const char *film, *frames_dir;  /* or NULL */
    bool may_replace;               /* files that are there already */
    bool has_checksums;
    bool is_view_exported; /* at the end the command that exports the ground in view goes to stdout */
    fly_morph morph;
    bool is_front;      /* morphs sweep over the land */
    double journey_s;   /* a morph to the next seed this often; 0: none */
    int quality;        /* FLY_QUALITY_* */
    double pixel_error; /* how large the land's samples, and errors of its mesh, may look, pixels */
    int render_percent; /* of the picture's width and height that frames are drawn with; 0: as the time of a frame
                           allows; FLY_RENDER_AUTO */
    int tile_memory_mb; /* for tiles on the GPU; 0: enough for the quality */
    double time_h;      /* solar time; not a number: the sun stands at sun_deg */
    double sun_deg[2];  /* azimuth, elevation */
    look look;
    int debug;               /* render_debug */
    unsigned layers;         /* 1 << render_layer */
    const char *layer_names; /* as they were asked for, or NULL: all of `layers`, without a window none that is drawn
                                over the picture */
    const char *shader_folder;
} fly_request;

enum {
    FLY_HEADLESS_FRAMES = 120,
    FLY_PICTURE_FRAMES = 4, /* where there is no display and one picture is all that was asked for */
    FLY_RENDER_AUTO = -1,   /* 0 in a window, 100 where frames are kept */
    FLY_FRAME_MAX =
        4096 /* pixels of a frame's side; a larger picture is drawn once, at the end, in parts that are no larger */
};

/** What a flight tells, and asks. */
typedef struct fly_events {
    void (*report)(const char *text);                    /* a message for the user */
    result (*print)(const char *line);                   /* a line of what was asked for, for stdout */
    void (*show_progress)(const char *of, double share); /* of what cannot be seen in a window; often */
    int (*is_interrupted)(void);                         /* the flight ends with RESULT_INTERRUPTED */
} fly_events;

/** Frames a second. */
static inline int fly_frames_a_second(const fly_request *request)
{
    return request->fps > 0 ? request->fps : 60;
}

#endif
