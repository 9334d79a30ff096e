/* cancel.h - asks the caller whether to stop a generator's work. For sources of the library. */
#ifndef TERRANE_CORE_CANCEL_H
#define TERRANE_CORE_CANCEL_H

#include <stdbool.h>

#include "library/core/status.h"

/** Members of ter_generator_options; all zero: work is never cancelled. */
typedef struct ter_cancel {
    int (*is_cancelled)(void *user);
    void *user;
} ter_cancel;

static inline bool ter_is_cancelled(const ter_cancel *cancel)
{
    return cancel->is_cancelled && cancel->is_cancelled(cancel->user);
}

/** Errors TER_ECANCELLED */
static inline ter_status ter_check_cancelled(const ter_cancel *cancel)
{
    return ter_is_cancelled(cancel) ? ter_fail(TER_ECANCELLED, "interrupted") : TER_OK;
}

#endif
