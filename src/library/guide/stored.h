/* stored.h - writes and reads finished tables of a guide as bytes, so that a later process need not make them. */
#ifndef TERRANE_GUIDE_STORED_H
#define TERRANE_GUIDE_STORED_H

#include "library/guide/definition.h"

/** Digest of everything that tables depend on: the guide, the parameters of the world, and the rules of this version.
 *
 *  f       parameters of the world, without a guide
 *  digest  receives TER_SHA256_BYTES bytes
 */
void guide_name_tables(const ter_guide *guide, const ter_fluvial *f, unsigned char *digest);

/** Number of bytes of stored tables. */
size_t guide_stored_size(const guide_tables *tables);

/** Write tables into guide_stored_size bytes. */
void guide_store_tables(const ter_guide *guide, const guide_tables *tables, void *out);

/** Read stored tables: `at`, `key`, `report` and `f` of the result.
 *
 *  Errors  TER_EINVAL the bytes are not tables, belong to another guide, world or version, or are damaged; TER_ENOMEM
 */
ter_status guide_read_stored(const ter_guide *guide, const ter_fluvial *f, const void *bytes, size_t size,
                             guide_tables *out);

#endif
