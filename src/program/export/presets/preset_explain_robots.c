/* preset_explain_robots.c - prints lines for the models of robot simulators: MuJoCo, Gazebo, Isaac. */
#include <math.h>

#include "program/export/presets/preset_explain.h"
#include "program/export/sidecar/sidecar.h"
#include "program/file/path_name.h"

enum { LINES_MAX = 1024 };

/** Print a number, or `otherwise` if it is NAN. */
static void print_number(FILE *to, double value, const char *otherwise)
{
    if (isnan(value))
        fputs(otherwise, to);
    else
        fprintf(to, "%.9g", value);
}

/** Find the least and the greatest height of a file: from its sidecar; without a sidecar, from the sheet. */
static void find_heights(const import_sheet *s, const char *path, double heights_m[2])
{
    export_file found;
    file_facts facts;
    heights_m[0] = s->least_m;
    heights_m[1] = s->greatest_m;
    if (sidecar_read(path, &found, &facts).kind == RESULT_DONE) {
        heights_m[0] = (double)facts.min_m;
        heights_m[1] = (double)facts.max_m;
    }
}

/** A tile with its place and its heights. */
typedef struct placed {
    const char *file;    /* name without folder */
    int name_length;     /* length of the name without its ending */
    double east, north;  /* from the middle of the set to the middle of the tile, metres */
    double heights_m[2]; /* least and greatest */
} placed;

typedef void (*print_tile)(FILE *to, const import_sheet *sheet, const placed *tile);

/** Call `print` for each file of heights of a plan; in --help, once, with letters in place of numbers. */
static void for_each_tile(FILE *to, const import_sheet *s, print_tile print)
{
    const export_plan *plan = s->plan;
    if (!plan) {
        const placed letters = {"FILE", 4, 0.0, 0.0, {NAN, NAN}};
        print(to, s, &letters);
        return;
    }
    int n_printed = 0;
    for (int64_t n = 0; n < plan->n_files && n_printed < LINES_MAX; n++) {
        planned_file f;
        export_plan_file(plan, export_plan_number(plan, n), &f);
        if (f.file.layer != EXPORT_HEIGHT)
            continue;
        placed tile = {.file = path_base(f.path)};
        tile.name_length = (int)(path_dot(f.path) - tile.file);
        const double half_east = (double)(plan->whole.width - plan->tile_width) / 2.0,
                     half_south = (double)(plan->whole.height - plan->tile_height) / 2.0;
        tile.east = ((double)f.column - half_east) * s->sample_m;
        tile.north = 0.0 - ((double)f.row - half_south) * s->sample_m;
        find_heights(s, f.path, tile.heights_m);
        print(to, s, &tile);
        n_printed++;
    }
    if (n_printed == LINES_MAX)
        fprintf(to, "    and so on; heights stand in the sidecars as min_m and max_m\n");
}

/* ---- MuJoCo ---- */

static void print_hfield(FILE *to, const import_sheet *s, const placed *t)
{
    static const double LEAST_SIZE = 1e-3; /* sizes must be positive */
    static const double BASE_M = 10.0;     /* height of the box under the lowest point */
    fprintf(to, "    <hfield name=\"%.*s\" file=\"%s\" size=\"", t->name_length, t->file, t->file);
    print_number(to, (s->width - 1.0) * s->sample_m / 2.0, "(W-1)*spacing/2");
    fputc(' ', to);
    print_number(to, (s->height - 1.0) * s->sample_m / 2.0, "(H-1)*spacing/2");
    fputc(' ', to);
    print_number(to, isnan(t->heights_m[0]) ? NAN : fmax(t->heights_m[1] - t->heights_m[0], LEAST_SIZE), "max_m-min_m");
    fprintf(to, " %g\"/>\n    <geom type=\"hfield\" hfield=\"%.*s\" pos=\"%.9g %.9g ", BASE_M, t->name_length, t->file,
            t->east, t->north);
    print_number(to, t->heights_m[0], "min_m");
    fprintf(to, "\"/>\n");
}

