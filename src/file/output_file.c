/* output_file.c - temporary name, free-space check, rename. */
#include "file/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

void output_file_describe_bytes(double bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024.0 && unit < 4; unit++)
        bytes /= 1024.0;
    snprintf(text, 32, "%.*f %s", unit > 0, bytes, units[unit]);
}

/** The folder a path names a file in. */
static void folder_of(const char *path, char folder[1024])
{
    snprintf(folder, 1024, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    else
        strcpy(folder, ".");
}

uint64_t output_file_free_bytes(const char *path)
{
    char folder[1024];
    struct statvfs facts;
    folder_of(path, folder);
    if (statvfs(folder, &facts) != 0)
        return UINT64_MAX;
    return (uint64_t)facts.f_bavail * facts.f_frsize;
}

outcome output_file_check_folder(const char *path)
{
    char folder[1024];
    folder_of(path, folder);
    return !output_file_is_regular(path) || access(folder, W_OK) == 0 ? outcome_done() : outcome_of_file("write", path);
}

bool output_file_may_replace(const char *path, const char *mark)
{
    char begin[2048];
    FILE *file = fopen(path, "rb");
    if (!file)
        return errno == ENOENT;
    const size_t n = fread(begin, 1, sizeof begin - 1, file);
    fclose(file);
    begin[n] = '\0';
    return strstr(begin, mark) != NULL;
}

bool output_file_is_regular(const char *path)
{
    struct stat facts;
    return strcmp(path, "-") != 0 && (stat(path, &facts) != 0 || S_ISREG(facts.st_mode));
}

bool output_file_can_seek(const char *path)
{
    return output_file_is_regular(path) || strcmp(path, "/dev/null") == 0;
}

outcome output_file_no_space(const char *path, double needed)
{
    char wanted[32], is_free[32];
    output_file_describe_bytes(needed, wanted);
    output_file_describe_bytes((double)output_file_free_bytes(path), is_free);
    return outcome_of(OUTCOME_FILE, "cannot write '%s': %s (%s needed, %s free)", path, strerror(ENOSPC), wanted, is_free);
}

static outcome no_space(const output_file *file)
{
    if (file->expected == 0)
        return outcome_of(OUTCOME_FILE, "cannot write '%s': %s", file->path, strerror(ENOSPC));
    return output_file_no_space(file->path, (double)file->expected);
}

static outcome exists_already(const char *path)
{
    return outcome_of(OUTCOME_FILE, "'%s' exists already; --force replaces it", path);
}

/** Take the path; refuse a file that is there or does not fit. */
static outcome begin(output_file *file, const char *path, uint64_t expected, uint64_t present, bool replace)
{
    struct stat facts;
    *file = (output_file){.descriptor = -1, .expected = expected, .may_replace = replace};
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path)
        return outcome_of(OUTCOME_FILE, "file name of %zu characters, expected at most %zu", strlen(path), sizeof file->path - 1);
    if (!output_file_is_regular(path))
        return outcome_done();
    if (!replace && lstat(path, &facts) == 0)
        return exists_already(path);
    const uint64_t free_bytes = output_file_free_bytes(path);
    if (expected > present && expected - present > free_bytes)
        return no_space(file);
    return outcome_done();
}

