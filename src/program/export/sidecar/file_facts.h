/* file_facts.h - facts about a written file: least and greatest number, clamped samples, checksum. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_FILE_FACTS_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_FILE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "program/file/checksum.h"

/** Facts about a file, or about a part of its samples. */
typedef struct file_facts {
    float min_m, max_m; /* least and greatest number, NaN left out; of layers other than heights, in their unit */
    uint64_t n_clamped; /* samples outside the range */
    char checksum[CHECKSUM_TEXT]; /* empty if not known */
} file_facts;

/** The facts of no samples. */
file_facts file_facts_none(void);

/** Whether at least one sample has a number. */
bool file_facts_has_numbers(const file_facts *facts);

/** Add the facts of more samples. */
void file_facts_add(file_facts *facts, const file_facts *more);

#endif
