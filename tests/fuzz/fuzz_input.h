/* fuzz_input.h - helps the fuzz targets: makes a folder for each process, and writes the input to a file in it. */
#ifndef TER_TESTS_FUZZ_INPUT_H
#define TER_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/core/result.h"

/** libFuzzer or replay.c calls the first function once at the start, and the second for every input. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/** End the process if a condition is false. libFuzzer then reports the input. */
#define fuzz_assert(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static char fuzz_folder[64];

static inline void fuzz_remove_folder(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf -- '%s'", fuzz_folder);
    if (system(command) != 0)
        fprintf(stderr, "'%s' could not be removed\n", fuzz_folder);
}

/** Make a folder for this process, in memory if possible. It is removed when the process ends. The working directory
 * does not change, because libFuzzer looks for its corpus there. */
static inline void fuzz_enter_folder(void)
{
    snprintf(fuzz_folder, sizeof fuzz_folder, "%s/terrane-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    fuzz_assert(mkdtemp(fuzz_folder));
    atexit(fuzz_remove_folder);
}

/** Path of a file in the folder, valid until the next call. */
static inline const char *fuzz_path(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder, name);
    return path;
}

static inline void fuzz_put(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(fuzz_path(name), "wb");
    fuzz_assert(file);
    fuzz_assert(fwrite(bytes, 1, count, file) == count);
    fuzz_assert(fclose(file) == 0);
}

/** Check that a refusal has a complete sentence, and success has none. */
static inline void fuzz_check_result(const result *res)
{
    fuzz_assert(res->kind == RESULT_DONE || res->kind == RESULT_USAGE || res->kind == RESULT_FILE);
    fuzz_assert((res->kind == RESULT_DONE) == (res->text[0] == '\0'));
    fuzz_assert(memchr(res->text, '\0', sizeof res->text));
}

#endif
