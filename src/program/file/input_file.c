/* input_file.c - opens files without waiting, checks their kind, and reads them. */
#include "program/file/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

result input_file_open(const char *path, FILE **file, uint64_t *bytes)
{
    struct stat facts;
    *file = NULL;
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENXIO) /* open() fails so on a socket */
        return result_of(RESULT_FILE, "cannot read '%s': it is no regular file", path);
    if (descriptor < 0)
        return result_of_file("read", path);
    result res = fstat(descriptor, &facts) == 0 ? result_done() : result_of_file("read", path);
    if (res.kind == RESULT_DONE && !S_ISREG(facts.st_mode))
        res =
            result_of(RESULT_FILE, "cannot read '%s': it is %s, expected a regular file", path, kind_of(facts.st_mode));
    *file = res.kind == RESULT_DONE ? fdopen(descriptor, "rb") : NULL;
    if (res.kind == RESULT_DONE && !*file)
        res = result_of(RESULT_FAILED, "no memory to read '%s'", path);
    if (!*file)
        close(descriptor);
    else if (bytes)
        *bytes = (uint64_t)facts.st_size;
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
