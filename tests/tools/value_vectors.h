/* value_vectors.h - reads, checks and prints files of vectors of basis fluvial. Each line has a seed, parameters, a
 * level of detail, a place, the values of layers there, and some values in decimal for readers. A line that begins with
 * '#' is a comment.
 */
#ifndef TER_TESTS_VALUE_VECTORS_H
#define TER_TESTS_VALUE_VECTORS_H

#include <math.h>
#include <stdbool.h>

#include "backend_under_test.h"
#include "short_calls.h"

/** A parameter of ter_params that is a double. */
typedef struct vector_parameter {
    const char *name;
    size_t at; /* its offset */
} vector_parameter;

#define VECTOR_PARAMETER(member)                                                                                       \
    {                                                                                                                  \
        .name = #member, .at = offsetof(ter_params, member)                                                            \
    }

/** The columns of a file. Between parameters and layers stand lod, x and z. */
typedef struct vector_columns {
    const vector_parameter *parameters;
    int n_parameters;
    const ter_layer *layers;
    int n_layers;
    const char *decimals; /* heading of the values in decimal */
    int n_decimals, digits;
} vector_columns;

typedef struct value_vector {
    ter_params params;
    int lod;
    double x, z;                   /* multiples of 2^lod */
    char bits[TER_LAYER_COUNT][9]; /* by column: hexadecimal, or "nan", which means that there is no water */
} value_vector;

static inline void *vector_parameter_of(ter_params *params, const vector_parameter *parameter)
{
    return (char *)params + parameter->at;
}

/** Index of a coordinate on the lattice of the sample's level. */
static inline int64_t vector_index(const value_vector *v, double coordinate)
{
    return (int64_t)ldexp(coordinate, -v->lod);
}

/** Read a number, and move behind it. Returns false if there is none. */
static inline bool read_vector_number(char **at, double *value)
{
    char *end;
    *value = strtod(*at, &end);
    const bool is_number = end != *at;
    *at = end;
    return is_number;
}

/** Read a line. has_values: whether it has values, too */
static inline bool read_vector(char *line, const vector_columns *columns, bool has_values, value_vector *v)
{
    char *at;
    double value = 0.0;
    int used = 0;
    ter_params_default(&v->params);
    v->params.basis = TER_BASIS_FLUVIAL;
    v->params.seed = strtoull(line, &at, 10);
    bool is_good = at != line;
    for (int n = 0; n < columns->n_parameters && is_good; n++) {
        is_good = read_vector_number(&at, &value);
        memcpy(vector_parameter_of(&v->params, &columns->parameters[n]), &value, sizeof value);
    }
    is_good =
        is_good && read_vector_number(&at, &value) && read_vector_number(&at, &v->x) && read_vector_number(&at, &v->z);
    v->lod = (int)value;
    for (int n = 0; n < columns->n_layers && has_values && is_good; n++, at += used)
        is_good = sscanf(at, "%8s%n", v->bits[n], &used) == 1;
    return is_good;
}

/** Read the next line that is no comment. The program ends if the line is wrong. Returns false at the end of the file.
 */
static inline bool next_vector(FILE *file, const vector_columns *columns, bool has_values, value_vector *v)
{
    char line[512];
    do
        if (!fgets(line, sizeof line, file))
            return false;
    while (line[0] == '#');
    if (!read_vector(line, columns, has_values, v)) {
        fprintf(stderr, "vectors: cannot read '%s'\n", line);
        exit(1);
    }
    return true;
}

/** Make the layers of a vector's sample. */
static inline void fill_vector(ter_generator *generator, const vector_columns *columns, const value_vector *v,
                               float out[TER_LAYER_COUNT])
{
    float_layers layers = {{NULL}};
    ter_world *world = world_of(&v->params);
    for (int n = 0; n < columns->n_layers; n++)
        layers.at[columns->layers[n]] = &out[n];
    const ter_rect rect = {v->params.levels - v->lod, vector_index(v, v->x), vector_index(v, v->z), 1, 1};
    assert_ok(fill_rect_layers(generator, world, &rect, &layers, 1));
    ter_world_destroy(world);
}

static inline void vector_bits(float value, char bits[9])
{
    if (isnan(value))
        strcpy(bits, "nan");
    else
        snprintf(bits, 9, "%08x", float_bits(value));
}

/** Fail the test if a value is not that of a column. by: what made it */
static inline void assert_vector_value(const vector_columns *columns, const value_vector *v, int column, float value,
                                       const char *by)
{
    char bits[9];
    vector_bits(value, bits);
    if (strcmp(bits, v->bits[column]) != 0)
        fail_msg("%s, seed %llu, lod %d at %.17g,%.17g: %s is %s (%g), expected %s", by,
                 (unsigned long long)v->params.seed, v->lod, v->x, v->z, ter_layer_name(columns->layers[column]), bits,
                 (double)value, v->bits[column]);
}

/** Check all vectors of a file by method tiled. count: their number */
static inline void check_vectors(const char *path, const vector_columns *columns, int count)
{
    value_vector v;
    float out[TER_LAYER_COUNT];
    FILE *file = fopen(path, "r");
    int n_vectors = 0;
    assert_non_null(file);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (; next_vector(file, columns, true, &v); n_vectors++) {
        fill_vector(generator, columns, &v, out);
        for (int n = 0; n < columns->n_layers; n++)
            assert_vector_value(columns, &v, n, out[n], "layers");
    }
    assert_int_equal(n_vectors, count);
    ter_generator_destroy(generator);
    fclose(file);
}

static inline void print_vector(const vector_columns *columns, value_vector *v, const float out[TER_LAYER_COUNT])
{
    printf("%llu", (unsigned long long)v->params.seed);
    for (int n = 0; n < columns->n_parameters; n++) {
        double value;
        memcpy(&value, vector_parameter_of(&v->params, &columns->parameters[n]), sizeof value);
        printf(" %g", value);
    }
    printf(" %d %.17g %.17g ", v->lod, v->x, v->z);
    for (int n = 0; n < columns->n_layers; n++) {
        char bits[9];
        vector_bits(out[n], bits);
        printf(" %s", bits);
    }
    printf(" ");
    for (int n = 0; n < columns->n_decimals; n++)
        printf(" %.*g", columns->digits, (double)out[n]);
    printf("\n");
}

/** Print the samples of a file with the values that the library makes on the CPU. Values in the file are ignored and
 * may be missing. Returns the exit status of the program. */
static inline int print_vectors(const char *path, const vector_columns *columns, ter_method method)
{
    value_vector v;
    float out[TER_LAYER_COUNT];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return 1;
    }
    backend_under_test = TER_BACKEND_CPU;
    ter_generator *generator = generator_of(method, 1, TER_SIMD_AUTO);
    printf("# seed");
    for (int n = 0; n < columns->n_parameters; n++)
        printf(" %s", columns->parameters[n].name);
    printf(" lod x z ");
    for (int n = 0; n < columns->n_layers; n++)
        printf(" %s", ter_layer_name(columns->layers[n]));
    printf("  %s\n", columns->decimals);
    while (next_vector(file, columns, false, &v)) {
        fill_vector(generator, columns, &v, out);
        print_vector(columns, &v, out);
    }
    ter_generator_destroy(generator);
    fclose(file);
    return 0;
}

#endif
