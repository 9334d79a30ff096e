/* commit.c - gives complete files their names: a single file, or several files that belong together.
 *
 * The steps by which a data file D and its sidecar J replace an older pair:
 *
 *     D  old  ->  aside        D is absent from here on: readers never find one D beside the sidecar of the other D
 *     stale   ->  aside        sidecars of the old D that the new D does not have
 *     J  old  ->  aside
 *     J  temporary  ->  J
 *     D  temporary  ->  D      both files have their names
 *     the files set aside are removed
 *
 * Each step is a rename that replaces nothing. After an error the renames are undone in reverse order. A process that
 * is killed meanwhile leaves a sidecar without its data file, and temporary files, which the next run removes. */
#include <errno.h>
#include <string.h>

#include "program/core/abandon.h"
#include "program/core/system.h"
#include "program/file/commit.h"
#include "program/file/folder.h"

/** A commit of files. */
typedef struct naming {
    output_file *const *files;
    int count;
    char aside[OUTPUT_FILES_MAX][TEMPORARY_PATH]; /* temporary name of the old file; empty for none */
    bool is_named[OUTPUT_FILES_MAX];              /* the new file has its name */
    const char *const *stale;                     /* names of files to remove */
    int n_stale;
    char stale_aside[OUTPUT_FILES_MAX][TEMPORARY_PATH];
} naming;

/** Write a durable file's bytes to the disk, and catch errors that the system reports only on close. A duplicate of the
 * descriptor is closed, because the file must stay open and locked until it has its name. */
static result finish_bytes(const output_file *file)
{
    if (file->is_durable && *file->temporary && !system_sync(file->descriptor))
        return result_of_file("write", file->path);
    return system_check_close(file->descriptor) ? result_done() : result_of_file("write", file->path);
}

/** Check that an existing file of this name may be replaced. */
static result check_name(const output_file *file)
{
    system_facts facts;
    if (!system_facts_of_name(file->path, &facts))
        return errno == ENOENT ? result_done() : result_of_file("write", file->path);
    errno = EISDIR;
    if (facts.kind == SYSTEM_FOLDER)
        return result_of_file("write", file->path);
    if (file->may_replace || (file->mark && output_file_may_replace(file->path, file->mark)))
        return result_done();
    return output_file_exists_already(file->path);
}

static result set_aside(const char *path, char aside[TEMPORARY_PATH])
{
    system_facts facts;
    if (!system_facts_of_name(path, &facts))
        return result_done();
    if (temporary_name(path, "", aside) && system_rename_new(path, aside))
        return result_done();
    aside[0] = '\0';
    return result_of_file("replace", path);
}

/** Whether the commit takes several renames. */
static bool has_several_steps(const naming *n)
{
    return n->count + n->n_stale > 1;
}

static result take_name(naming *n, int k)
{
    const output_file *file = n->files[k];
    /* a single file replaces the old one in one rename, so that the name always exists */
    n->is_named[k] = !has_several_steps(n) && file->may_replace ? system_rename_over(file->temporary, file->path)
                                                                : system_rename_new(file->temporary, file->path);
    if (n->is_named[k])
        return result_done();
    return errno == EEXIST ? output_file_exists_already(file->path) : result_of_file("write", file->path);
}

/** For durable files, write the renames made so far to the disk before those that follow. */
static result sync_names(const naming *n)
{
    return n->files[0]->is_durable ? folder_sync(n->files[0]->path) : result_done();
}

/** Set old files aside: the data file first, then stale sidecars, and last the sidecars that are replaced. From these,
 * the next run after an interruption learns which sidecars are stale. */
static result set_all_aside(naming *n)
{
    const int last = n->count - 1;
    result res = set_aside(n->files[last]->path, n->aside[last]);
    if (res.kind == RESULT_DONE && *n->aside[last])
        res = sync_names(n);
    for (int k = 0; k < n->n_stale && res.kind == RESULT_DONE; k++)
        res = set_aside(n->stale[k], n->stale_aside[k]);
    for (int k = last - 1; k >= 0 && res.kind == RESULT_DONE; k--)
        res = set_aside(n->files[k]->path, n->aside[k]);
    return res;
}

static result take_names(naming *n)
{
    const int last = n->count - 1;
    result res = result_done();
    for (int k = 0; k < n->count && res.kind == RESULT_DONE; k++)
        res = check_name(n->files[k]);
    if (res.kind == RESULT_DONE && has_several_steps(n))
        res = set_all_aside(n);
    for (int k = 0; k <= last && res.kind == RESULT_DONE; k++) {
        if (k == last && has_several_steps(n))
            res = sync_names(n);
        if (res.kind == RESULT_DONE)
            res = take_name(n, k);
    }
    return res;
}

static void undo_renames(naming *n)
{
    for (int k = n->count - 1; k >= 0; k--)
        if (n->is_named[k])
            system_rename_new(n->files[k]->path, n->files[k]->temporary);
    for (int k = 0; k < n->count; k++)
        if (*n->aside[k])
            system_rename_new(n->aside[k], n->files[k]->path);
    for (int k = 0; k < n->n_stale; k++)
        if (*n->stale_aside[k])
            system_rename_new(n->stale_aside[k], n->stale[k]);
}

static result commit_names(naming *n)
{
    int lock = -1;
    result res = has_several_steps(n) ? folder_lock(n->files[0]->path, &lock) : result_done();
    abandon_block();
    if (res.kind == RESULT_DONE)
        res = take_names(n);
    const bool is_named = res.kind == RESULT_DONE;
    if (is_named)
        res = sync_names(n);
    else
        undo_renames(n);
    for (int k = 0; k < n->count && is_named; k++)
        if (*n->aside[k])
            system_remove(n->aside[k]);
    for (int k = 0; k < n->n_stale; k++)
        if (*n->stale_aside[k])
            system_remove(n->stale_aside[k]);
    abandon_unblock();
    folder_unlock(lock);
    return res;
}

result output_files_commit_over(output_file *const files[], int count, const char *const stale[], int n_stale)
{
    naming n = {.files = files, .count = count, .stale = stale, .n_stale = n_stale};
    result res = result_done();
    for (int k = 0; k < count && res.kind == RESULT_DONE; k++)
        res = finish_bytes(files[k]);
    if (res.kind == RESULT_DONE && *files[0]->temporary)
        res = commit_names(&n);
    for (int k = 0; k < count; k++) {
        if (res.kind == RESULT_DONE) {
            abandon_forget_file(files[k]->temporary);
            files[k]->temporary[0] = '\0';
        }
        if (res.kind != RESULT_DONE || !files[k]->is_kept)
            output_file_discard(files[k]);
    }
    return res;
}

result output_files_commit(output_file *const files[], int count)
{
    return output_files_commit_over(files, count, NULL, 0);
}

result output_file_commit(output_file *file)
{
    output_file *const files[] = {file};
    return output_files_commit(files, 1);
}

result output_file_text(const char *path, const char *text, bool replace, bool is_durable)
{
    output_file file;
    result res = output_file_open(&file, path, 0, replace);
    file.is_durable = is_durable;
    if (res.kind == RESULT_DONE)
        res = output_file_write(&file, text, strlen(text));
    if (res.kind == RESULT_DONE)
        return output_file_commit(&file);
    output_file_discard(&file);
    return res;
}
