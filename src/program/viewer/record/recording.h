/* recording.h - records the camera's path while the user flies. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_RECORDING_H
#define TERRANE_PROGRAM_VIEWER_RECORD_RECORDING_H

#include "program/viewer/camera/path.h"
#include "program/viewer/request.h"

typedef struct recording {
    path path;
    bool is_recording;
    int n_paths; /* number in the name of the last written path */
} recording;

/** Start to record a path; or end the recording and write the path under a new name. `report` receives the name or the
 * error. */
void recording_toggle(recording *recording, void (*report)(const char *text));

/** Add the camera's position at a time of the flight, if a path is being recorded and its last point is at least half a
 * second old. */
void recording_add(recording *recording, const camera *camera, double time_s);

/** Write the path if it is still being recorded, and free it. */
void recording_end(recording *recording, void (*report)(const char *text));

#endif
