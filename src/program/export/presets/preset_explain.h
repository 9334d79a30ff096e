/* preset_explain.h - what to enter in each tool's import dialogue. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_EXPLAIN_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_EXPLAIN_H

#include <stdio.h>

#include "program/export/job/plan.h"

/** The figures that import dialogues ask for. What is not known is NAN and printed as a letter or a formula. */
typedef struct import_sheet {
    const export_format *format; /* of the files; NULL in --help, where all formats of the preset are explained */
    double width, height;        /* samples of a file, with its border */
    double low_m, high_m;        /* the range of scaled samples */
    double least_m, greatest_m;  /* heights of the only file */
    double sample_m;             /* from sample to sample */
    double step_m;               /* of the lattice, which coordinates are counted in */
    bool is_big_endian, is_south_first, is_set;
    int start, overlap, border;
    const export_plan *plan; /* the files; NULL in --help */
} import_sheet;

/** The sheet of a plan that has been carried out. */
import_sheet import_sheet_of_plan(const export_plan *plan);

/** The sheet of options alone, for --help: sizes of 0 and a range of NAN are not known. */
import_sheet import_sheet_of_options(const export_job *job);

void explain_unity(FILE *to, const import_sheet *sheet);
void explain_unreal(FILE *to, const import_sheet *sheet);
void explain_godot(FILE *to, const import_sheet *sheet);
void explain_gaea(FILE *to, const import_sheet *sheet);
void explain_worldmachine(FILE *to, const import_sheet *sheet);
void explain_blender(FILE *to, const import_sheet *sheet);
void explain_gdal(FILE *to, const import_sheet *sheet);
void explain_mujoco(FILE *to, const import_sheet *sheet);
void explain_gazebo(FILE *to, const import_sheet *sheet);
void explain_isaac(FILE *to, const import_sheet *sheet);

#endif
