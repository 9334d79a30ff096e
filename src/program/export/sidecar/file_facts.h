/* file_facts.h - what is known of a file's numbers. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_FILE_FACTS_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_FILE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "program/file/checksum.h"

/** What is known of a file once it is written. */
typedef struct file_facts {
    float min_m, max_m;
    uint64_t n_clamped; /* samples outside the range */
    char checksum[CHECKSUM_TEXT];
} file_facts;

/** Facts of no samples. */
file_facts file_facts_none(void);

/** Whether any sample has a number. */
bool file_facts_has_numbers(const file_facts *facts);

/** Count more samples of a file. */
void file_facts_add(file_facts *facts, const file_facts *more);

#endif
