/* recorder.c - a pipe to ffmpeg, libpng, zlib's CRC-32. */
#include "fly/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "picture/picture.h"
#include "render/read_back.h"

extern char **environ;

enum { FILM_NAME_MAX = 900 };

struct recorder {
    recorder_request request;
    char partial[1024]; /* the film until it is complete */
    pid_t ffmpeg;
    int pipe;
};

/** Partial name in the film's folder, with its ending, from which ffmpeg knows the container. */
static void name_partial(const char *film, char *out, size_t size)
{
    const char *slash = strrchr(film, '/');
    const int folder = slash ? (int)(slash - film) + 1 : 0;
    snprintf(out, size, "%.*s.partial-%ld-%s", folder, film, (long)getpid(), film + folder);
}

static outcome start_ffmpeg(recorder *r)
{
    char size[32], rate[16], target[1100];
    int ends[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const recorder_request *q = &r->request;
    snprintf(size, sizeof size, "%dx%d", q->width, q->height);
    snprintf(rate, sizeof rate, "%d", q->fps);
    name_partial(q->film, r->partial, sizeof r->partial);
    snprintf(target, sizeof target, "file:%s", r->partial); /* a colon in the name is no protocol */
    char *arguments[] = {"ffmpeg",   "-loglevel",   "error",     "-y",         "-f",     "rawvideo", "-pixel_format",
                         "rgb24",    "-video_size", size,        "-framerate", rate,     "-i",       "pipe:0",
                         "-an",      "-c:v",        "libx264",   "-preset",    "medium", "-crf",     "17",
                         "-pix_fmt", "yuv420p",     "-movflags", "+faststart", target,   NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return outcome_of(OUTCOME_FAILED, "no pipe to ffmpeg: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes); /* a process group of its own: an interrupt of the flight is not one of ffmpeg */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int error = posix_spawnp(&r->ffmpeg, "ffmpeg", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (error) {
        close(ends[1]);
        r->ffmpeg = 0;
        return outcome_of(OUTCOME_MISSING,
                          "--record: ffmpeg cannot be started (%s); install the package ffmpeg, or use --frames-dir",
                          strerror(error));
    }
    r->pipe = ends[1];
    signal(SIGPIPE, SIG_IGN); /* an ffmpeg that ends early is an error of write */
    return outcome_done();
}

static outcome check_film(const recorder_request *q)
{
    if (q->width % 2 || q->height % 2)
        return outcome_of(OUTCOME_USAGE, "--record needs an even width and height, not %d x %d", q->width, q->height);
    if (strlen(q->film) > FILM_NAME_MAX)
        return outcome_of(OUTCOME_USAGE, "--record: the name is longer than %d characters", FILM_NAME_MAX);
    if (!q->may_replace && access(q->film, F_OK) == 0)
        return outcome_of(OUTCOME_FILE, "cannot write '%s': it exists already", q->film);
    return outcome_done();
}

static outcome make_folder(const char *folder)
{
    struct stat facts;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode)))
        return outcome_done();
    return outcome_of(OUTCOME_FILE, "cannot make the folder '%s': %s", folder, strerror(errno));
}

outcome recorder_open(const recorder_request *request, recorder **out)
{
    *out = NULL;
    if (!request->film && !request->folder && !request->has_checksums)
        return outcome_done();
    recorder *r = calloc(1, sizeof *r);
    if (!r)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    r->request = *request;
    outcome o = request->film ? check_film(request) : outcome_done();
    if (o.kind == OUTCOME_DONE && request->folder)
        o = make_folder(request->folder);
    if (o.kind == OUTCOME_DONE && request->film)
        o = start_ffmpeg(r);
    if (o.kind != OUTCOME_DONE) {
        free(r);
        return o;
    }
    *out = r;
    return o;
}

static outcome feed(const recorder *r, const uint8_t *pixels, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t n = write(r->pipe, pixels, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return outcome_of(OUTCOME_FILE, "cannot write '%s': ffmpeg has stopped (%s)", r->request.film, strerror(errno));
        pixels += n;
        bytes -= (size_t)n;
    }
    return outcome_done();
}

outcome recorder_add(recorder *r, GLuint framebuffer, int width, int height, uint64_t frame)
{
    const recorder_request *q = &r->request;
    uint8_t *pixels = NULL;
    char path[1200];
    if (q->film && (width != q->width || height != q->height))
        return outcome_of(OUTCOME_FAILED, "the picture became %d x %d while a film of %d x %d was recorded", width, height,
                          q->width, q->height);
    outcome o = read_back_colors(framebuffer, width, height, &pixels);
    const size_t bytes = (size_t)width * (size_t)height * 3;
    if (o.kind == OUTCOME_DONE && q->film)
        o = feed(r, pixels, bytes);
    if (o.kind == OUTCOME_DONE && q->folder) {
        snprintf(path, sizeof path, "%s/frame-%06llu.png", q->folder, (unsigned long long)frame);
        o = picture_write(path, pixels, width, height);
    }
    if (o.kind == OUTCOME_DONE && q->has_checksums)
        printf("%llu %08lx\n", (unsigned long long)frame, crc32_z(0, pixels, bytes));
    free(pixels);
    return o;
}

outcome recorder_close(recorder *r, bool is_good)
{
    outcome o = outcome_done();
    if (!r)
        return o;
    if (r->ffmpeg > 0) {
        int status = 0;
        close(r->pipe);
        if (!is_good)
            kill(r->ffmpeg, SIGKILL);
        while (waitpid(r->ffmpeg, &status, 0) < 0 && errno == EINTR) {
        }
        if (!is_good)
            unlink(r->partial);
        else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            o = outcome_of(OUTCOME_FILE, "cannot write '%s': ffmpeg failed, see above", r->request.film);
        else if (rename(r->partial, r->request.film) != 0)
            o = outcome_of(OUTCOME_FILE, "cannot write '%s': %s", r->request.film, strerror(errno));
        if (o.kind != OUTCOME_DONE)
            unlink(r->partial);
    }
    free(r);
    return o;
}
