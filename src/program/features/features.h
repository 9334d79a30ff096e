/* features.h - an export of vector features: rivers, lakes, coasts, catchments, contours, peaks. */
#ifndef TERRANE_PROGRAM_FEATURES_FEATURES_H
#define TERRANE_PROGRAM_FEATURES_FEATURES_H

#include "program/core/events.h"
#include "program/features/feature_job.h"

/** Whether a feature comes from the network of rivers, which only basis fluvial has. */
bool feature_needs_rivers(feature kind);

/** Whether a feature is made from samples, which takes a generator. */
bool feature_needs_samples(feature kind);

/** Write the names of the samples that a job keeps in FILE.part, without those of world and place. */
void features_describe_samples(const features_job *job, char *text, size_t room);

/** Check a job before its world is made.
 *
 *  params  of the world
 *  Errors  RESULT_USAGE the basis has no rivers, the format cannot be written or holds one layer only, or the rectangle
 *          is too large; RESULT_FILE
 */
result features_check(const features_job *job, const ter_params *params);

/** Check the rectangle, the world and the folder of a job alone, without its format. Errors as features_check */
result features_check_place(const features_job *job, const ter_params *params);

/** Write the features of a rectangle. Errors RESULT_USAGE; RESULT_FILE; RESULT_INTERRUPTED; RESULT_FAILED */
result features_export(const features_job *job, const work_events *events, features_report *report);

#endif
