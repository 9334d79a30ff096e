/* checksum.c - XXH3 by libxxhash; without libxxhash, functions that do nothing. */
#include "program/file/checksum.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef TER_HAVE_CHECKSUM

#include <xxhash.h>

#include "program/file/input_file.h"

struct checksum {
    XXH3_state_t *state;
};

bool checksum_is_possible(void)
{
    return true;
}

checksum *checksum_create(void)
{
    checksum *sum = malloc(sizeof *sum);
    if (!sum)
        return NULL;
    sum->state = XXH3_createState();
    if (!sum->state) {
        free(sum);
        return NULL;
    }
    checksum_reset(sum);
    return sum;
}

void checksum_reset(checksum *sum)
{
    XXH3_64bits_reset(sum->state);
}

void checksum_add(checksum *sum, const void *bytes, size_t count)
{
    XXH3_64bits_update(sum->state, bytes, count);
}

void checksum_copy(checksum *sum, const checksum *other)
{
    XXH3_copyState(sum->state, other->state);
}

void checksum_text(const checksum *sum, char text[CHECKSUM_TEXT])
{
    snprintf(text, CHECKSUM_TEXT, "xxh3:%016llx", (unsigned long long)XXH3_64bits_digest(sum->state));
}

void checksum_destroy(checksum *sum)
{
    if (sum)
        XXH3_freeState(sum->state);
    free(sum);
}

result checksum_of_file(const char *path, bool (*go_on)(void *user), void *user, char text[CHECKSUM_TEXT])
{
    enum { BYTES = 1 << 20 };
    result res = result_done();
    checksum *sum = checksum_create();
    unsigned char *bytes = malloc(BYTES);
    FILE *file = NULL;
    text[0] = '\0';
    if (!sum || !bytes)
        res = result_of(RESULT_FAILED, "no memory for a checksum");
    else
        res = input_file_open(path, &file, NULL);
    for (size_t n; res.kind == RESULT_DONE && (n = fread(bytes, 1, BYTES, file)) > 0;) {
        checksum_add(sum, bytes, n);
        if (go_on && !go_on(user))
            res = result_of(RESULT_INTERRUPTED, "interrupted while reading '%s'", path);
    }
    if (res.kind == RESULT_DONE && ferror(file))
        res = result_of_file("read", path);
    if (res.kind == RESULT_DONE)
        checksum_text(sum, text);
    if (file)
        fclose(file);
    free(bytes);
    checksum_destroy(sum);
    return res;
}

#else

bool checksum_is_possible(void)
{
    return false;
}

checksum *checksum_create(void)
{
    return NULL;
}

void checksum_reset(checksum *sum)
{
    (void)sum;
}

void checksum_add(checksum *sum, const void *bytes, size_t count)
{
    (void)sum, (void)bytes, (void)count;
}

void checksum_copy(checksum *sum, const checksum *other)
{
    (void)sum, (void)other;
}

void checksum_text(const checksum *sum, char text[CHECKSUM_TEXT])
{
    (void)sum;
    text[0] = '\0';
}

void checksum_destroy(checksum *sum)
{
    (void)sum;
}

result checksum_of_file(const char *path, bool (*go_on)(void *user), void *user, char text[CHECKSUM_TEXT])
{
    (void)path, (void)go_on, (void)user;
    text[0] = '\0';
    return result_done();
}

#endif
