/* output_file.c - checks names and free space, opens temporary files, and writes them. */
#include "program/file/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/abandon.h"
#include "program/core/system.h"
#include "program/core/tasks.h"
#include "program/file/folder.h"
#include "program/file/input_file.h"
#include "program/file/path_name.h"

void output_file_describe_bytes(double bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024.0 && unit < 4; unit++)
        bytes /= 1024.0;
    snprintf(text, 32, "%.*f %s", unit > 0, bytes, units[unit]);
}

uint64_t output_file_free_bytes(const char *path)
{
    char folder[FOLDER_PATH];
    folder_of(path, folder);
    return system_free_bytes(folder);
}

result output_file_check_folder(const char *path)
{
    char folder[FOLDER_PATH];
    folder_of(path, folder);
    if (!output_file_is_regular(path) || system_can_write_in(folder))
        return result_done();
    return result_of(RESULT_FILE, "cannot write '%s': folder '%s': %s", path, folder, strerror(errno));
}

bool output_file_may_replace(const char *path, const char *mark)
{
    char begin[2048];
    system_facts facts;
    FILE *file;
    if (!system_facts_of_name(path, &facts))
        return true; /* no file is there; if writing fails, its error says why */
    if (facts.kind != SYSTEM_FILE || input_file_open(path, &file, NULL).kind != RESULT_DONE)
        return false;
    const size_t n = fread(begin, 1, sizeof begin - 1, file);
    fclose(file);
    begin[n] = '\0';
    return strstr(begin, mark) != NULL;
}

bool output_file_is_regular(const char *path)
{
    system_facts facts;
    return strcmp(path, "-") != 0 && (!system_facts_of_target(path, &facts) || facts.kind == SYSTEM_FILE);
}

bool output_file_can_seek(const char *path)
{
    return output_file_is_regular(path) || system_path_is_null(path);
}

result output_file_no_space(const char *path, double needed)
{
    char needed_text[32], is_free[32];
    output_file_describe_bytes(needed, needed_text);
    output_file_describe_bytes((double)output_file_free_bytes(path), is_free);
    return result_of(RESULT_FILE, "cannot write '%s': %s (%s needed, %s free)", path, strerror(ENOSPC), needed_text,
                     is_free);
}

/** The result of a failed write, from errno. */
static result write_failure(const output_file *file)
{
    char written[32], is_free[32];
    if (errno == ENOSPC && file->expected > 0)
        return output_file_no_space(file->path, (double)file->expected);
    if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG)
        return result_of_file("write", file->path);
    const int error = errno;
    output_file_describe_bytes((double)file->written, written);
    output_file_describe_bytes((double)output_file_free_bytes(file->path), is_free);
    if (error == EFBIG)
        return result_of(RESULT_FILE,
                         "cannot write '%s': %s (%s written; the file system, or ulimit -f, allows no more)",
                         file->path, strerror(error), written);
    return result_of(RESULT_FILE, "cannot write '%s': %s (%s written, %s free)", file->path, strerror(error), written,
                     is_free);
}

result output_file_exists_already(const char *path)
{
    return result_of(RESULT_FILE, "'%s' exists already; --force replaces it", path);
}

result output_file_check_kind(const char *path)
{
    system_facts facts;
    if (!system_facts_of_name(path, &facts) || facts.kind == SYSTEM_FILE || facts.kind == SYSTEM_LINK)
        return result_done(); /* if the name cannot be used, opening the file says why */
    errno = EISDIR;
    if (facts.kind == SYSTEM_FOLDER)
        return result_of_file("write", path);
    return result_of(RESULT_FILE, "cannot write '%s': it is %s, expected a regular file, or nothing yet", path,
                     system_kind_text(facts.kind));
}

/** Initialise a file with its path. Refuse a name that the system does not allow. */
static result set_path(output_file *file, const char *path, uint64_t expected, bool replace)
{
    *file = (output_file){.descriptor = -1, .expected = expected, .may_replace = replace};
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path)
        return result_of(RESULT_FILE, "file name of %zu characters, expected at most %zu", strlen(path),
                         sizeof file->path - 1);
    const char *refusal = system_path_refusal(path);
    return refusal ? result_of(RESULT_FILE, "cannot write '%s': %s", path, refusal) : result_done();
}

