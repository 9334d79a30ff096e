/* preset.h - the table of tools that heightmaps go to: what each reads, and what to enter in its import dialogue. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_H

#include <stdio.h>

#include "program/export/formats/format.h"

typedef struct import_sheet import_sheet;

enum { PRESET_FORMATS_MAX = 4, PRESETS = 10, PRESET_FORMATS_TEXT = 64 };

typedef struct preset {
    const char *name;
    const char *tool;
    const char *formats[PRESET_FORMATS_MAX + 1]; /* names of formats; the first is the default */
    const char *sizes;                           /* which sizes the tool takes, in words; NULL: any */
    bool (*takes_size)(int64_t side);
    bool is_square;
    bool may_overlap, may_border;
    int overlap;         /* default, of sets of tiles */
    const char *ending;  /* of file names; NULL: the format's */
    const char *indices; /* of tiles, before the ending: %d stands for the digits of the largest index */
    const char
        *layer_part;  /* what names of tiles get before the indices for several layers; NULL: _{layer} behind them */
    bool may_reorder; /* rows and bytes: the tool asks for them */
    bool y_from_south, is_south_first, normalises_floats, is_marked_linear;
    bool is_green_south;       /* of normal maps, as DirectX has it */
    bool is_z_up;              /* of meshes */
    bool json_replaces_ending; /* the sidecar of a raw file is NAME.json, which the tool reads */
    const char *channel;       /* of OpenEXR */
    const char
        *layers; /* written where a name has {layer} and none is asked for; NULL: the tool has no use for others */
    const char *layers_help; /* lines that say how it takes them */
    /** Whether the tool reads a file name, without folder and ending, as something else; returns what, or NULL. */
    const char *(*misreads)(const char *name, bool is_set);
    void (*explain)(FILE *to, const import_sheet *sheet); /* print what to enter in the tool's import dialogue */
} preset;

extern const preset presets[PRESETS];

/** Names of the presets, NULL-terminated, in order. */
extern const char *const preset_names[PRESETS + 1];

/** Whether a preset takes a format. */
bool preset_takes_format(const preset *preset, const export_format *format);

/** The formats a preset takes, in words: "exr, r16 or r32". */
void preset_list_formats(const preset *preset, char text[PRESET_FORMATS_TEXT]);

#endif
