/* output_file.c - temporary name, free-space check, rename. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static double gib(uint64_t bytes)
{
    return (double)bytes / (1024.0 * 1024.0 * 1024.0);
}

/** Bytes free where the file will be, or UINT64_MAX when that cannot be told. */
static uint64_t free_bytes(const char *path)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    struct statvfs facts;
    if (statvfs(slash ? folder : ".", &facts) != 0)
        return UINT64_MAX;
    return (uint64_t)facts.f_bavail * facts.f_frsize;
}

static outcome no_space(const output_file *file)
{
    if (file->expected == 0)
        return outcome_of(OUTCOME_FILE, "cannot write '%s': %s", file->path, strerror(ENOSPC));
    return outcome_of(OUTCOME_FILE, "cannot write '%s': %s (%.1f GiB needed, %.1f GiB free)", file->path, strerror(ENOSPC),
                      gib(file->expected), gib(free_bytes(file->path)));
}

outcome output_file_open(output_file *file, const char *path, uint64_t expected, bool replace)
{
    *file = (output_file){.descriptor = -1, .expected = expected};
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path)
        return outcome_of(OUTCOME_FILE, "file name of %zu characters, expected at most %zu", strlen(path), sizeof file->path - 1);
    if (strcmp(path, "-") == 0) {
        file->descriptor = STDOUT_FILENO;
        return outcome_done();
    }
    struct stat facts;
    const bool exists = stat(path, &facts) == 0;
    if (exists && !S_ISREG(facts.st_mode)) { /* a device or a pipe: written in place */
        file->descriptor = open(path, O_WRONLY);
        return file->descriptor < 0 ? outcome_of_file("write", path) : outcome_done();
    }
    if (exists && !replace)
        return outcome_of(OUTCOME_FILE, "'%s' exists already; --force replaces it", path);
    if (expected > free_bytes(path))
        return no_space(file);
    snprintf(file->temporary, sizeof file->temporary, "%s.part-XXXXXX", path);
    file->descriptor = mkstemp(file->temporary);
    if (file->descriptor < 0) {
        file->temporary[0] = '\0';
        return outcome_of_file("write", path);
    }
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(file->descriptor, 0666 & ~mask);
    return outcome_done();
}

outcome output_file_write(output_file *file, const void *bytes, size_t count)
{
    const char *at = bytes;
    while (count > 0) {
        const ssize_t n = write(file->descriptor, at, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == ENOSPC ? no_space(file) : outcome_of_file("write", file->path);
        at += n;
        count -= (size_t)n;
        file->written += (uint64_t)n;
    }
    return outcome_done();
}

static bool is_standard_output(const output_file *file)
{
    return strcmp(file->path, "-") == 0;
}

outcome output_file_commit(output_file *file)
{
    if (is_standard_output(file))
        return outcome_done();
    const int closed = close(file->descriptor);
    file->descriptor = -1;
    if (closed != 0 || (*file->temporary && rename(file->temporary, file->path) != 0)) {
        const outcome o = outcome_of_file("write", file->path);
        output_file_discard(file);
        return o;
    }
    file->temporary[0] = '\0';
    return outcome_done();
}

void output_file_discard(output_file *file)
{
    if (file->descriptor >= 0 && !is_standard_output(file))
        close(file->descriptor);
    file->descriptor = -1;
    if (*file->temporary)
        unlink(file->temporary);
    file->temporary[0] = '\0';
}

outcome output_file_text(const char *path, const char *text)
{
    output_file file;
    outcome o = output_file_open(&file, path, 0, true);
    if (o.kind == OUTCOME_DONE)
        o = output_file_write(&file, text, strlen(text));
    if (o.kind == OUTCOME_DONE)
        return output_file_commit(&file);
    output_file_discard(&file);
    return o;
}
