/* interrupt.c - what happens when the user or the system asks the program to end, and when the time that the command
 * may take to end is over. */
#include "program/cli/interrupt.h"

#include <stdatomic.h>
#include <stdio.h>

#include "program/core/abandon.h"
#include "program/core/result.h"
#include "program/core/system.h"

static const int64_t END_NS = 800000000;  /* time that a command has to end after a signal */
static const int64_t RETRY_NS = 20000000; /* wait while files are being renamed */

static atomic_int is_interrupted;         /* read by all threads */
static const char *volatile last_message; /* if not NULL, the first signal ends the process at once */
static char timeout_message[96];

/** End the process in the signal handler. While files are being renamed, try again later. */
static void end_at_once(const char *message)
{
    if (!abandon_all()) {
        system_set_timer(RETRY_NS);
        return;
    }
    system_end_at_once(message, RESULT_INTERRUPTED);
}

static void on_timer(void)
{
    end_at_once(timeout_message);
}

static void on_end(void)
{
    if (last_message || is_interrupted)
        end_at_once(last_message ? last_message : "");
    is_interrupted = 1;
    system_set_timer(END_NS);
}

int command_is_interrupted(void)
{
    return is_interrupted;
}

void interrupt_end_at_once(const char *message)
{
    last_message = message;
}

void interrupt_watch(const char *command)
{
    snprintf(timeout_message, sizeof timeout_message, "%sterrane %s: interrupted\n",
             system_is_terminal(SYSTEM_ERRORS) ? "\r\033[K" : "", command);
    system_watch_ends(on_end, on_timer);
}
