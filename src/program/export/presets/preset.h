/* preset.h - the table of presets. A preset describes the files that a tool reads, and prints what to enter in the
 * tool's import dialogue. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_H

#include <stdio.h>

#include "program/export/formats/format.h"

typedef struct import_sheet import_sheet;

enum { PRESET_FORMATS_MAX = 4, PRESETS = 10, PRESET_FORMATS_TEXT = 64 };

typedef struct preset {
    const char *name;
    const char *tool;
    const char *formats[PRESET_FORMATS_MAX + 1]; /* names of formats that the tool reads; the first is the default */
    const char *sizes;                           /* the sides that the tool takes, in words; NULL: any */
    bool (*takes_size)(int64_t side);            /* whether the tool takes this side, samples */
    bool is_square;                              /* both sides must be equal */
    bool may_overlap, may_border;                /* tiles may have an overlap; a border */
    int overlap;                                 /* default overlap of tiles */
    const char *ending;                          /* ending of file names; NULL: the format's ending */
    const char *indices;    /* fields of a tile's indices in names; %d: the number of digits of the largest index */
    const char *layer_part; /* field of the layer in names of tiles, before the indices; NULL: _{layer} after them */
    bool may_reorder;       /* the tool asks for byte order and order of rows, so users may choose both */
    bool y_from_south, is_south_first, normalises_floats, is_marked_linear; /* see tile_set.h and export_file.h */
    bool is_green_south;       /* default of normal maps: green grows to the south, as in DirectX */
    bool is_z_up;              /* default of meshes: z points up */
    bool json_replaces_ending; /* the sidecar of a raw file such as a.r16 is a.json, which the tool reads */
    const char *channel;       /* name of the channel in OpenEXR files */
    const char *layers;      /* default of --layer for names with {layer}; NULL: the tool has no use for other layers */
    const char *layers_help; /* lines that say how to import these layers; NULL: print units and ranges instead */
    /** Find what the tool would misread in a file name without folder and ending. Returns NULL if there is nothing. */
    const char *(*misreads)(const char *name, bool is_set);
    void (*explain)(FILE *to, const import_sheet *sheet); /* prints what to enter in the tool's import dialogue */
} preset;

extern const preset presets[PRESETS];

/** Names of the presets, in order, NULL-terminated. */
extern const char *const preset_names[PRESETS + 1];

/** Whether the tool of a preset reads a format. */
bool preset_takes_format(const preset *preset, const export_format *format);

/** List the formats that the tool of a preset reads: "exr, r16 or r32". */
void preset_list_formats(const preset *preset, char text[PRESET_FORMATS_TEXT]);

#endif
