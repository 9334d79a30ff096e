/* interrupt.h - handles the signals that end the program. */
#ifndef TERRANE_PROGRAM_CLI_INTERRUPT_H
#define TERRANE_PROGRAM_CLI_INTERRUPT_H

/** Install the signal handlers.
 *
 * SIGINT, SIGTERM, SIGQUIT and SIGHUP ask the command to end: command_is_interrupted becomes true, the command removes
 * its unfinished files and ends with RESULT_INTERRUPTED. If it has not ended within a second, for example because a
 * driver or a disk does not respond, the process ends at once: unfinished files are removed, programs that it has
 * started are killed, and the exit status is the same. A second signal ends the process at once too. If SIGHUP was
 * ignored before, as under nohup, it stays ignored. SIGPIPE and SIGXFSZ are ignored, so that the write fails instead.
 *
 *  command  name in the message of a process that ends at once
 */
void interrupt_watch(const char *command);

/** From now on the first signal ends the process at once, with the same exit status. For commands that have no
 * unfinished files.
 *
 *  message  a line for standard error; must stay valid. NULL: signals ask the command to end, as before
 */
void interrupt_end_at_once(const char *message);

/** Whether a signal has asked the command to end. Any thread. */
int command_is_interrupted(void);

#endif
