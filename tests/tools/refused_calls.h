/* refused_calls.h - checks that a call fails with the right status and a sentence that names the fault. */
#ifndef TER_TESTS_REFUSED_CALLS_H
#define TER_TESTS_REFUSED_CALLS_H

#include "backend_under_test.h"

/** Check that a call failed with a status and a sentence that contains `words`. */
static inline void check_failed(ter_status expected, ter_status status, const char *call, const char *words)
{
    if (status != expected)
        fail_msg("%s: %s, expected: %s", call, ter_status_text(status), ter_status_text(expected));
    if (!strstr(ter_error_detail(), words))
        fail_msg("%s: '%s', expected '%s'", call, ter_error_detail(), words);
}

/** Check that a call failed because of a NULL. The sentence must begin with the argument's name in the public header,
 * not with the name of a function, because an internal function may have checked the argument. */
static inline void check_null(ter_status status, const char *call, const char *words)
{
    check_failed(TER_EINVAL, status, call, words);
    if (strncmp(ter_error_detail(), words, strlen(words)) != 0)
        fail_msg("%s: '%s', expected it to begin with '%s'", call, ter_error_detail(), words);
}

#define REFUSED(call, words)    check_failed(TER_EINVAL, (call), #call, (words))
#define NULL_OF(call, name)     check_null((call), #call, name " is NULL")
#define NO_BACKEND(call, words) check_failed(TER_ENOBACKEND, (call), #call, (words))

#endif
