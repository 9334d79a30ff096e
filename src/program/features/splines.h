/* splines.h - rivers as splines for game engines and Blender, with the script that makes them there. */
#ifndef TERRANE_PROGRAM_FEATURES_SPLINES_H
#define TERRANE_PROGRAM_FEATURES_SPLINES_H

#include "program/features/features.h"

/** Tools that splines are written for. */
typedef enum spline_tool { SPLINE_UNREAL, SPLINE_GODOT, SPLINE_UNITY, SPLINE_BLENDER, SPLINE_TOOLS } spline_tool;

/** Names of the tools: those of their presets; NULL-terminated. */
extern const char *const spline_tool_names[SPLINE_TOOLS + 1];

/** Ending of the file with the splines: "json", or "tres" for Godot. */
const char *spline_ending(spline_tool tool);

/** Check a job before its world is made; its format is not read. Errors as features_check, and RESULT_USAGE features
 * other than rivers, or a file name with another ending */
result splines_check(const features_job *job, spline_tool tool, const ter_params *params);

/** Write the rivers of a job, and beside them the script, which has the same name and the ending of its language.
 * Errors RESULT_FILE; RESULT_INTERRUPTED; RESULT_FAILED */
result splines_export(const features_job *job, spline_tool tool, const work_events *events, features_report *report);

#endif
