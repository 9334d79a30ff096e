/* terrane/status.h - version, status codes, and what all other headers need. */
#ifndef TERRANE_STATUS_H
#define TERRANE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks the functions of the library. On Windows a list that the build makes from these headers says which functions
 * libterrane.dll exports. */
#if defined(__GNUC__) && !defined(_WIN32)
#define TER_API __attribute__((visibility("default")))
#else
#define TER_API
#endif

/** First member in the initialiser of a structure that begins with struct_size; see terrane.h. */
#define TER_SIZED(type) .struct_size = sizeof(type)

#define TER_VERSION_MAJOR  0
#define TER_VERSION_MINOR  1
#define TER_VERSION_PATCH  0
#define TER_VERSION_NUMBER (TER_VERSION_MAJOR * 1000000 + TER_VERSION_MINOR * 1000 + TER_VERSION_PATCH)

/** Version of the library, "major.minor.patch". Static, never NULL.
 *
 *  While the major version is 0, libraries of one minor version are compatible: programs that were compiled against an
 *  older patch run with a newer one. The shared library's name has major and minor version: libterrane.so.0.1. */
TER_API const char *ter_version(void);

/** Version of the library as a number: major * 1,000,000 + minor * 1,000 + patch. Compare with TER_VERSION_NUMBER. */
TER_API int ter_version_number(void);

/* Status: one list makes the enum and its texts. */
#define TER_STATUS_LIST(X)                                                                                             \
    X(TER_OK, "done")                                                                                                  \
    X(TER_EINVAL, "invalid argument")                                                                                  \
    X(TER_ENOMEM, "out of memory")                                                                                     \
    X(TER_ENOBACKEND, "no such backend or device")                                                                     \
    X(TER_EDEVICE, "device failure")                                                                                   \
    X(TER_EINTEROP, "OpenGL and CUDA cannot share memory here")                                                        \
    X(TER_ECANCELLED, "cancelled")

typedef enum ter_status {
#define TER_STATUS_ENUM(name, text) name,
    TER_STATUS_LIST(TER_STATUS_ENUM)
#undef TER_STATUS_ENUM
} ter_status;

/** Text of a status: a few words, static, never NULL, for any value. */
TER_API const char *ter_status_text(ter_status status);

/** Reason of this thread's last failure.
 *
 *  Returns  one sentence, never NULL, empty before the first failure; valid until the next failing call of this thread
 */
TER_API const char *ter_error_detail(void);

#ifdef __cplusplus
}
#endif

#endif
