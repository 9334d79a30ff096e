/* input_file.c - opens files without waiting, checks their kind, and reads them. */
#include "program/file/input_file.h"

#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"

result input_file_open(const char *path, FILE **file, uint64_t *bytes)
{
    system_facts facts;
    *file = NULL;
    const int descriptor = system_open(path, SYSTEM_READ | SYSTEM_NO_WAIT);
    if (descriptor < 0 && errno == ENXIO) /* open() fails so on a socket */
        return result_of(RESULT_FILE, "cannot read '%s': it is no regular file", path);
    if (descriptor < 0)
        return result_of_file("read", path);
    result res = system_facts_of_open(descriptor, &facts) ? result_done() : result_of_file("read", path);
    if (res.kind == RESULT_DONE && facts.kind != SYSTEM_FILE)
        res = result_of(RESULT_FILE, "cannot read '%s': it is %s, expected a regular file", path,
                        system_kind_text(facts.kind));
    *file = res.kind == RESULT_DONE ? fdopen(descriptor, "rb") : NULL;
    if (res.kind == RESULT_DONE && !*file)
        res = result_of(RESULT_FAILED, "no memory to read '%s'", path);
    if (!*file)
        system_close(descriptor);
    else if (bytes)
        *bytes = facts.bytes;
    return res;
}

result input_file_text(const char *path, size_t most, char **text)
{
    FILE *file;
    *text = NULL;
    result res = input_file_open(path, &file, NULL);
    if (res.kind != RESULT_DONE)
        return res;
    char *bytes = malloc(most + 1);
    const size_t n = bytes ? fread(bytes, 1, most + 1, file) : 0;
    if (!bytes)
        res = result_of(RESULT_FAILED, "no memory to read '%s'", path);
    else if (ferror(file))
        res = result_of_file("read", path);
    else if (n > most)
        res = result_of(RESULT_FILE, "cannot read '%s': it has more than %zu bytes", path, most);
    fclose(file);
    if (res.kind != RESULT_DONE) {
        free(bytes);
        return res;
    }
    bytes[n] = '\0';
    *text = bytes;
    return res;
}
