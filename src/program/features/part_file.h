/* part_file.h - FILE.part of an interrupted export: its first line describes the export, and a checksum covers all
 * bytes from there on. */
#ifndef TERRANE_PROGRAM_FEATURES_PART_FILE_H
#define TERRANE_PROGRAM_FEATURES_PART_FILE_H

#include "program/file/output_file.h"

typedef struct part_file {
    output_file file;
    checksum *sum; /* of all bytes that are written */
    uint64_t head; /* bytes of the first line */
} part_file;

/** Check that this build can make parts. Errors RESULT_USAGE */
result part_file_check(void);

/** Open the part of a file, or begin it. Discard it, also after an error.
 *
 *  path         of the complete file
 *  text         one line that describes the export
 *  expected     bytes of the complete part; 0 if not known
 *  may_replace  the part of another export
 *  has_more     receives whether the part was begun by the same export. Then the caller finds the last undamaged byte,
 *               adds the bytes up to it to the checksum, and cuts the part behind it. Otherwise the part has its first
 *               line only
 *  Errors       RESULT_FILE the part belongs to another export, program or process; RESULT_FAILED
 */
result part_file_open(part_file *part, const char *path, const char *text, uint64_t expected, bool may_replace,
                      bool *has_more);

/** Close the part, and remove it if the complete file is there. */
void part_file_close(part_file *part, bool is_complete);

#endif
