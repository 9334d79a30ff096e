/* owner_rows.h - the owner of each sample: the edge of the network that its water reaches first. An owner is a number
 * of 31 bits, so that owners lie in files like samples. */
#ifndef TERRANE_PROGRAM_FEATURES_OWNER_ROWS_H
#define TERRANE_PROGRAM_FEATURES_OWNER_ROWS_H

#include "program/core/result.h"
#include "program/features/feature_run.h"

enum { OWNER_NONE = -1 }; /* the water reaches the sea or a basin before any edge */

typedef struct owner_rows owner_rows;

/** Least area of an edge that can be an owner, as in ter_river_owners_options. */
double owner_least_area(const feature_run *run);

/** Create memory for the owners of at most `rows` rows. run: must stay valid. Returns NULL when there is no memory. */
owner_rows *owner_rows_create(const feature_run *run, int64_t rows);

void owner_rows_destroy(owner_rows *owners);

/** Find the owners of rows of samples, on all processors. They do not depend on how rows are taken together.
 *
 *  row     the first one; they are at most as many as in owner_rows_create
 *  out     width * rows owners, out[row * stride + column]
 *  Errors  RESULT_INTERRUPTED; RESULT_FAILED
 */
result owner_rows_fill(owner_rows *owners, int64_t row, int64_t rows, int32_t *out, int64_t stride);

/** The cell, column and row, of the edge that is an owner. */
void owner_cell(const feature_run *run, int32_t owner, int64_t cell[2]);

#endif