outcome output_file_open(output_file *file, const char *path, uint64_t expected, bool replace)
{
    const outcome o = begin(file, path, expected, 0, replace);
    if (o.kind != OUTCOME_DONE)
        return o;
    if (strcmp(path, "-") == 0) {
        file->descriptor = STDOUT_FILENO;
        return outcome_done();
    }
    if (!output_file_is_regular(path)) { /* a device or a pipe: written in place */
        file->descriptor = open(path, O_WRONLY);
        return file->descriptor < 0 ? outcome_of_file("write", path) : outcome_done();
    }
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

outcome output_file_open_kept(output_file *file, const char *path, uint64_t expected, bool replace)
{
    char part[1056];
    struct stat facts;
    snprintf(part, sizeof part, "%s.part", path);
    const uint64_t present = stat(part, &facts) == 0 ? (uint64_t)facts.st_size : 0;
    const outcome o = begin(file, path, expected, present, replace);
    if (o.kind != OUTCOME_DONE)
        return o;
    file->is_kept = true;
    snprintf(file->temporary, sizeof file->temporary, "%s", part);
    file->descriptor = open(part, O_RDWR | O_CREAT, 0666);
    if (file->descriptor < 0)
        return outcome_of_file("write", part);
    if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(file->descriptor);
        file->descriptor = -1;
        return outcome_of(OUTCOME_FILE, "'%s' is being written by another process", part);
    }
    /* whoever had the lock may have completed the part meanwhile: then this is a file that has a name */
    struct stat here;
    if (fstat(file->descriptor, &here) != 0 || stat(part, &facts) != 0 || here.st_ino != facts.st_ino) {
        close(file->descriptor);
        file->descriptor = -1;
        return outcome_of(OUTCOME_FILE, "'%s' was completed by another process just now", path);
    }
    file->written = (uint64_t)here.st_size;
    return outcome_done();
}

outcome output_file_truncate(output_file *file, uint64_t bytes)
{
    if (ftruncate(file->descriptor, (off_t)bytes) != 0 || lseek(file->descriptor, (off_t)bytes, SEEK_SET) < 0)
        return outcome_of_file("write", file->temporary);
    file->written = bytes;
    return outcome_done();
}

/** Write all bytes: at a place, or, with offset -1, where the file ends. */
static outcome write_all(const output_file *file, const void *bytes, size_t count, off_t offset)
{
    const char *at = bytes;
    for (size_t done = 0; done < count;) {
        const ssize_t n = offset < 0 ? write(file->descriptor, at + done, count - done)
                                     : pwrite(file->descriptor, at + done, count - done, offset + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == ENOSPC ? no_space(file) : outcome_of_file("write", file->path);
        done += (size_t)n;
    }
    return outcome_done();
}

outcome output_file_write_at(output_file *file, const void *bytes, size_t count, uint64_t offset)
{
    const outcome o = write_all(file, bytes, count, (off_t)offset);
    const uint64_t end = offset + count;
    file->written = o.kind == OUTCOME_DONE && end > file->written ? end : file->written;
    return o;
}

static void add_to_sums(output_file *file, const void *bytes, size_t count)
{
    for (int n = 0; n < 2; n++)
        if (file->sums[n])
            checksum_add(file->sums[n], bytes, count);
}

outcome output_file_write(output_file *file, const void *bytes, size_t count)
{
    outcome o = outcome_done();
    const bool is_summed = file->sums[0] || file->sums[1];
    (void)is_summed; /* without OpenMP */
    /* A checksum takes a fifth of the time that the copy into the page cache takes: both at once. */
#pragma omp parallel sections num_threads(2) if (is_summed && count >= 1 << 20)
    {
#pragma omp section
        add_to_sums(file, bytes, count);
#pragma omp section
        o = write_all(file, bytes, count, -1);
    }
    file->written += o.kind == OUTCOME_DONE ? count : 0;
    return o;
}

static bool is_standard_output(const output_file *file)
{
    return strcmp(file->path, "-") == 0;
}

/** Give the temporary file its name. */
static bool take_name(const output_file *file)
{
    struct stat facts;
    if (file->may_replace)
        return rename(file->temporary, file->path) == 0;
    if (renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* a file system that cannot promise it: as near as it gets */
    if (lstat(file->path, &facts) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(file->temporary, file->path) == 0;
}

outcome output_file_commit(output_file *file)
{
    if (is_standard_output(file))
        return outcome_done();
    bool is_closed = true;
    if (!file->is_kept) {
        is_closed = close(file->descriptor) == 0;
        file->descriptor = -1;
    }
    if (!is_closed || (*file->temporary && !take_name(file))) {
        const outcome o = errno == EEXIST ? exists_already(file->path) : outcome_of_file("write", file->path);
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
    if (*file->temporary && !file->is_kept)
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
