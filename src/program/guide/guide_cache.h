/* guide_cache.h - keeps the finished tables of a guide in a file beside the guide's file. */
#ifndef TERRANE_PROGRAM_GUIDE_CACHE_H
#define TERRANE_PROGRAM_GUIDE_CACHE_H

#include "program/core/result.h"

/** Read the tables of the guide of `params`, which guide_open has made, from the file FILE.NAME.tables; NAME is the
 * beginning of the tables' name. If there is no such file, or it cannot be used, make the tables and write the file. A
 * file that cannot be used is replaced. The guide keeps the tables for the next world with these parameters.
 *
 *  say     is told why a file is not used or not written; that is no error
 *  Errors  as ter_world_create
 */
result guide_cache_use(const ter_params *params, void (*say)(const char *sentence));

#endif