/** Check that a regular file does not exist or may be replaced, and that the disk has space for it.
 *
 *  present  bytes of FILE.part that are on the disk already; 0 for files without FILE.part
 */
static result check_name_and_space(const output_file *file, uint64_t present)
{
    const char *path = file->path;
    const bool replace = file->may_replace;
    const uint64_t expected = file->expected;
    system_facts facts;
    const bool exists = system_facts_of_name(path, &facts);
    if (!exists && errno != ENOENT)
        return result_of_file("write", path);
    if (!replace && exists)
        return output_file_exists_already(path);
    const uint64_t free_bytes = output_file_free_bytes(path);
    if (expected > present && expected - present > free_bytes)
        return output_file_no_space(path, (double)expected);
    return result_done();
}

/** Initialise a file; check the name and the space of a regular one. */
static result begin(output_file *file, const char *path, uint64_t expected, uint64_t present, bool replace)
{
    const result res = set_path(file, path, expected, replace);
    return res.kind == RESULT_DONE && output_file_is_regular(path) ? check_name_and_space(file, present) : res;
}

/** Create the temporary file that will become `path`. */
static result create_temporary(output_file *file, const char *ending)
{
    char folder[FOLDER_PATH];
    file->descriptor = temporary_create(file->path, ending, file->temporary);
    if (file->descriptor >= 0)
        return result_done();
    const int reason = errno;
    folder_of(file->path, folder);
    if (reason == ENOENT && system_exists(folder)) /* such as /proc */
        return result_of(RESULT_FILE, "cannot write '%s': no file can be created in folder '%s'", file->path, folder);
    errno = reason;
    return result_of_file("write", file->path);
}

result output_file_open(output_file *file, const char *path, uint64_t expected, bool replace)
{
    const result res = begin(file, path, expected, 0, replace);
    if (res.kind != RESULT_DONE)
        return res;
    if (strcmp(path, "-") == 0) {
        file->descriptor = SYSTEM_OUTPUT;
        return result_done();
    }
    if (output_file_is_regular(path))
        return create_temporary(file, "");
    file->descriptor = system_open(path, SYSTEM_WRITE); /* a device or a pipe is written in place */
    return file->descriptor < 0 ? result_of_file("write", path) : result_done();
}

result output_file_open_beside(output_file *file, const char *path, uint64_t expected, bool replace)
{
    result res = set_path(file, path, expected, replace);
    if (res.kind == RESULT_DONE)
        res = output_file_check_kind(path);
    if (res.kind == RESULT_DONE)
        res = check_name_and_space(file, 0);
    return res.kind == RESULT_DONE ? create_temporary(file, "") : res;
}

result output_file_open_for_program(output_file *file, const char *path, bool replace)
{
    const result res = begin(file, path, 0, 0, replace);
    if (res.kind != RESULT_DONE)
        return res;
    if (!output_file_is_regular(path))
        return result_of(RESULT_FILE, "cannot write '%s': expected the name of a file, not of a device or a pipe",
                         path);
    return create_temporary(file, path_dot(path));
}

/** Open FILE.part, or create it. An existing FILE.part must be a file that this program can have made. */
static result open_part(output_file *file)
{
    enum { HOW = SYSTEM_READ | SYSTEM_WRITE | SYSTEM_NO_LINK | SYSTEM_NO_WAIT };
    system_facts facts;
    const char *part = file->temporary;
    file->descriptor = system_open(part, HOW | SYSTEM_CREATE);
    if (file->descriptor < 0 && errno == EEXIST)
        file->descriptor = system_open(part, HOW);
    if (file->descriptor < 0 && errno != ELOOP)
        return result_of_file("write", part);
    if (file->descriptor < 0 || !system_facts_of_open(file->descriptor, &facts) || !temporary_is_own(&facts))
        return result_of(RESULT_FILE,
                         "cannot write '%s': expected a regular file of this user, not a link; move it away", part);
    return result_done();
}

