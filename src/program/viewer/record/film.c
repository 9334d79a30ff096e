/* film.c - starts ffmpeg, sends it frames, and waits for its end. */
#include "program/viewer/record/film.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program/core/abandon.h"
#include "program/core/clock.h"
#include "program/core/system.h"
#include "program/file/commit.h"
#include "program/file/output_file.h"

extern char **environ;

enum { LOOK_MS = 50 }; /* longest time between two checks for an interruption */
/* ffmpeg counts as hung if it takes no data for this time or, after the last frame, neither writes nor ends. */
static const double STALL_S = 20.0;

struct film {
    film_request request;
    output_file file;
    pid_t ffmpeg;
    int pipe;
};

/* ---- the process ---- */

/** Start ffmpeg with the pipe as its standard input. It gets its own process group, so that Ctrl-C does not reach it,
 * and the default action for SIGPIPE, which this program ignores. */
static int spawn_ffmpeg(film *f, int input, char *const *arguments)
{
    sigset_t usual;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    const int error = posix_spawnp(&f->ffmpeg, "ffmpeg", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        f->ffmpeg = 0;
    else
        abandon_program(f->ffmpeg);
    return error;
}

static result start_ffmpeg(film *f)
{
    char size[32], rate[16], target[TEMPORARY_PATH + 8];
    int ends[2];
    const film_request *q = &f->request;
    snprintf(size, sizeof size, "%dx%d", q->width, q->height);
    snprintf(rate, sizeof rate, "%d", q->fps);
    snprintf(target, sizeof target, "file:%s",
             f->file.temporary); /* "file:" keeps ffmpeg from reading a colon in the name as a protocol */
    char *arguments[] = {"ffmpeg",   "-loglevel",   "error",     "-y",         "-f",     "rawvideo", "-pixel_format",
                         "rgb24",    "-video_size", size,        "-framerate", rate,     "-i",       "pipe:0",
                         "-an",      "-c:v",        "libx264",   "-preset",    "medium", "-crf",     "17",
                         "-pix_fmt", "yuv420p",     "-movflags", "+faststart", target,   NULL};
    if (pipe(ends) != 0)
        return result_of(RESULT_FAILED, "no pipe to ffmpeg: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* macOS has no pipe2() */
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int error = spawn_ffmpeg(f, ends[0], arguments);
    close(ends[0]);
    if (error) {
        close(ends[1]);
        return result_of(RESULT_MISSING,
                         "--record: ffmpeg cannot be started (%s); install the package ffmpeg, or use --frames-dir",
                         strerror(error));
    }
    f->pipe = ends[1];
    fcntl(f->pipe, F_SETFL, O_NONBLOCK);
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
        struct pollfd end = {.fd = f->pipe, .events = POLLOUT};
        if (q->is_interrupted())
            return interrupted();
        if (poll(&end, 1, LOOK_MS) <= 0) {
            if (clock_now_s() - moved_s > STALL_S)
                return result_of(RESULT_FILE, "cannot write '%s': ffmpeg has taken nothing for %.0f s", q->file,
                                 STALL_S);
            continue;
        }
        const ssize_t n = write(f->pipe, pixels, left);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return result_of(RESULT_FILE, "cannot write '%s': ffmpeg has stopped (%s)", q->file, strerror(errno));
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
    double moved_s = clock_now_s();
    system_facts seen = {0};
    for (;;) {
        const pid_t ended = waitpid(f->ffmpeg, status, WNOHANG);
        if (ended == f->ffmpeg)
            return result_done();
        if (ended < 0 && errno != EINTR)
            return result_of(RESULT_FILE, "cannot write '%s': ffmpeg is gone (%s)", f->request.file, strerror(errno));
        if (f->request.is_interrupted())
            return interrupted();
        const double now_s = clock_now_s();
        if (has_moved(f, &seen))
            moved_s = now_s;
        if (now_s - moved_s > STALL_S)
            return result_of(RESULT_FILE, "cannot write '%s': ffmpeg does not end", f->request.file);
        nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 200000L}, NULL);
    }
}

static void kill_ffmpeg(film *f)
{
    int status;
    kill(f->ffmpeg, SIGKILL);
    while (waitpid(f->ffmpeg, &status, 0) < 0 && errno == EINTR) {
    }
}

result film_close(film *f, bool is_good)
{
    int status = 0;
    result res = result_done();
    if (!f)
        return res;
    close(f->pipe);
    if (is_good)
        res = await_end(f, &status);
    if (!is_good || res.kind != RESULT_DONE)
        kill_ffmpeg(f);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        res = result_of(RESULT_FILE, "cannot write '%s': ffmpeg failed, see above", f->request.file);
    abandon_forget_program(f->ffmpeg);
    if (is_good && res.kind == RESULT_DONE)
        res = output_file_commit(&f->file);
    else
        output_file_discard(&f->file);
    free(f);
    return res;
}
