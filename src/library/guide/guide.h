/* guide.h - counts the users of a guide, and shares its tables among worlds. */
#ifndef TERRANE_GUIDE_GUIDE_H
#define TERRANE_GUIDE_GUIDE_H

#include "library/guide/definition.h"

/** Keep a guide: count one more user. The guide is const for worlds, because nothing about its heights changes. */
void guide_keep(const ter_guide *guide);

/** Take the tables of a guide for a world. They are made now if no other world of the guide has them.
 *
 *  f        parameters of the world, without a guide
 *  Errors   TER_EINVAL the guide does not fit the world; TER_ENOMEM; TER_ECANCELLED
 *  Threads  any, any number at once; a call waits while another one makes tables of the same guide
 */
ter_status guide_take_tables(const ter_guide *guide, const ter_fluvial *f, const guide_tables **out);

/** Give a guide tables that guide_store_tables has written. If the guide has tables for these parameters already,
 * nothing changes and the bytes are not checked.
 *
 *  f        parameters of the world, without a guide
 *  Errors   as guide_read_stored
 *  Threads  as guide_take_tables
 */
ter_status guide_restore_tables(const ter_guide *guide, const ter_fluvial *f, const void *bytes, size_t size);

/** Give up tables that were taken; NULL is allowed. */
void guide_leave_tables(const ter_guide *guide, const guide_tables *tables);

#endif