/** Lock the part. The process that had the lock before may have completed the file and given it its name meanwhile. */
static result lock_part(const output_file *file)
{
    system_facts opened, named;
    if (!system_lock(file->descriptor) && errno == EWOULDBLOCK)
        return result_of(RESULT_FILE, "'%s' is being written by another process", file->temporary);
    if (!system_facts_of_open(file->descriptor, &opened) || !system_facts_of_name(file->temporary, &named) ||
        opened.number != named.number || opened.device != named.device)
        return result_of(RESULT_FILE, "'%s' was completed by another process just now", file->path);
    return result_done();
}

result output_file_open_kept(output_file *file, const char *path, uint64_t expected, bool replace)
{
    char part[sizeof file->temporary];
    system_facts facts;
    snprintf(part, sizeof part, "%s.part", path);
    const uint64_t present = system_facts_of_name(part, &facts) ? facts.bytes : 0;
    result res = begin(file, path, expected, present, replace);
    if (res.kind != RESULT_DONE)
        return res;
    file->is_kept = true;
    strcpy(file->temporary, part);
    res = open_part(file);
    if (res.kind == RESULT_DONE)
        res = lock_part(file);
    if (res.kind == RESULT_DONE && system_facts_of_open(file->descriptor, &facts))
        file->written = facts.bytes;
    if (res.kind != RESULT_DONE)
        output_file_discard(file);
    return res;
}

result output_file_truncate(output_file *file, uint64_t bytes)
{
    if (!system_truncate(file->descriptor, bytes))
        return result_of_file("write", file->temporary);
    file->written = bytes;
    return result_done();
}

/** Write all bytes at an offset, or with offset -1 at the current position. */
static result write_all(const output_file *file, const void *bytes, size_t count, int64_t offset)
{
    const char *at = bytes;
    for (size_t done = 0; done < count;) {
        const int64_t n = offset < 0
                              ? system_write(file->descriptor, at + done, count - done)
                              : system_write_at(file->descriptor, at + done, count - done, (uint64_t)offset + done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO; /* neither written nor refused: an error, so that the loop ends */
        if (n <= 0)
            return write_failure(file);
        done += (size_t)n;
    }
    return result_done();
}

result output_file_write_at(output_file *file, const void *bytes, size_t count, uint64_t offset)
{
    const result res = write_all(file, bytes, count, (int64_t)offset);
    const uint64_t end = offset + count;
    file->written = res.kind == RESULT_DONE && end > file->written ? end : file->written;
    return res;
}

result output_file_read_at(const output_file *file, void *bytes, size_t count, uint64_t offset)
{
    unsigned char *out = bytes;
    for (size_t done = 0; done < count;) {
        const int64_t n = system_read_at(file->descriptor, out + done, count - done, offset + done);
        if (n <= 0)
            return result_of(RESULT_FILE, "cannot read '%s': it was changed meanwhile", file->temporary);
        done += (size_t)n;
    }
    return result_done();
}

static void add_to_sums(output_file *file, const void *bytes, size_t count)
{
    for (int n = 0; n < 2; n++)
        if (file->sums[n])
            checksum_add(file->sums[n], bytes, count);
}

/** A write whose checksum is computed at the same time by another thread. */
typedef struct summed_write {
    output_file *file;
    const void *bytes;
    size_t count;
    result written;
} summed_write;

static void do_half(void *user, int64_t half)
{
    summed_write *w = user;
    if (half == 0)
        w->written = write_all(w->file, w->bytes, w->count, -1);
    else
        add_to_sums(w->file, w->bytes, w->count);
}

result output_file_write(output_file *file, const void *bytes, size_t count)
{
    static const size_t LARGE_BYTES = 1 << 20; /* from this size on, a second thread computes the checksum */
    summed_write w = {.file = file, .bytes = bytes, .count = count};
    if (count >= LARGE_BYTES && (file->sums[0] || file->sums[1])) {
        tasks_run(2, do_half, &w);
    } else {
        do_half(&w, 0);
        do_half(&w, 1);
    }
    file->written += w.written.kind == RESULT_DONE ? count : 0;
    return w.written;
}

void output_file_discard(output_file *file)
{
    if (file->descriptor >= 0 && file->descriptor != SYSTEM_OUTPUT)
        system_close(file->descriptor);
    file->descriptor = -1;
    if (*file->temporary && !file->is_kept)
        system_remove(file->temporary);
    abandon_forget_file(file->temporary);
    file->temporary[0] = '\0';
}