void explain_mujoco(FILE *to, const import_sheet *s)
{
    fprintf(to,
            "  MJCF: <hfield> goes into <asset>, <geom> into <worldbody>; x is east, y north, z up, the origin is "
            "the middle.\n"
            "  MuJoCo scales the heights of a file to 0..1 and multiplies them by size z: min_m and max_m are those "
            "of the file.\n");
    for_each_tile(to, s, print_hfield);
}

/* ---- Gazebo ---- */

static void print_heightmap(FILE *to, const import_sheet *s, const placed *t)
{
    /* Gazebo gives the brightest sample the height size z, whatever its value */
    const double step = (s->high_m - s->low_m) / 65535.0,
                 brightest = floor((t->heights_m[1] - s->low_m) / step + 0.5) * step;
    const double metres = (s->width - 1.0) * s->sample_m;
    fprintf(to, "    <model name=\"%.*s\"><static>true</static><pose>%.9g %.9g ", t->name_length, t->file, t->east,
            t->north);
    print_number(to, s->low_m, "LO");
    fprintf(
        to,
        " 0 0 0</pose><link name=\"land\">\n      <collision name=\"ground\"><geometry><heightmap><uri>%s</uri><size>",
        t->file);
    for (int axis = 0; axis < 2; axis++) {
        print_number(to, metres, "(W-1)*spacing");
        fputc(' ', to);
    }
    print_number(to, brightest, "max_m-LO");
    fprintf(
        to,
        "</size></heightmap></geometry></collision>\n      and the same <geometry> in a <visual>; </link></model>\n");
}

void explain_gazebo(FILE *to, const import_sheet *s)
{
    fprintf(to, "  SDF: x is east, y north, z up. Gazebo gives the brightest sample the height size z, so size z is "
                "that sample's height\n"
                "  over LO. The pose lifts the model by LO. Wheels feel the steps of 16-bit samples: a narrow --range "
                "keeps them small, and\n"
                "  a mesh (--format stl or obj --up z --max-error M) has none.\n");
    for_each_tile(to, s, print_heightmap);
}

/* ---- Isaac ---- */

static void print_mesh(FILE *to, const import_sheet *s, const placed *t)
{
    fprintf(to, "    mesh = trimesh.load(\"%s\", process=False)", t->file);
    if (s->is_set && s->plan)
        fprintf(to, "; mesh.apply_translation((%.9g, %.9g, -HEIGHT))", t->east - (s->width - 1.0) * s->sample_m / 2.0,
                t->north + (s->height - 1.0) * s->sample_m / 2.0);
    fprintf(to, "; heights ");
    print_number(to, t->heights_m[0], "min_m");
    fprintf(to, " to ");
    print_number(to, t->heights_m[1], "max_m");
    fprintf(to, " m\n");
}

/** Print the translation that moves the middle of the file, or of the set, to x = y = 0, where robots begin. */
static void print_move(FILE *to, const import_sheet *s)
{
    const bool is_known = s->plan != NULL;
    if (is_known && s->is_set) {
        fprintf(to, "  the translations below put the middle of the set at x = y = 0.\n");
        return;
    }
    fprintf(to, "  mesh.apply_translation((");
    print_number(to, is_known ? -(double)(s->plan->whole.width - 1) * s->sample_m / 2.0 : NAN, "-(W-1)*spacing/2");
    fprintf(to, ", ");
    print_number(to, is_known ? (double)(s->plan->whole.height - 1) * s->sample_m / 2.0 : NAN, "(H-1)*spacing/2");
    fprintf(to, ", -HEIGHT)) puts its middle at x = y = 0.\n");
}

void explain_isaac(FILE *to, const import_sheet *s)
{
    fprintf(to, "  Metres, x east, y north, z up, as stages of Isaac Sim are; the origin is the north-west corner of "
                "each file at\n"
                "  height 0.\n"
                "  Isaac Lab: TerrainImporter.import_mesh(NAME, mesh), once the mesh is where robots begin:\n");
    print_move(to, s);
    fprintf(to, "  Isaac Sim: the asset importer makes USD of the file; units metres, up axis z, collision "
                "approximation \"Triangle "
                "Mesh\".\n");
    for_each_tile(to, s, print_mesh);
}
