/* interrupt.h - the signals that end the program. */
#ifndef TERRANE_PROGRAM_CLI_INTERRUPT_H
#define TERRANE_PROGRAM_CLI_INTERRUPT_H

/** SIGINT, SIGTERM, SIGQUIT and SIGHUP ask the command to end: it sees that by command_is_interrupted, removes what is
 * half written, and the exit status is OUTCOME_INTERRUPTED. A command that has not ended within a second, as where a
 * driver or a disk holds it up, is ended: files without a name are removed, programs that it has started are killed,
 * and the status is the same. A second signal does that at once. A SIGHUP that is ignored, as under nohup, stays
 * ignored. Writing to a closed pipe, or more than a file may hold, is an error of the write and no signal.
 *
 *  command  named by the line that is printed where the command could not
 */
void interrupt_watch(const char *command);

/** For a command that leaves nothing half written: from now on the first signal ends the process at once, with the same
 * status.
 *
 *  message  a line for standard error, which stays valid; NULL: signals ask again
 */
void interrupt_end_at_once(const char *message);

/** Set by the signals that end the program: long work ends with OUTCOME_INTERRUPTED, files half written are removed. */
int command_is_interrupted(void);

#endif
