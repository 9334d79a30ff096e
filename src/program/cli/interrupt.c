/* interrupt.c - the handler of signals that end the program, and the handler of the timer that limits how long the
 * command may take to end. */
#include "program/cli/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "program/core/abandon.h"
#include "program/core/result.h"

static const long END_NS = 800000000;  /* time that a command has to end after a signal */
static const long RETRY_NS = 20000000; /* wait while files are being renamed */

static atomic_int is_interrupted;         /* read by all threads */
static const char *volatile last_message; /* if not NULL, the first signal ends the process at once */
static char timeout_message[96];
static timer_t timer;
static volatile sig_atomic_t has_timer;

static void write_message(const char *message)
{
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(RESULT_INTERRUPTED);
}

static void set_timer(long ns)
{
    const struct itimerspec once = {.it_value.tv_nsec = ns};
    if (has_timer)
        timer_settime(timer, 0, &once, NULL);
}

/** End the process in the signal handler. While files are being renamed, try again later. */
static void end_at_once(const char *message)
{
    if (!abandon_all()) {
        set_timer(RETRY_NS);
        return;
    }
    write_message(message);
    _exit(RESULT_INTERRUPTED);
}

static void on_timer(int signal_number)
{
    const int number = errno;
    (void)signal_number;
    end_at_once(timeout_message);
    errno = number;
}

static void on_signal(int signal_number)
{
    const int number = errno; /* error of the interrupted call */
    (void)signal_number;
    if (last_message || is_interrupted)
        end_at_once(last_message ? last_message : "");
    is_interrupted = 1;
    set_timer(END_NS);
    errno = number;
}

int command_is_interrupted(void)
{
    return is_interrupted;
}

void interrupt_end_at_once(const char *message)
{
    last_message = message;
}

/** Make the timer. If the system gives none, the command's time to end is not limited. */
static void make_timer(const char *command)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    const struct sigaction action = {.sa_handler = on_timer};
    snprintf(timeout_message, sizeof timeout_message, "%sterrane %s: interrupted\n",
             isatty(STDERR_FILENO) ? "\r\033[K" : "", command);
    has_timer = sigaction(SIGALRM, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
}

void interrupt_watch(const char *command)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction present;
    make_timer(command);
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++)
        if (ends[n] != SIGHUP || sigaction(SIGHUP, NULL, &present) != 0 || present.sa_handler != SIG_IGN)
            sigaction(ends[n], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
