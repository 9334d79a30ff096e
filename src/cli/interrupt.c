/* interrupt.c - one handler for all signals that end the program. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

static volatile sig_atomic_t is_interrupted;
static const char *volatile last_message; /* not NULL: the first signal ends the process */

static void on_signal(int signal_number)
{
    (void)signal_number;
    if (last_message && write(STDERR_FILENO, last_message, strlen(last_message)) < 0)
        _exit(OUTCOME_INTERRUPTED);
    if (last_message || is_interrupted)
        _exit(OUTCOME_INTERRUPTED);
    is_interrupted = 1;
}

int command_is_interrupted(void)
{
    return is_interrupted;
}

void interrupt_end_at_once(const char *message)
{
    last_message = message;
}

void interrupt_watch(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction present;
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++)
        if (ends[n] != SIGHUP || sigaction(SIGHUP, NULL, &present) != 0 || present.sa_handler != SIG_IGN)
            sigaction(ends[n], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
