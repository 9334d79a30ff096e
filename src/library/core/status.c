/* status.c - status texts and the thread's error detail. */
#include <stdarg.h>
#include <stdio.h>

#include "library/core/status.h"

static _Thread_local char error_detail[512] = "";

const char *ter_status_text(ter_status status)
{
    static const char *const texts[] = {
#define TER_STATUS_TEXT(name, text) [name] = text,
        TER_STATUS_LIST(TER_STATUS_TEXT)
#undef TER_STATUS_TEXT
    };
    const size_t n = sizeof texts / sizeof texts[0];
    return (size_t)status < n ? texts[status] : "unknown status";
}

const char *ter_error_detail(void)
{
    return error_detail;
}

ter_status ter_fail(ter_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error_detail, sizeof error_detail, format, args);
    va_end(args);
    return status;
}

#define TER_TEXT_(x) #x
#define TER_TEXT(x)  TER_TEXT_(x)

const char *ter_version(void)
{
    return TER_TEXT(TER_VERSION_MAJOR) "." TER_TEXT(TER_VERSION_MINOR) "." TER_TEXT(TER_VERSION_PATCH);
}

int ter_version_number(void)
{
    return TER_VERSION_NUMBER;
}
