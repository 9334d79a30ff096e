/* recording.h - the path that the user records while flying, and the names of files that keys make. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_RECORDING_H
#define TERRANE_PROGRAM_VIEWER_RECORD_RECORDING_H

#include "program/viewer/camera/path.h"
#include "program/viewer/request.h"

typedef struct recording {
    path path;
    bool is_recording;
    int n_paths; /* written */
} recording;

/** Begin a path, or write the one that was begun, under a new name; `report` is told which. */
void recording_toggle(recording *recording, void (*report)(const char *text));

/** Add a camera's place at a time of the flight, unless the last one is recent. */
void recording_add(recording *recording, const camera *camera, double time_s);

/** Write a path that is still being recorded, and free it. */
void recording_end(recording *recording, void (*report)(const char *text));

#endif
