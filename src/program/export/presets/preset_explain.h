/* preset_explain.h - prints what to enter in the import dialogue of each tool. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_EXPLAIN_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_EXPLAIN_H

#include <stdio.h>

#include "program/export/job/plan.h"

/** The numbers that import dialogues ask for. Unknown numbers are NAN; a letter or a formula is printed for them. */
typedef struct import_sheet {
    const export_format *format; /* format of the files; NULL: explain all formats of the preset, as in --help */
    double width, height;        /* samples of a file, with its border */
    double low_m, high_m;        /* range of scaled samples */
    double least_m, greatest_m;  /* least and greatest height, if a single file was written */
    double sample_m;             /* distance of neighbouring samples */
    double step_m;               /* lattice step, the unit of coordinates */
    int epsg;                    /* coordinate system of the world's guide; 0: none */
    bool is_big_endian, is_south_first, is_set;
    int start, overlap, border;
    const export_plan *plan; /* NULL in --help */
} import_sheet;

/** Make the sheet of a plan that has been carried out. It refers to the plan. */
import_sheet import_sheet_of_plan(const export_plan *plan);

/** Make the sheet of options alone, for --help. A size of 0 and a range of NAN are unknown.
 *
 *  tile  a tile without its border
 */
import_sheet import_sheet_of_options(const export_file *tile, const tile_set *tiles);

/* Each function prints the instructions for one tool. */
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
