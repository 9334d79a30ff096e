/* progress_bar.c - draws the bar on standard error, at most every INTERVAL_S. */
#include "program/cli/progress_bar.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "program/cli/notes.h"
#include "program/core/clock.h"
#include "program/core/system.h"

enum { BAR = 40, AROUND = sizeof " [] 100 %" }; /* columns of the bar, and of the characters around it */
static const double INTERVAL_S = 0.1;

static struct {
    bool is_open;    /* the cursor of the terminal is on the bar's line */
    bool is_pending; /* the newest share is not drawn yet */
    char label[1024];
    double share;
    double drawn_s; /* time of the last drawing */
} bar;

/** Draw the line. It must fit the terminal, because a wrapped line cannot be overwritten: a long label is cut at its
 * beginning, and a narrow terminal shows only the percentage. */
static void draw(void)
{
    char filled[BAR + 1];
    const int count = (int)(bar.share * BAR), width = system_terminal_columns() - 1;
    const int room = width - AROUND - BAR, length = (int)strlen(bar.label);
    memset(filled, '.', BAR);
    memset(filled, '#', (size_t)count);
    filled[BAR] = '\0';
    if (room < 12)
        fprintf(stderr, "\r\033[K%3.0f %%", bar.share * 100.0);
    else if (length > room)
        fprintf(stderr, "\r\033[K...%s [%s] %3.0f %%", bar.label + length - room + 3, filled, bar.share * 100.0);
    else
        fprintf(stderr, "\r\033[K%s [%s] %3.0f %%", bar.label, filled, bar.share * 100.0);
    fflush(stderr);
    bar.is_open = true;
    bar.is_pending = false;
    bar.drawn_s = clock_now_s();
}

void progress_bar_show(const char *label, double share)
{
    if (!notes_are_wanted() || !system_is_terminal(fileno(stderr)))
        return;
    snprintf(bar.label, sizeof bar.label, "%s", label);
    bar.share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    bar.is_pending = true;
    if (!bar.is_open || clock_now_s() - bar.drawn_s >= INTERVAL_S)
        draw();
}

void progress_bar_end(void)
{
    if (!bar.is_open)
        return;
    if (bar.is_pending)
        draw();
    fputc('\n', stderr);
    bar.is_open = false;
}
