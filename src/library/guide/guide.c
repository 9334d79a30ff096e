/* guide.c - creates guides: checks options, normalises heights; counts users of guides and of their tables. */
#include "library/guide/guide.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/core/system.h"
#include "library/guide/river_lines.h"
#include "library/guide/stored.h"
#include "library/guide/tables.h"

/** The part of a guide that changes. */
typedef struct guide_shared {
    pthread_mutex_t lock;
    int n_users;
    guide_tables *tables; /* tables in use, the tables that were given up last, and those restored since then */
} guide_shared;

const char *ter_guide_surround_name(ter_guide_surround surround)
{
    static const char *const names[TER_GUIDE_SURROUND_COUNT] = {"endless", "sea"};
    return (unsigned)surround < TER_GUIDE_SURROUND_COUNT ? names[surround] : NULL;
}

const char *ter_guide_raster_name(ter_guide_raster raster)
{
    static const char *const names[TER_GUIDE_RASTER_COUNT] = {"relief", "plateau",     "dryness",
                                                              "ice",    "temperature", "precipitation"};
    return (unsigned)raster < TER_GUIDE_RASTER_COUNT ? names[raster] : NULL;
}

static ter_status check_range(const char *name, double value, double low, double high, const char *unit)
{
    if (value >= low && value <= high)
        return TER_OK;
    return ter_fail(TER_EINVAL, "%s of the guide is %g, expected %g to %g%s", name, value, low, high, unit);
}

static ter_status check_numbers(const ter_guide_options *o)
{
    const double place_max = (double)TER_COORDINATE_MAX * TER_SPACING_MAX;
    const struct {
        const char *name;
        double value, low, high;
        const char *unit;
        bool is_set;
    } numbers[] = {
        {"cols", o->cols, TER_GUIDE_SIDE_MIN, TER_GUIDE_SIDE_MAX, " pixels", true},
        {"rows", o->rows, TER_GUIDE_SIDE_MIN, TER_GUIDE_SIDE_MAX, " pixels", true},
        {"spacing", o->spacing, TER_GUIDE_SPACING_MIN, TER_GUIDE_SPACING_MAX, " m", true},
        {"x", o->x, -place_max, place_max, " m", true},
        {"z", o->z, -place_max, place_max, " m", true},
        {"rim", o->rim, 0.0, TER_GUIDE_RIM_MAX, " m", true},
        {"level", o->level, 0, TER_GUIDE_LEVEL_MAX, "", true},
        {"rough", o->rough, 0.0, 1.0, "", true},
        {"steep", o->steep, 0.3, 3.0, "", o->steep != 0.0},
        {"lakes", o->lakes, 0.0, 10000.0, " m", true},
        {"endorheic", o->endorheic, 0.0, 10000.0, " m", true},
        {"threads", o->threads, 0, TER_THREADS_MAX, "", true},
    };
    ter_status status = TER_OK;
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0] && status == TER_OK; n++)
        if (numbers[n].is_set)
            status = check_range(numbers[n].name, numbers[n].value, numbers[n].low, numbers[n].high, numbers[n].unit);
    if (status == TER_OK && !ter_guide_surround_name(o->surround))
        return ter_fail(TER_EINVAL, "surround of the guide is %d, expected endless or sea", (int)o->surround);
    return status;
}

/** Values that the heights or a raster of a guide may have. */
typedef struct value_range {
    const char *name;
    double low, high;
    const char *unit;
    const char *what; /* what one value is called, for errors */
} value_range;

/** Copy one raster. Numbers that mean the same get the same bits. */
static ter_status copy_values(const ter_guide_options *o, const value_range *range, const float *values, float *out)
{
    const size_t count = (size_t)o->cols * (size_t)o->rows;
    size_t n_known = 0;
    for (size_t n = 0; n < count; n++) {
        const double value = (double)values[n];
        if (isnan(value)) {
            out[n] = ter_not_a_number();
            continue;
        }
        if (!(value >= range->low && value <= range->high))
            return ter_fail(TER_EINVAL, "%s of pixel (%zu, %zu) of the guide is %g, expected %g to %g%s", range->name,
                            n % (size_t)o->cols, n / (size_t)o->cols, value, range->low, range->high, range->unit);
        out[n] = values[n] + 0.0f;
        n_known++;
    }
    if (n_known == 0)
        return ter_fail(TER_EINVAL, "no pixel of the guide has a %s", range->what);
    return TER_OK;
}

