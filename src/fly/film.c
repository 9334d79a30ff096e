/* film.c - spawning ffmpeg, feeding it, waiting for it. */
#include "fly/film.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file/output_file.h"
#include "file/path_name.h"
#include "program/clock.h"

extern char **environ;

enum { NAME_BYTES = 1024, LOOK_MS = 50 };
static const double STALL_S = 20.0; /* ffmpeg neither reads, writes nor ends: it hangs */

struct film {
    film_request request;
    char folder[NAME_BYTES + 32];  /* of its own; empty: not made */
    char partial[NAME_BYTES + 96]; /* the film until it is complete */
    pid_t ffmpeg;
    int pipe;
};

/* ---- names ---- */

outcome film_check(const char *file, bool may_replace)
{
    struct stat facts;
    if (strlen(file) >= NAME_BYTES)
        return outcome_of(OUTCOME_USAGE, "--record: the name has %zu characters, expected at most %d", strlen(file),
                          NAME_BYTES - 1);
    if (lstat(file, &facts) != 0)
        return output_file_check_folder(file);
    if (!S_ISREG(facts.st_mode))
        return outcome_of(OUTCOME_FILE, "cannot write '%s': it is there and is no regular file", file);
    if (!may_replace)
        return outcome_of(OUTCOME_FILE, "'%s' exists already; --force replaces it", file);
    return output_file_check_folder(file);
}

/** A folder of its own beside the film, so that the film can be renamed; in it a file of the same ending, from which ffmpeg knows
 * the container. */
static outcome make_folder(film *f)
{
    const char *file = f->request.file;
    snprintf(f->folder, sizeof f->folder, "%.*sterrane-film-XXXXXX", (int)(path_base(file) - file), file);
    if (!mkdtemp(f->folder)) {
        f->folder[0] = '\0';
        return outcome_of_file("write", file);
    }
    snprintf(f->partial, sizeof f->partial, "%s/film%.32s", f->folder, path_dot(file));
    return outcome_done();
}

static void remove_folder(film *f)
{
    if (!*f->folder)
        return;
    unlink(f->partial);
    rmdir(f->folder);
}

/* ---- the process ---- */

/** Its standard input is the pipe; a process group of its own, so that an interruption of the flight is not one of ffmpeg, and the
 * usual answer to a broken pipe, which this program ignores. */
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
    return error;
}

static outcome start_ffmpeg(film *f)
{
    char size[32], rate[16], target[NAME_BYTES + 128];
    int ends[2];
    const film_request *q = &f->request;
    snprintf(size, sizeof size, "%dx%d", q->width, q->height);
    snprintf(rate, sizeof rate, "%d", q->fps);
    snprintf(target, sizeof target, "file:%s", f->partial); /* a colon in the name is no protocol */
    char *arguments[] = {"ffmpeg",   "-loglevel",   "error",     "-n",         "-f",     "rawvideo", "-pixel_format",
                         "rgb24",    "-video_size", size,        "-framerate", rate,     "-i",       "pipe:0",
                         "-an",      "-c:v",        "libx264",   "-preset",    "medium", "-crf",     "17",
                         "-pix_fmt", "yuv420p",     "-movflags", "+faststart", target,   NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return outcome_of(OUTCOME_FAILED, "no pipe to ffmpeg: %s", strerror(errno));
    const int error = spawn_ffmpeg(f, ends[0], arguments);
    close(ends[0]);
    if (error) {
        close(ends[1]);
        return outcome_of(OUTCOME_MISSING,
                          "--record: ffmpeg cannot be started (%s); install the package ffmpeg, or use --frames-dir",
                          strerror(error));
    }
    f->pipe = ends[1];
    fcntl(f->pipe, F_SETFL, O_NONBLOCK);
    return outcome_done();
}

outcome film_open(const film_request *q, film **out)
{
    if (q->width % 2 || q->height % 2)
        return outcome_of(OUTCOME_USAGE, "--record needs an even width and height, not %d x %d", q->width, q->height);
    outcome o = film_check(q->file, q->may_replace);
    if (o.kind != OUTCOME_DONE)
        return o;
    film *f = calloc(1, sizeof *f);
    if (!f)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    f->request = *q;
    o = make_folder(f);
    if (o.kind == OUTCOME_DONE)
        o = start_ffmpeg(f);
    if (o.kind != OUTCOME_DONE) {
        remove_folder(f);
        free(f);
        return o;
    }
    *out = f;
    return o;
}

static outcome interrupted(void)
{
    return outcome_of(OUTCOME_INTERRUPTED, "interrupted");
}

outcome film_add(film *f, const uint8_t *pixels)
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
                return outcome_of(OUTCOME_FILE, "cannot write '%s': ffmpeg has taken nothing for %.0f s", q->file, STALL_S);
            continue;
        }
        const ssize_t n = write(f->pipe, pixels, left);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return outcome_of(OUTCOME_FILE, "cannot write '%s': ffmpeg has stopped (%s)", q->file, strerror(errno));
        moved_s = clock_now_s();
        pixels += n;
        left -= (size_t)n;
    }
    return outcome_done();
}

/** How far ffmpeg has come: bytes and time of what it writes. */
static bool has_moved(const film *f, struct stat *before)
{
    struct stat now;
    if (stat(f->partial, &now) != 0)
        return false;
    const bool is_other = now.st_size != before->st_size || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
                          now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
    *before = now;
    return is_other;
}

/** Wait for ffmpeg's end, as long as it writes. */
static outcome await_end(film *f, int *status)
{
    double moved_s = clock_now_s();
    struct stat seen = {0};
    for (;;) {
        const pid_t ended = waitpid(f->ffmpeg, status, WNOHANG);
        if (ended == f->ffmpeg)
            return outcome_done();
        if (ended < 0 && errno != EINTR)
            return outcome_of(OUTCOME_FILE, "cannot write '%s': ffmpeg is gone (%s)", f->request.file, strerror(errno));
        if (f->request.is_interrupted())
            return interrupted();
        const double now_s = clock_now_s();
        if (has_moved(f, &seen))
            moved_s = now_s;
        if (now_s - moved_s > STALL_S)
            return outcome_of(OUTCOME_FILE, "cannot write '%s': ffmpeg does not end", f->request.file);
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

/** Give the complete film its name; a link of that name is replaced, not followed. */
static outcome take_name(const film *f)
{
    const char *file = f->request.file;
    const unsigned flags = f->request.may_replace ? 0 : RENAME_NOREPLACE;
    if (renameat2(AT_FDCWD, f->partial, AT_FDCWD, file, flags) == 0)
        return outcome_done();
    const bool has_no_flags = errno == EINVAL || errno == ENOSYS; /* this file system cannot promise it */
    const outcome o = has_no_flags ? film_check(file, false) : outcome_of_file("write", file);
    if (!has_no_flags || o.kind != OUTCOME_DONE)
        return o;
    return rename(f->partial, file) == 0 ? outcome_done() : outcome_of_file("write", file);
}

outcome film_close(film *f, bool is_good)
{
    int status = 0;
    outcome o = outcome_done();
    if (!f)
        return o;
    close(f->pipe);
    if (is_good)
        o = await_end(f, &status);
    if (!is_good || o.kind != OUTCOME_DONE)
        kill_ffmpeg(f);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        o = outcome_of(OUTCOME_FILE, "cannot write '%s': ffmpeg failed, see above", f->request.file);
    else
        o = take_name(f);
    remove_folder(f);
    free(f);
    return o;
}
