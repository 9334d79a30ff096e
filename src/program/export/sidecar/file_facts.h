/* file_facts.h - facts about a written file: least and greatest number, clamped samples, checksum. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_FILE_FACTS_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_FILE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "program/file/checksum.h"

/** Facts about a file, or about a part of its samples. */
typedef struct file_facts {
    float min_m, max_m; /* least and greatest sample that is not NaN; metres, or for other layers in their unit */
    uint64_t n_clamped; /* samples that lay outside the file's range and were set to its nearer end; 0 if samples are
                           not scaled */
    char checksum[CHECKSUM_TEXT]; /* empty if not known */
} file_facts;

/** Facts to which no samples have been added yet. */
file_facts file_facts_none(void);

/** Whether at least one sample is a number, not NaN. */
bool file_facts_has_numbers(const file_facts *facts);

/** Add the facts of more samples. */
void file_facts_add(file_facts *facts, const file_facts *more);

#endif
