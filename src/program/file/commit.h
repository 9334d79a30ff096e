/* commit.h - gives complete files their names: a single file, or several files that belong together. */
#ifndef TERRANE_PROGRAM_FILE_COMMIT_H
#define TERRANE_PROGRAM_FILE_COMMIT_H

#include "program/file/output_file.h"

/** Give a complete file its name. Fails if another process has taken the name meanwhile, unless files may be replaced.
 * The file is closed in any case, and on error its bytes are discarded. A kept part stays open and locked until it is
 * discarded. */
result output_file_commit(output_file *file);

/** Give 1 to OUTPUT_FILES_MAX complete files of one folder their names together. The last file is the data file that
 * the others describe. On error the old files stay. If the process is killed meanwhile, either the last file is absent
 * or all files are complete: a data file never stands beside the sidecar of another data file. */
result output_files_commit(output_file *const files[], int count);

/** As output_files_commit, but also remove sidecars that describe only the old data file.
 *
 *  stale  names of n_stale sidecars, at most OUTPUT_FILES_MAX, in the folder of the files */
result output_files_commit_over(output_file *const files[], int count, const char *const stale[], int n_stale);

/** Write a whole text file. `replace` and `is_durable` have the meaning of output_file's members. */
result output_file_text(const char *path, const char *text, bool replace, bool is_durable);

#endif
