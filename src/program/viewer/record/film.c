/* film.c - starts ffmpeg, sends it frames, and waits for its end. */
#include "program/viewer/record/film.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/abandon.h"
#include "program/core/child.h"
#include "program/core/clock.h"
#include "program/core/system.h"
#include "program/file/commit.h"
#include "program/file/output_file.h"

enum { LOOK_MS = 50 }; /* longest time between two checks for an interruption */
/* ffmpeg counts as hung if it takes no data for this time or, after the last frame, neither writes nor ends. */
static const double STALL_S = 20.0;

struct film {
    film_request request;
    output_file file;
    child *ffmpeg;
};

static result start_ffmpeg(film *f)
{
    char size[32], rate[16], target[TEMPORARY_PATH + 8];
    const film_request *q = &f->request;
    snprintf(size, sizeof size, "%dx%d", q->width, q->height);
    snprintf(rate, sizeof rate, "%d", q->fps);
    snprintf(target, sizeof target, "file:%s",
             f->file.temporary); /* "file:" keeps ffmpeg from reading a colon in the name as a protocol */
    const char *const arguments[] = {
        "ffmpeg", "-loglevel",  "error", "-y",       "-f",      "rawvideo",  "-pixel_format", "rgb24",   "-video_size",
        size,     "-framerate", rate,    "-i",       "pipe:0",  "-an",       "-c:v",          "libx264", "-preset",
        "medium", "-crf",       "17",    "-pix_fmt", "yuv420p", "-movflags", "+faststart",    target,    NULL};
    f->ffmpeg = child_start(arguments);
    if (!f->ffmpeg)
        return result_of(RESULT_MISSING,
                         "--record: ffmpeg cannot be started (%s); install the package ffmpeg, or use --frames-dir",
                         strerror(errno));
    abandon_program(child_number(f->ffmpeg));
    return result_done();
}

result film_open(const film_request *q, film **out)
{
    if (q->width % 2 || q->height % 2)
        return result_of(RESULT_USAGE, "--record needs an even width and height, not %d x %d", q->width, q->height);
    film *f = calloc(1, sizeof *f);
    if (!f)
        return result_of(RESULT_FAILED, "out of memory");
    f->request = *q;
    result res = output_file_open_for_program(&f->file, q->file, q->may_replace);
    if (res.kind == RESULT_DONE) {
        res = start_ffmpeg(f);
        if (res.kind != RESULT_DONE)
            output_file_discard(&f->file);
    }
    if (res.kind != RESULT_DONE) {
        free(f);
        return res;
    }
    *out = f;
    return res;
}

static result interrupted(void)
{
    return result_of(RESULT_INTERRUPTED, "interrupted");
}

result film_add(film *f, const uint8_t *pixels)
{
    const film_request *q = &f->request;
    size_t left = (size_t)q->width * (size_t)q->height * 3;
    double moved_s = clock_now_s();
    while (left > 0) {
        if (q->is_interrupted())
            return interrupted();
        const int64_t n = child_send(f->ffmpeg, pixels, left, LOOK_MS);
        if (n < 0)
            return result_of(RESULT_FILE, "cannot write '%s': ffmpeg has stopped (%s)", q->file, strerror(errno));
        if (n == 0 && clock_now_s() - moved_s > STALL_S)
            return result_of(RESULT_FILE, "cannot write '%s': ffmpeg has taken nothing for %.0f s", q->file, STALL_S);
        if (n == 0)
            continue;
        moved_s = clock_now_s();
        pixels += n;
        left -= (size_t)n;
    }
    return result_done();
}

/** Whether ffmpeg has written since the last call, by size and time of its file. */
static bool has_moved(const film *f, system_facts *before)
{
    system_facts now;
    if (!system_facts_of_open(f->file.descriptor, &now))
        return false;
    const bool is_other =
        now.bytes != before->bytes || now.written_s != before->written_s || now.written_ns != before->written_ns;
    *before = now;
    return is_other;
}

/** Wait until ffmpeg ends. Give up when it has written nothing for STALL_S. */
static result await_end(film *f, int *status)
{
    enum { REST_NS = LOOK_MS * 200000 };
    double moved_s = clock_now_s();
    system_facts seen = {0};
    bool has_all = false; /* ffmpeg has taken all frames */
    while (!child_has_ended(f->ffmpeg, status)) {
        has_all = has_all || child_send_end(f->ffmpeg, LOOK_MS);
        if (f->request.is_interrupted())
            return interrupted();
        const double now_s = clock_now_s();
        if (has_moved(f, &seen))
            moved_s = now_s;
        if (now_s - moved_s > STALL_S)
            return result_of(RESULT_FILE, "cannot write '%s': ffmpeg does not end", f->request.file);
        system_rest(REST_NS);
    }
    return result_done();
}

result film_close(film *f, bool is_good)
{
    int status = 0;
    result res = result_done();
    if (!f)
        return res;
    if (is_good)
        res = await_end(f, &status);
    if (is_good && res.kind == RESULT_DONE && status != 0)
        res = result_of(RESULT_FILE, "cannot write '%s': ffmpeg failed, see above", f->request.file);
    const int64_t number = child_number(f->ffmpeg);
    child_close(f->ffmpeg);
    abandon_forget_program(number);
    if (is_good && res.kind == RESULT_DONE)
        res = output_file_commit(&f->file);
    else
        output_file_discard(&f->file);
    free(f);
    return res;
}
