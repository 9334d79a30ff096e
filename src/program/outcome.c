/* outcome.c - making outcomes. */
#include "program/outcome.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

outcome outcome_done(void)
{
    return (outcome){.kind = OUTCOME_DONE};
}

outcome outcome_of(outcome_kind kind, const char *format, ...)
{
    outcome o = {.kind = kind};
    va_list args;
    va_start(args, format);
    vsnprintf(o.text, sizeof o.text, format, args);
    va_end(args);
    return o;
}

static outcome_kind kind_of(ter_status status)
{
    switch (status) {
    case TER_OK:
        return OUTCOME_DONE;
    case TER_EINVAL:
        return OUTCOME_USAGE;
    case TER_ENOBACKEND:
    case TER_EINTEROP:
        return OUTCOME_MISSING;
    default:
        return OUTCOME_FAILED;
    }
}

outcome outcome_of_library(ter_status status, const char *what)
{
    if (status == TER_OK)
        return outcome_done();
    return outcome_of(kind_of(status), "%s%s%s", what, *what ? ": " : "", ter_error_detail());
}

outcome outcome_of_file(const char *operation, const char *path)
{
    return outcome_of(OUTCOME_FILE, "cannot %s '%s': %s", operation, path, strerror(errno));
}
