/* progress_bar.h - one line on a terminal that shows how far long work has come. */
#ifndef TERRANE_PROGRAM_CLI_PROGRESS_BAR_H
#define TERRANE_PROGRAM_CLI_PROGRESS_BAR_H

/** Show that a share, 0 to 1, of what `label` names is done. It may be called as often as one likes: the line is drawn
 * anew ten times a second at most, and only where standard error is a terminal and notes are wanted. */
void progress_bar_show(const char *label, double share);

/** End the line, if there is one, in its last state: what is printed next has a line of its own. */
void progress_bar_end(void);

#endif
