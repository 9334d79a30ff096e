/* preset_explain.h - what to enter in each tool's import dialogue. Sizes of 0 and ranges of NAN are not known and printed as W, LO
 * and HI. */
#ifndef TERRANE_EXPORT_PRESET_EXPLAIN_H
#define TERRANE_EXPORT_PRESET_EXPLAIN_H

#include <stdio.h>

typedef struct export_job export_job;

void explain_unity(FILE *to, const export_job *job);
void explain_unreal(FILE *to, const export_job *job);
void explain_godot(FILE *to, const export_job *job);
void explain_gaea(FILE *to, const export_job *job);
void explain_worldmachine(FILE *to, const export_job *job);
void explain_blender(FILE *to, const export_job *job);
void explain_gdal(FILE *to, const export_job *job);

#endif
