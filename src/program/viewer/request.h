/* request.h - the options of a flight, and the callbacks by which it reports. */
#ifndef TERRANE_PROGRAM_VIEWER_REQUEST_H
#define TERRANE_PROGRAM_VIEWER_REQUEST_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/surface/look.h"
#include "terrane/terrane.h"

/** A morph to another world. */
typedef struct fly_morph {
    ter_params params;
    look look;
    double seconds;
    bool is_wanted;
} fly_morph;

/** The season of flights that do not ask for one: midsummer. */
static const double FLY_SEASON = 0.5;

/** Qualities of frames, from cheap to expensive. FLY_QUALITY_AUTO: choose one for the machine. */
enum {
    FLY_QUALITY_AUTO = -1,
    FLY_QUALITY_LOWEST,
    FLY_QUALITY_LOW,
    FLY_QUALITY_MEDIUM,
    FLY_QUALITY_HIGH,
    FLY_QUALITIES
};

/** Names of the qualities, from "auto" on; the list ends with NULL. */
extern const char *const fly_qualities[];

typedef struct fly_request {
    int64_t at[2];     /* lattice coordinates */
    double altitude_m; /* altitude of the camera over the ground */
    double heading_deg, pitch_deg;
    const char *view; /* replaces the four members above; or NULL */
    double speed;     /* m/s */
    double min_clearance_m;
    double planet_radius_km; /* 0 is flat */
    int width, height;
    bool is_headless;
    bool is_impatient; /* frames do not wait for tiles, even without a window */
    int frames;        /* 0: until the window is closed; headless: FLY_HEADLESS_FRAMES or FLY_PICTURE_FRAMES */
    int fps;           /* headless: frames per second of flight; in a window: the upper limit, 0: the display's rate */
    const char *screenshot, *stats; /* files, or NULL */
    const char *path;               /* file of the path to fly along, or NULL */
    const char *film, *frames_dir;  /* or NULL */
    bool may_replace;               /* existing files may be replaced */
    bool has_checksums;
    bool is_view_exported; /* at the end, print on stdout the command that exports the ground in view */
    fly_morph morph;
    bool is_front;      /* morphs sweep over the land as a front */
    double journey_s;   /* a morph to the next seed begins every journey_s seconds; 0: no such morphs */
    int quality;        /* FLY_QUALITY_* */
    double pixel_error; /* largest size of a sample of the land and of an error of its mesh, in pixels of the picture */
    int render_percent; /* width and height of frames, percent of the picture's; 0: adapted to the time of frames;
                           FLY_RENDER_AUTO */
    int tile_memory_mb; /* memory for tiles on the GPU; 0: enough for the quality */
    double season;      /* 0 and 1: midwinter; 0.5: midsummer */
    double time_h;      /* solar time; NaN: use sun_deg */
    double sun_deg[2];  /* azimuth and elevation of the sun */
    look look;
    int debug;               /* render_debug */
    unsigned layers;         /* 1 << render_layer */
    const char *layer_names; /* as the user gave them; NULL: not given, and text is drawn only over windows */
    const char *shader_folder;
} fly_request;

enum {
    FLY_HEADLESS_FRAMES = 120,
    FLY_PICTURE_FRAMES = 4, /* if there is no display and the request is for one picture only */
    FLY_RENDER_AUTO = -1,   /* means 0 in a window; 100 without a window or if frames are recorded */
    FLY_FRAME_MAX = 4096    /* greatest side of a frame, pixels; larger pictures are drawn at the end, in such parts */
};

/** Callbacks of a flight. */
typedef struct fly_events {
    void (*report)(const char *text);                      /* a message for the user */
    result (*print)(const char *line);                     /* a line of requested output, for stdout */
    void (*show_progress)(const char *step, double share); /* progress of work that no window shows; called often */
    int (*is_interrupted)(void);                           /* nonzero: the flight ends with RESULT_INTERRUPTED */
} fly_events;

/** Frames per second. */
static inline int fly_frames_a_second(const fly_request *request)
{
    return request->fps > 0 ? request->fps : 60;
}

#endif
