/* cancel.h - asks the caller of the library whether a generator must stop its work. */
#ifndef TERRANE_CORE_CANCEL_H
#define TERRANE_CORE_CANCEL_H

#include <stdbool.h>

#include "library/core/status.h"

/** Copies of two members of ter_generator_options. If is_cancelled is NULL, work is never cancelled. */
typedef struct ter_cancel {
    int (*is_cancelled)(void *user);
    void *user;
} ter_cancel;

static inline bool ter_is_cancelled(const ter_cancel *cancel)
{
    return cancel->is_cancelled && cancel->is_cancelled(cancel->user);
}

/** Check that the caller has not cancelled the work. Errors TER_ECANCELLED it has */
static inline ter_status ter_check_cancelled(const ter_cancel *cancel)
{
    return ter_is_cancelled(cancel) ? ter_fail(TER_ECANCELLED, "interrupted") : TER_OK;
}

#endif
