/* program_under_test.h - helps unit tests of the program: checks results, and makes a folder for the files of a test.
 */
#ifndef TER_TESTS_PROGRAM_UNDER_TEST_H
#define TER_TESTS_PROGRAM_UNDER_TEST_H

#include <sys/stat.h>
#include <unistd.h>

#include "backend_under_test.h"
#include "program/core/result.h"

/** If a result is not RESULT_DONE, fail and print its sentence. */
#define assert_done(call)                                                                                              \
    do {                                                                                                               \
        const result assert_done_result = (call);                                                                      \
        if (assert_done_result.kind != RESULT_DONE)                                                                    \
            fail_msg("%s: status %d: %s", #call, (int)assert_done_result.kind, assert_done_result.text);               \
    } while (0)

/** Fail unless a result is of the expected kind and its sentence contains `part`. */
#define assert_result(call, expected, part)                                                                            \
    do {                                                                                                               \
        const result assert_result_got = (call);                                                                       \
        if (assert_result_got.kind != (expected) || !strstr(assert_result_got.text, part))                             \
            fail_msg("%s: status %d, '%s'; expected status %d and '%s'", #call, (int)assert_result_got.kind,           \
                     assert_result_got.text, (int)(expected), part);                                                   \
    } while (0)

/** Setup of a group of tests: enter a new folder. Its path becomes the group's state. */
static inline int enter_folder(void **state)
{
    static char folder[512];
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/terrane-test-XXXXXX", parent && *parent ? parent : "/tmp");
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

/** Teardown of a group: remove the folder with its files. Tests must not make folders in it. */
static inline int leave_folder(void **state)
{
    char command[600];
    snprintf(command, sizeof command, "rm -f -- '%s'/* && rmdir -- '%s'", (const char *)*state, (const char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/** Write bytes to a file. */
static inline void put_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *path, const char *text)
{
    put_file(path, text, strlen(text));
}

/** Read all bytes of a file. A zero follows them. The caller frees them. */
static inline unsigned char *get_file(const char *path, size_t *count)
{
    struct stat facts;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &facts), 0);
    *count = (size_t)facts.st_size;
    unsigned char *bytes = calloc(*count + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *count, file), *count);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

#endif
