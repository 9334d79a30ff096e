/* interrupt.c - one handler for all signals that end the program, and one for the time that it takes to end. */
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

static const long PATIENCE_NS = 800000000, AGAIN_NS = 20000000; /* for a command to end; for names to have changed */

static atomic_int is_interrupted;         /* threads ask for it, too */
static const char *volatile last_message; /* not NULL: the first signal ends the process */
static char abandoned_message[96];
static timer_t patience;
static volatile sig_atomic_t has_patience;

static void say(const char *message)
{
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(OUTCOME_INTERRUPTED);
}

static void wait_ns(long ns)
{
    const struct itimerspec once = {.it_value.tv_nsec = ns};
    if (has_patience)
        timer_settime(patience, 0, &once, NULL);
}

/** Leave without the usual way out, once no names are changing. */
static void end_at_once(const char *message)
{
    if (!abandon_all()) {
        wait_ns(AGAIN_NS);
        return;
    }
    say(message);
    _exit(OUTCOME_INTERRUPTED);
}

static void on_patience(int signal_number)
{
    const int number = errno;
    (void)signal_number;
    end_at_once(abandoned_message);
    errno = number;
}

static void on_signal(int signal_number)
{
    const int number = errno; /* of the call that the signal came into */
    (void)signal_number;
    if (last_message || is_interrupted)
        end_at_once(last_message ? last_message : "");
    is_interrupted = 1;
    wait_ns(PATIENCE_NS);
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

/** The signal that ends the command's time. Without a timer a command has all the time that it needs. */
static void set_patience(const char *command)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    const struct sigaction action = {.sa_handler = on_patience};
    snprintf(abandoned_message, sizeof abandoned_message, "%sterrane %s: interrupted\n",
             isatty(STDERR_FILENO) ? "\r\033[K" : "", command);
    has_patience = sigaction(SIGALRM, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &patience) == 0;
}

void interrupt_watch(const char *command)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction present;
    set_patience(command);
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++)
        if (ends[n] != SIGHUP || sigaction(SIGHUP, NULL, &present) != 0 || present.sa_handler != SIG_IGN)
            sigaction(ends[n], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
