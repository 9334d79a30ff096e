/* river_lines.h - checks, copies and hashes the lines of rivers of a guide. */
#ifndef TERRANE_GUIDE_RIVER_LINES_H
#define TERRANE_GUIDE_RIVER_LINES_H

#include "library/guide/definition.h"

/** Check the rivers of options, and copy them. to: its member `rivers` receives the copies, or NULL if there are none
 *
 *  Errors  TER_EINVAL a number is out of range, or a vertex lies outside the guide's pixels; TER_ENOMEM
 */
ter_status guide_copy_rivers(const ter_guide_options *from, ter_guide_options *to);

/** Free the rivers that guide_copy_rivers has made. */
void guide_free_rivers(ter_guide_options *options);

/** SHA-256 as ter_guide_river_checksum describes it; all 0 without rivers. */
void guide_hash_rivers(const ter_guide_options *options, unsigned char digest[TER_SHA256_BYTES]);

#endif
