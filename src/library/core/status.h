/* status.h - reports a failure: a status, and a sentence that is stored for the thread. */
#ifndef TERRANE_CORE_STATUS_H
#define TERRANE_CORE_STATUS_H

#include "library/core/printf_format.h"
#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Record the detail sentence of a failure, printf-style, and return `status`. */
TER_PRINTF(2, 3) ter_status ter_fail(ter_status status, const char *format, ...);

/** Return TER_EINVAL from the enclosing function when a pointer is NULL; the sentence names it. */
#define TER_REQUIRE(pointer) TER_REQUIRE_NAMED(pointer, #pointer)

/** As TER_REQUIRE, for a pointer that has another name in the public header. */
#define TER_REQUIRE_NAMED(pointer, name)                                                                               \
    do {                                                                                                               \
        if (!(pointer))                                                                                                \
            return ter_fail(TER_EINVAL, "%s is NULL", name);                                                           \
    } while (0)

/** As TER_REQUIRE, for an array, which may be NULL when it has no elements. */
#define TER_REQUIRE_ARRAY(array, count)                                                                                \
    do {                                                                                                               \
        if ((count) > 0)                                                                                               \
            TER_REQUIRE(array);                                                                                        \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
