/* window_groups.h - divides windows into groups, each of which is made as one window, where that costs no more than to
 * make them one by one. */
#ifndef TERRANE_FLUVIAL_WINDOW_GROUPS_H
#define TERRANE_FLUVIAL_WINDOW_GROUPS_H

#include <stddef.h>

#include "library/fluvial/window.h"

typedef struct ter_window_group {
    ter_window at;       /* contains all windows of the group */
    size_t first, count; /* these are windows order[first] .. order[first + count - 1] */
} ter_window_group;

/** Windows to group, how their cost is found, and where the groups are written. */
typedef struct ter_grouping {
    /** Window n. */
    ter_window (*window)(const void *user, size_t n);
    /** Cost of making `count` windows as the window `around` them; INFINITY if they may not be grouped. */
    double (*cost)(const void *user, ter_window around, size_t count);
    /** Write group n. A later call for the same n replaces it. */
    void (*set)(void *user, size_t n, const ter_window_group *group);
    void *user;
} ter_grouping;

/** Group windows.
 *
 *  order    indices of `count` windows; sorted by groups when this returns
 *  Returns  the number of groups
 */
size_t ter_group_windows(const ter_grouping *grouping, size_t *order, size_t count);

#endif
