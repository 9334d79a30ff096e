/* window_groups.h - windows that are made as one where that costs no more than each by itself. */
#ifndef TERRANE_FLUVIAL_CPU_WINDOW_GROUPS_H
#define TERRANE_FLUVIAL_CPU_WINDOW_GROUPS_H

#include <stddef.h>

#include "library/fluvial/window.h"

typedef struct ter_window_group {
    ter_window at;       /* around all of its windows */
    size_t first, count; /* they are windows order[first] .. order[first + count - 1] */
} ter_window_group;

typedef struct ter_grouping {
    const ter_window *windows;
    /** What `count` windows cost as the window around them; INFINITY where they are not to be made as one. */
    double (*cost)(const void *user, ter_window around, size_t count);
    const void *user;
} ter_grouping;

/** Halve windows by their places, again and again; halves become one group where its cost is no greater than theirs.
 *
 *  order   the numbers of `count` windows; they are brought into the order of the groups
 *  groups  receives them; room for `count`
 *  Returns how many they are
 */
size_t ter_group_windows(const ter_grouping *grouping, size_t *order, size_t count, ter_window_group *groups);

#endif
