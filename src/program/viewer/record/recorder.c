/* recorder.c - passes frames to a film, a folder and checksums (zlib's CRC-32). */
#include "program/viewer/record/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "program/core/system.h"
#include "program/picture/picture.h"
#include "program/render/read_back.h"
#include "program/viewer/record/film.h"

static const char FRAME_NAME[] = "frame-%06llu.png";

struct recorder {
    const fly_request *request;
    const fly_events *events;
    film *film;
    int width, height; /* size of a frame */
    uint64_t n_frames;
};

bool recorder_is_frame(const char *name)
{
    unsigned long long number;
    char again[64] = "";
    if (sscanf(name, FRAME_NAME, &number) == 1)
        snprintf(again, sizeof again, FRAME_NAME, number);
    return *again && strcmp(again, name) == 0;
}

/** A folder without pictures of frames, as far as it was read. */
typedef struct folder_check {
    const char *folder;
    result result;
} folder_check;

static void check_name(void *user, const char *name)
{
    folder_check *c = user;
    if (c->result.kind == RESULT_DONE && recorder_is_frame(name))
        c->result = result_of(RESULT_FILE, "'%s/%s' exists already; --force replaces it", c->folder, name);
}

/** Check that a folder has no pictures of frames. Errors RESULT_FILE it has one */
static result check_no_frames(const char *folder)
{
    folder_check check = {folder, result_done()};
    if (!system_can_read(folder))
        return result_of_file("read", folder);
    system_folder_list(folder, check_name, &check);
    return check.result;
}

result recorder_make_folder(const char *folder, bool may_replace, bool *is_made)
{
    system_facts facts;
    *is_made = system_folder_make(folder);
    if (*is_made)
        return result_done();
    const int error = errno;
    if (!system_facts_of_target(folder, &facts) || facts.kind != SYSTEM_FOLDER)
        return result_of(RESULT_FILE, "cannot make the folder '%s': %s", folder, strerror(error));
    if (!system_can_write_in(folder))
        return result_of_file("write into", folder);
    return may_replace ? result_done() : check_no_frames(folder);
}

result recorder_open(const fly_request *q, const fly_events *events, int width, int height, recorder **out)
{
    *out = NULL;
    if (!q->film && !q->frames_dir && !q->has_checksums)
        return result_done();
    recorder *r = calloc(1, sizeof *r);
    if (!r)
        return result_of(RESULT_FAILED, "out of memory");
    *r = (recorder){.request = q, .events = events, .width = width, .height = height};
    const film_request film = {.file = q->film,
                               .width = width,
                               .height = height,
                               .fps = fly_frames_a_second(q),
                               .may_replace = q->may_replace,
                               .is_interrupted = events->is_interrupted};
    const result res = q->film ? film_open(&film, &r->film) : result_done();
    if (res.kind != RESULT_DONE)
        free(r);
    else
        *out = r;
    return res;
}

static result write_picture(const recorder *r, const uint8_t *pixels, const recorder_frame *f)
{
    char name[64], path[1200];
    snprintf(name, sizeof name, FRAME_NAME, (unsigned long long)f->number);
    if (snprintf(path, sizeof path, "%s/%s", r->request->frames_dir, name) >= (int)sizeof path)
        return result_of(RESULT_FILE, "the name of the folder for frames has more than %zu characters",
                         sizeof path - sizeof name);
    const picture_output output = {
        .may_replace = r->request->may_replace, .is_own_file = true, .is_interrupted = r->events->is_interrupted};
    return picture_write(path, pixels, f->width, f->height, &output);
}

static result print_checksum(const recorder *r, const uint8_t *pixels, const recorder_frame *f)
{
    char line[64];
    snprintf(line, sizeof line, "%llu %08lx", (unsigned long long)f->number,
             crc32_z(0, pixels, (size_t)f->width * (size_t)f->height * 3));
    return r->events->print(line);
}

result recorder_add(recorder *r, const recorder_frame *f)
{
    const fly_request *q = r->request;
    uint8_t *pixels = NULL;
    if (r->film && (f->width != r->width || f->height != r->height))
        return result_of(RESULT_FAILED, "the picture became %d x %d while a film of %d x %d was recorded", f->width,
                         f->height, r->width, r->height);
    result res = read_back_colors(f->framebuffer, f->width, f->height, &pixels);
    if (res.kind == RESULT_DONE && r->film)
        res = film_add(r->film, pixels);
    if (res.kind == RESULT_DONE && q->frames_dir)
        res = write_picture(r, pixels, f);
    if (res.kind == RESULT_DONE && q->has_checksums)
        res = print_checksum(r, pixels, f);
    free(pixels);
    r->n_frames += res.kind == RESULT_DONE;
    return res;
}

/** Report the number of written frames. */
static void describe_frames(const recorder *r)
{
    const fly_request *q = r->request;
    const int fps = fly_frames_a_second(q);
    char text[512];
    if (q->film)
        snprintf(text, sizeof text, "%.400s: %llu frames of %d x %d, %.2f s at %d frames a second", q->film,
                 (unsigned long long)r->n_frames, r->width, r->height, (double)r->n_frames / fps, fps);
    else
        snprintf(text, sizeof text, "%.400s: %llu pictures", q->frames_dir, (unsigned long long)r->n_frames);
    r->events->report(text);
}

result recorder_close(recorder *r, bool is_good)
{
    if (!r)
        return result_done();
    const result res = film_close(r->film, is_good);
    if (is_good && res.kind == RESULT_DONE && (r->request->film || r->request->frames_dir))
        describe_frames(r);
    free(r);
    return res;
}
