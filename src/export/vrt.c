/* vrt.c - XML for GDAL. */
#include "export/vrt.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/path_name.h"

enum { VRT_PATH = 1024 };

#define MARK "<!-- made by terrane -->"

/** Text that grows. */
typedef struct growing_text {
    char *text;
    size_t used, size;
    bool is_failed;
} growing_text;

__attribute__((format(printf, 2, 3))) static void add(growing_text *t, const char *format, ...)
{
    enum { PIECE_MAX = 4096 };
    if (t->size - t->used < PIECE_MAX) {
        char *larger = realloc(t->text, t->size * 2 + PIECE_MAX);
        t->is_failed |= larger == NULL;
        t->text = larger ? larger : t->text;
        t->size = larger ? t->size * 2 + PIECE_MAX : t->size;
    }
    if (t->is_failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->text + t->used, t->size - t->used, format, arguments);
    va_end(arguments);
}

/** The part of a path behind the last '/', with XML's own characters replaced. */
static void name_for_xml(const char *path, char *result, size_t size)
{
    size_t used = 0;
    for (const char *at = path_base(path); *at && used + 8 < size; at++) {
        const char *text = *at == '&' ? "&amp;" : *at == '<' ? "&lt;" : *at == '>' ? "&gt;" : NULL;
        if (text)
            used += (size_t)snprintf(result + used, size - used, "%s", text);
        else
            result[used++] = *at;
    }
    result[used] = '\0';
}

static outcome add_tile(growing_text *t, const export_job *job, int64_t n)
{
    char path[VRT_PATH], name[5 * VRT_PATH / 2];
    const tile_set *set = &job->tiles;
    const export_file *tile = &job->tile;
    const outcome o = export_job_path(job, n, path);
    if (o.kind != OUTCOME_DONE)
        return o;
    name_for_xml(path, name, sizeof name);
    add(t,
        "    <SimpleSource>\n      <SourceFilename relativeToVRT=\"1\">%s</SourceFilename>\n      <SourceBand>1</SourceBand>\n"
        "      <SrcRect xOff=\"%d\" yOff=\"%d\" xSize=\"%lld\" ySize=\"%lld\"/>\n"
        "      <DstRect xOff=\"%lld\" yOff=\"%lld\" xSize=\"%lld\" ySize=\"%lld\"/>\n    </SimpleSource>\n",
        name, set->border, set->border, (long long)tile->width, (long long)tile->height,
        (long long)(n % set->columns * (tile->width - set->overlap)), (long long)(n / set->columns * (tile->height - set->overlap)),
        (long long)tile->width, (long long)tile->height);
    return outcome_done();
}

bool vrt_is_possible(const export_job *job)
{
    return job->tiles.is_set && !job->tile.is_south_first && output_file_is_regular(job->path);
}

outcome vrt_check(const export_job *job)
{
    char path[VRT_PATH], first[VRT_PATH], name[5 * VRT_PATH / 2], mark[3 * VRT_PATH];
    const outcome o = export_job_path(job, 0, first);
    export_job_set_path(job, ".vrt", path);
    name_for_xml(first, name, sizeof name);
    snprintf(mark, sizeof mark, ">%s<", name);
    if (o.kind != OUTCOME_DONE || (output_file_may_replace(path, MARK) && output_file_may_replace(path, mark)))
        return o;
    return outcome_of(OUTCOME_FILE, "'%s' exists already and is not of this set; --force replaces it", path);
}

outcome vrt_write(const export_job *job)
{
    char path[VRT_PATH];
    growing_text t = {0};
    const export_file whole = export_job_whole(job);
    const double step = export_file_spacing_m(&whole), spacing = whole.world.spacing;
    const bool is_scaled = export_format_is_scaled(whole.format);
    outcome o = outcome_done();
    add(&t, "<VRTDataset rasterXSize=\"%lld\" rasterYSize=\"%lld\">\n  " MARK "\n", (long long)whole.width,
        (long long)whole.height);
    if (whole.format->envi_type || whole.format->has_place)
        add(&t, "  <GeoTransform>%.17g, %.17g, 0, %.17g, 0, %.17g</GeoTransform>\n", (double)whole.x * spacing - step / 2, step,
            -(double)whole.z * spacing + step / 2, -step);
    if (whole.format->has_place)
        add(&t, "  <SRS>LOCAL_CS[\"terrane\",UNIT[\"metre\",1,AUTHORITY[\"EPSG\",\"9001\"]],AXIS[\"Easting\",EAST],"
                "AXIS[\"Northing\",NORTH]]</SRS>\n  <Metadata>\n    <MDI key=\"AREA_OR_POINT\">Point</MDI>\n  </Metadata>\n");
    add(&t, "  <VRTRasterBand dataType=\"%s\" band=\"1\">\n    <Description>height</Description>\n",
        is_scaled ? "UInt16" : "Float32");
    if (is_scaled)
        add(&t, "    <UnitType>m</UnitType>\n    <Offset>%.17g</Offset>\n    <Scale>%.17g</Scale>\n", whole.range[0],
            (whole.range[1] - whole.range[0]) / 65535.0);
    for (int64_t n = 0; n < export_job_tiles(job) && o.kind == OUTCOME_DONE; n++)
        o = add_tile(&t, job, n);
    add(&t, "  </VRTRasterBand>\n</VRTDataset>\n");
    if (t.is_failed)
        o = outcome_of(OUTCOME_FAILED, "no memory for a .vrt");
    export_job_set_path(job, ".vrt", path);
    if (o.kind == OUTCOME_DONE)
        o = output_file_text(path, t.text, job->durable);
    free(t.text);
    return o;
}
