/* child_posix.c - implements child.h by posix_spawnp and a pipe. */
#include "program/core/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct child {
    pid_t process;
    int pipe; /* -1: closed */
    bool has_ended;
    int status;
};

/** Start the program. It gets its own process group, so that Ctrl-C does not reach it, and the default action for
 * SIGPIPE, which this program ignores. Returns errno. */
static int spawn(child *c, int input, const char *const *arguments)
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
    const int error = posix_spawnp(&c->process, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

child *child_start(const char *const *arguments)
{
    int ends[2];
    child *c = calloc(1, sizeof *c);
    if (!c || pipe(ends) != 0) {
        free(c);
        return NULL;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* macOS has no pipe2() */
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int error = spawn(c, ends[0], arguments);
    close(ends[0]);
    if (error) {
        close(ends[1]);
        free(c);
        errno = error;
        return NULL;
    }
    c->pipe = ends[1];
    fcntl(c->pipe, F_SETFL, O_NONBLOCK);
    return c;
}

int64_t child_number(const child *c)
{
    return c->process;
}

int64_t child_send(child *c, const void *bytes, size_t count, int wait_ms)
{
    struct pollfd end = {.fd = c->pipe, .events = POLLOUT};
    if (poll(&end, 1, wait_ms) <= 0)
        return 0;
    const ssize_t n = write(c->pipe, bytes, count);
    return n < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : n;
}

bool child_send_end(child *c, int wait_ms)
{
    (void)wait_ms;
    close(c->pipe);
    c->pipe = -1;
    return true;
}

/** A program whose end another part of the process has taken note of counts as failed. */
bool child_has_ended(child *c, int *status)
{
    int how;
    const pid_t ended = c->has_ended ? 0 : waitpid(c->process, &how, WNOHANG);
    if (ended == c->process)
        c->status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    else if (ended < 0 && errno != EINTR)
        c->status = -1;
    c->has_ended |= ended == c->process || (ended < 0 && errno != EINTR);
    *status = c->status;
    return c->has_ended;
}

void child_close(child *c)
{
    int status;
    if (!c)
        return;
    if (c->pipe >= 0)
        close(c->pipe);
    if (!c->has_ended) {
        kill(c->process, SIGKILL);
        while (waitpid(c->process, &status, 0) < 0 && errno == EINTR) {
        }
    }
    free(c);
}
