/* world_file.c - names and text of world files. */
#include "export/world_file.h"

#include <stdio.h>
#include <strings.h>

#include "export/export_file.h"
#include "file/path_name.h"

void world_file_name(const char *path, const export_file *file, char name[1040])
{
    const export_format *format = file->format;
    const char *dot = path_dot(path);
    name[0] = '\0';
    if (format->world_ending && !file->is_south_first && *dot && strcasecmp(dot + 1, format->ending) == 0)
        snprintf(name, 1040, "%.*s.%s", (int)(dot - path), path, format->world_ending);
}

/** The affine transform from columns and rows to metres east and north; the last two numbers are the first sample's place. */
void world_file_text(const export_file *file, char *text, size_t size)
{
    const double step = export_file_spacing_m(file), spacing = file->world.spacing;
    snprintf(text, size, "%.17g\n0\n0\n%.17g\n%.17g\n%.17g\n", step, -step, (double)file->x * spacing,
             0.0 - (double)file->z * spacing);
}