/** Values that a raster may have. what: as in value_range */
static value_range range_of(ter_guide_raster raster, const char *name, const char *what)
{
    switch (raster) {
    case TER_GUIDE_RELIEF:
        return (value_range){name, 0.0, TER_GUIDE_RELIEF_MAX, "", what};
    case TER_GUIDE_TEMPERATURE:
        return (value_range){name, -TER_GUIDE_TEMPERATURE_MAX, TER_GUIDE_TEMPERATURE_MAX, " deg C", what};
    case TER_GUIDE_PRECIPITATION:
        return (value_range){name, 0.0, TER_GUIDE_RAIN_MAX, " mm a year", what};
    default:
        return (value_range){name, 0.0, 1.0, "", what};
    }
}

/** Copy the heights and the rasters of the caller into the guide's own memory. */
static ter_status copy_rasters(const ter_guide_options *o, ter_guide *guide)
{
    const value_range heights = {"height", -TER_GUIDE_HEIGHT_MAX, TER_GUIDE_HEIGHT_MAX, " m", "height"};
    ter_status status = copy_values(o, &heights, o->heights, (float *)guide->options.heights);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT && status == TER_OK; k++) {
        const char *name = ter_guide_raster_name((ter_guide_raster)k);
        char what[32];
        snprintf(what, sizeof what, "value for %s", name);
        const value_range range = range_of((ter_guide_raster)k, name, what);
        if (o->rasters[k])
            status = copy_values(o, &range, o->rasters[k], (float *)guide->options.rasters[k]);
    }
    return status;
}

static void add_little_endian(ter_sha256 *hash, uint32_t number)
{
    const unsigned char bytes[4] = {(unsigned char)number, (unsigned char)(number >> 8), (unsigned char)(number >> 16),
                                    (unsigned char)(number >> 24)};
    ter_sha256_add(hash, bytes, sizeof bytes);
}

static void hash_values(const ter_guide_options *o, const float *values, unsigned char digest[TER_SHA256_BYTES])
{
    const size_t count = (size_t)o->cols * (size_t)o->rows;
    ter_sha256 hash;
    ter_sha256_begin(&hash);
    add_little_endian(&hash, (uint32_t)o->cols);
    add_little_endian(&hash, (uint32_t)o->rows);
    for (size_t n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, &values[n], sizeof bits);
        add_little_endian(&hash, bits);
    }
    ter_sha256_end(&hash, digest);
}

static void hash_rasters(ter_guide *guide)
{
    const ter_guide_options *o = &guide->options;
    hash_values(o, o->heights, guide->digest);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++)
        if (o->rasters[k])
            hash_values(o, o->rasters[k], guide->raster_digest[k]);
}

/** Free all tables that no world uses, except `kept`. */
static void free_idle(const ter_guide *guide, const guide_tables *kept)
{
    guide_tables **link = &guide->shared->tables;
    for (guide_tables *tables = *link, *next; tables; tables = next) {
        next = tables->next;
        if (tables->n_users > 0 || (kept && tables == kept)) {
            link = &tables->next;
            continue;
        }
        *link = next;
        ter_aligned_free((void *)tables->at);
        free(tables);
    }
}

static void free_guide(ter_guide *guide)
{
    if (guide->shared) {
        free_idle(guide, NULL);
        pthread_mutex_destroy(&guide->shared->lock);
    }
    free(guide->shared);
    free((void *)guide->options.heights);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++)
        free((void *)guide->options.rasters[k]);
    guide_free_rivers(&guide->options);
    free(guide);
}

/** A guide with room for its heights and rasters, which are not set. Returns NULL when there is no memory. */
static ter_guide *allocate(const ter_guide_options *options)
{
    ter_guide *guide = calloc(1, sizeof *guide);
    if (!guide)
        return NULL;
    const size_t bytes = (size_t)options->cols * (size_t)options->rows * sizeof(float);
    guide->options = *options;
    guide->options.heights = malloc(bytes);
    guide->options.rivers = NULL;
    bool is_complete = guide->options.heights;
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++) {
        guide->options.rasters[k] = options->rasters[k] ? malloc(bytes) : NULL;
        is_complete = is_complete && !guide->options.rasters[k] == !options->rasters[k];
    }
    guide->shared = calloc(1, sizeof *guide->shared);
    if (guide->shared && pthread_mutex_init(&guide->shared->lock, NULL) != 0) {
        free(guide->shared);
        guide->shared = NULL;
    }
    if (is_complete && guide->shared) {
        guide->shared->n_users = 1;
        return guide;
    }
    free_guide(guide);
    return NULL;
}

