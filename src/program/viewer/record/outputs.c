/* outputs.c - checks the names of files, and removes temporary files of killed flights. */
#include "program/viewer/record/outputs.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "program/core/system.h"
#include "program/file/output_file.h"
#include "program/file/path_name.h"
#include "program/file/temporary.h"
#include "program/viewer/record/flight_statistics.h"
#include "program/viewer/record/recorder.h"

static bool is_there(const char *path)
{
    system_facts facts;
    return system_facts_of_name(path, &facts);
}

/** Check that a file can be written: a new file, an existing one with --force, or a device. */
static result check_file(const char *path, bool may_replace)
{
    system_facts facts;
    if (system_facts_of_target(path, &facts) && facts.kind == SYSTEM_FOLDER)
        return result_of(RESULT_FILE, "cannot write '%s': it is a folder", path);
    if (output_file_is_regular(path) && !may_replace && is_there(path))
        return output_file_exists_already(path);
    return output_file_check_folder(path);
}

result outputs_check_picture(const char *option, const char *path, bool may_replace)
{
    char quoted[RESULT_QUOTE];
    if (output_file_is_regular(path) && strcasecmp(path_dot(path), ".png") != 0)
        return result_of(RESULT_USAGE, "%s is %s, expected a name that ends in .png", option,
                         result_quote(path, quoted));
    return check_file(path, may_replace);
}

/* ---- temporary files of killed flights ---- */

static bool is_of_frame(void *user, const char *name)
{
    (void)user;
    return recorder_is_frame(name);
}

/** For each name that the flight will write, remove temporary files that no living process writes. */
static void clean(const fly_request *r)
{
    const char *const files[] = {r->screenshot, r->stats, r->film};
    char frame[TEMPORARY_PATH];
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++)
        if (files[n] && output_file_is_regular(files[n]))
            temporary_clean_file(files[n]);
    if (r->frames_dir && snprintf(frame, sizeof frame, "%s/frame", r->frames_dir) < (int)sizeof frame)
        temporary_clean(frame, is_of_frame, NULL);
}

result outputs_prepare(const fly_request *r, outputs *out)
{
    bool is_made = false;
    *out = (outputs){0};
    result res = r->screenshot ? outputs_check_picture("--screenshot", r->screenshot, r->may_replace) : result_done();
    if (res.kind == RESULT_DONE && r->stats)
        res = flight_statistics_check(r->stats);
    if (res.kind == RESULT_DONE && r->stats)
        res = check_file(r->stats, r->may_replace);
    if (res.kind == RESULT_DONE && r->film)
        res = check_file(r->film, r->may_replace);
    if (res.kind == RESULT_DONE && r->frames_dir)
        res = recorder_make_folder(r->frames_dir, r->may_replace, &is_made);
    if (is_made)
        out->made_folder = r->frames_dir;
    if (res.kind == RESULT_DONE)
        clean(r);
    return res;
}

void outputs_clear(const outputs *o)
{
    if (o->made_folder)
        system_folder_remove(o->made_folder); /* fails if the folder has files, as intended */
}

void outputs_next_name(const char *stem, const char *ending, int *number, char *name, size_t size)
{
    do
        snprintf(name, size, "%s-%d.%s", stem, ++*number, ending);
    while (is_there(name));
}
