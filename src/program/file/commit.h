/* commit.h - complete files get their names: one alone, or several that belong together. */
#ifndef TERRANE_PROGRAM_FILE_COMMIT_H
#define TERRANE_PROGRAM_FILE_COMMIT_H

#include "program/file/output_file.h"

/** Complete the file: it gets its name, which no other process has taken meanwhile unless files may be replaced. The
 * file is closed, also on error, when it is discarded too; a kept one stays open, and locked, until it is discarded. */
outcome output_file_commit(output_file *file);

/** Complete files that belong together, 1 to OUTPUT_FILES_MAX of one folder; the last is the one that the others
 * describe. Either all get their names or, on error, those of before stay. A process killed meanwhile leaves the last
 * one absent, or all complete: never one beside what describes another. */
outcome output_files_commit(output_file *const files[], int count);

/** The same where files are replaced by others that describe them no longer: those of `stale` are removed in the same
 * step.
 *
 *  stale  n_stale names, at most OUTPUT_FILES_MAX, in the folder of the files */
outcome output_files_commit_over(output_file *const files[], int count, const char *const stale[], int n_stale);

/** Write a whole text file; `replace` and `is_durable` are those of an output_file. */
outcome output_file_text(const char *path, const char *text, bool replace, bool is_durable);

#endif