ter_status ter_guide_create(const ter_guide_options *caller_options, ter_guide **out)
{
    TER_REQUIRE_NAMED(caller_options, "options");
    TER_REQUIRE(out);
    ter_guide_options options = {TER_SIZED(ter_guide_options)};
    TER_READ_STRUCT(&options, caller_options, ter_guide_options);
    TER_REQUIRE_NAMED(options.heights, "options.heights");
    ter_status status = check_numbers(&options);
    if (status != TER_OK)
        return status;
    ter_guide *guide = allocate(&options);
    if (!guide)
        return ter_fail(TER_ENOMEM, "no memory for a guide of %d x %d pixels", options.cols, options.rows);
    status = copy_rasters(&options, guide);
    if (status == TER_OK)
        status = guide_copy_rivers(&options, &guide->options);
    if (status != TER_OK) {
        free_guide(guide);
        return status;
    }
    hash_rasters(guide);
    guide_hash_rivers(&guide->options, guide->river_digest);
    *out = guide;
    return TER_OK;
}

void guide_keep(const ter_guide *guide)
{
    pthread_mutex_lock(&guide->shared->lock);
    guide->shared->n_users++;
    pthread_mutex_unlock(&guide->shared->lock);
}

void ter_guide_destroy(ter_guide *guide)
{
    if (!guide)
        return;
    pthread_mutex_lock(&guide->shared->lock);
    const bool is_last = --guide->shared->n_users == 0;
    pthread_mutex_unlock(&guide->shared->lock);
    if (is_last)
        free_guide(guide);
}

const ter_guide_options *ter_guide_options_used(const ter_guide *guide)
{
    return &guide->options;
}

void ter_guide_checksum(const ter_guide *guide, char *text)
{
    ter_sha256_text(guide->digest, text);
}

void ter_guide_raster_checksum(const ter_guide *guide, ter_guide_raster raster, char *text)
{
    *text = 0;
    if ((unsigned)raster < TER_GUIDE_RASTER_COUNT && guide->options.rasters[raster])
        ter_sha256_text(guide->raster_digest[raster], text);
}

void ter_guide_river_checksum(const ter_guide *guide, char *text)
{
    *text = 0;
    if (guide->options.n_rivers > 0)
        ter_sha256_text(guide->river_digest, text);
}

/** Make tables, or read stored ones, and add them to the list. The caller holds the lock.
 *
 *  stored  `size` bytes; NULL: tables are made
 */
static ter_status add_tables(const ter_guide *guide, const ter_fluvial *f, const void *stored, size_t size,
                             guide_tables **out)
{
    guide_tables *tables = calloc(1, sizeof *tables);
    if (!tables)
        return ter_fail(TER_ENOMEM, "no memory for a guide's tables");
    const ter_status status =
        stored ? guide_read_stored(guide, f, stored, size, tables) : guide_make_tables(guide, f, tables);
    if (status != TER_OK) {
        free(tables);
        return status;
    }
    tables->f = *f;
    tables->next = guide->shared->tables;
    guide->shared->tables = tables;
    *out = tables;
    return TER_OK;
}

/** Find the tables for parameters; NULL: there are none. The caller holds the lock. */
static guide_tables *find_tables(const ter_guide *guide, const ter_fluvial *f)
{
    guide_tables *found = guide->shared->tables;
    while (found && memcmp(&found->f, f, sizeof *f) != 0)
        found = found->next;
    return found;
}

ter_status guide_take_tables(const ter_guide *guide, const ter_fluvial *f, const guide_tables **out)
{
    ter_status status = TER_OK;
    pthread_mutex_lock(&guide->shared->lock);
    guide_tables *found = find_tables(guide, f);
    if (!found)
        status = add_tables(guide, f, NULL, 0, &found);
    if (found) {
        found->n_users++;
        *out = found;
    }
    pthread_mutex_unlock(&guide->shared->lock);
    return status;
}

ter_status guide_restore_tables(const ter_guide *guide, const ter_fluvial *f, const void *bytes, size_t size)
{
    ter_status status = TER_OK;
    pthread_mutex_lock(&guide->shared->lock);
    guide_tables *found = find_tables(guide, f);
    if (!found)
        status = add_tables(guide, f, bytes, size, &found);
    pthread_mutex_unlock(&guide->shared->lock);
    return status;
}

void guide_leave_tables(const ter_guide *guide, const guide_tables *tables)
{
    if (!tables)
        return;
    pthread_mutex_lock(&guide->shared->lock);
    if (--((guide_tables *)tables)->n_users == 0)
        free_idle(guide, tables);
    pthread_mutex_unlock(&guide->shared->lock);
}
