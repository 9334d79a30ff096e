/* tables.h - makes the tables of a guide, from the first step to the last. */
#ifndef TERRANE_GUIDE_TABLES_H
#define TERRANE_GUIDE_TABLES_H

#include "library/guide/definition.h"

/** Make tables: `at`, `key` and `report` of the result.
 *
 *  f       parameters of the world, without a guide
 *  Errors  as guide_take_tables
 */
ter_status guide_make_tables(const ter_guide *guide, const ter_fluvial *f, guide_tables *out);

#endif
