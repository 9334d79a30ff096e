/* preset_help.c - prints the formats and sizes of presets, and chooses the instructions that apply to a plan. */
#include "program/export/presets/preset_help.h"

#include <string.h>

/* ---- what to enter ---- */

/** Whether a plan writes heights, and whether it writes other layers. */
static void look_at_layers(const export_plan *plan, bool *has_height, bool *has_others)
{
    *has_height = *has_others = false;
    for (int k = 0; k < plan->n_layers; k++)
        *(plan->layers[k].layer == EXPORT_HEIGHT ? has_height : has_others) = true;
}

/** Describe the numbers of other layers, for tools whose import has no place for them. */
static void explain_other_layers(FILE *to, const export_plan *plan)
{
    for (int k = 0; k < plan->n_layers; k++) {
        const export_layer *layer = &export_layers[plan->layers[k].layer];
        const export_format *format = plan->layers[k].format;
        if (layer == &export_layers[EXPORT_HEIGHT] || layer->channels)
            continue;
        fprintf(to, "  Layer %s: %s, %s %s\n", layer->name, format->name,
                export_format_is_scaled(format) ? "over the range in its sidecar," : "as they are,",
                strcmp(layer->unit, "1") == 0 ? "no unit" : layer->unit);
    }
}

void preset_explain(const preset *preset, FILE *to, const import_sheet *sheet)
{
    bool has_height = true, has_others = true;
    if (sheet->plan)
        look_at_layers(sheet->plan, &has_height, &has_others);
    if (has_height)
        preset->explain(to, sheet);
    if (has_others && preset->layers_help)
        fputs(preset->layers_help, to);
    else if (has_others && sheet->plan)
        explain_other_layers(to, sheet->plan);
}

/* ---- --help ---- */

void preset_print(const preset *preset)
{
    char formats[PRESET_FORMATS_TEXT];
    preset_list_formats(preset, formats);
    printf("%s: %s%s%s\n", preset->tool, formats, preset->sizes ? "; sizes " : "", preset->sizes ? preset->sizes : "");
}

void presets_print(void)
{
    printf("\nPresets, each for a tool; terrane export --preset NAME --help says what to enter in the tool\n");
    for (int n = 0; n < PRESETS; n++) {
        printf("  %-13s ", presets[n].name);
        preset_print(&presets[n]);
    }
}
