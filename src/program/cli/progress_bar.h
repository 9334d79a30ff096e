/* progress_bar.h - a progress bar in one line of the terminal. */
#ifndef TERRANE_PROGRAM_CLI_PROGRESS_BAR_H
#define TERRANE_PROGRAM_CLI_PROGRESS_BAR_H

/** Show which share of the work `label` is done, 0..1. Call this as often as you like: the line is drawn at most ten
 * times per second, and only if standard error is a terminal and notes are wanted. */
void progress_bar_show(const char *label, double share);

/** Draw the newest share and end the line, so that other output begins on a new line. Without a bar, do nothing. */
void progress_bar_end(void);

#endif
