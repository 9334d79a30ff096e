/* file_names.h - the names of an export's files: a pattern whose fields {x}, {y} and {layer} are replaced file by file.
 */
#ifndef TERRANE_PROGRAM_EXPORT_JOB_FILE_NAMES_H
#define TERRANE_PROGRAM_EXPORT_JOB_FILE_NAMES_H

#include "program/core/result.h"
#include "program/export/job/tile_set.h"
#include "program/export/layers/layer.h"

enum { EXPORT_PATH_MAX = 1024 };

/** What all file names of an export are made from. */
typedef struct file_names {
    const char *pattern; /* "-" is standard output; {x} and {y} are a tile's indices, {x:3} an index with at least three
                            digits; {layer} is a layer's name */
    bool has_layers;     /* {layer} is a field; false: {layer} is ordinary text */
    int n_layers;        /* files of each tile, at least 1 */
    const char *layers[EXPORT_LAYERS];  /* name of each layer */
    const char *endings[EXPORT_LAYERS]; /* replaces the pattern's ending; NULL: the pattern's ending stays */
} file_names;

/** Make the name of one file. Files are numbered tile by tile, row by row from the north-west, and within a tile layer
 * by layer.
 *
 *  Errors  RESULT_USAGE the name is too long
 */
result file_names_path(const file_names *names, const tile_set *tiles, int64_t number, char path[EXPORT_PATH_MAX]);

/** Make the name of the file that joins all tiles of the k-th layer: the pattern without the indices and the characters
 * that join them to the name, and with another ending. */
void file_names_set_path(const file_names *names, int k, const char *ending, char path[EXPORT_PATH_MAX]);

/** Whether a pattern has {x} ('x') or {y} ('y') before `end`; with `end` NULL, anywhere. */
bool pattern_has_index(const char *pattern, char which, const char *end);

/** Whether a pattern has {layer} before `end`; with `end` NULL, anywhere. */
bool pattern_has_layer(const char *pattern, const char *end);

/** Whether a pattern has {lod} or {lod:2}, a level of detail. */
bool pattern_has_lod(const char *pattern);

/** Whether two files of several levels of detail may get the same name because the digits of {lod} and of an index run
 * together. */
bool pattern_has_ambiguous_lod(const char *pattern);

/** Replace {lod} in a pattern by a level of detail, also in the names of folders. Errors RESULT_USAGE the name is too
 * long */
result pattern_set_lod(const char *pattern, int lod, char path[EXPORT_PATH_MAX]);

/** Whether two tiles may get the same name because the digits of two indices run together: "111" may be 1, 11 or 11, 1.
 */
bool pattern_is_ambiguous(const char *pattern, const tile_set *tiles);

#endif
