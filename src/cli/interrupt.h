/* interrupt.h - the signals that end the program. */
#ifndef TERRANE_CLI_INTERRUPT_H
#define TERRANE_CLI_INTERRUPT_H

/** SIGINT, SIGTERM, SIGQUIT and SIGHUP ask the command to end: it sees that by command_is_interrupted, removes what is half
 * written, and the exit status is OUTCOME_INTERRUPTED. A second signal ends the process at once. A SIGHUP that is ignored, as under
 * nohup, stays ignored. Writing to a closed pipe, or more than a file may hold, is an error of the write and no signal. */
void interrupt_watch(void);

/** For a command that leaves nothing half written: from now on the first signal ends the process at once, with the same status.
 *
 *  message  a line for standard error, which stays valid
 */
void interrupt_end_at_once(const char *message);

#endif
