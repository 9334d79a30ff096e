/* versions.c - a user's program that is compiled against an older, the present or a newer header. The memory after each
 * structure is not zero. The program prints the sizes of its header's structures and a sum of heights.
 *
 *     -DNEWER   the header is newer: its structures end with a member `newer_member` */
#include <stdio.h>
#include <string.h>
#include <terrane/terrane.h>

enum { SIDE = 16, BEHIND = 64 };

static float heights[SIDE * SIDE];

/* Structures, each with memory after it that the library must not read or write. */
static struct {
    ter_params params;
    unsigned char behind[BEHIND];
} of_world;
static struct {
    ter_generator_options options;
    unsigned char behind[BEHIND];
} of_generator;
static struct {
    ter_target target;
    unsigned char behind[BEHIND];
} of_fill;

static int is_never_cancelled(void *user)
{
    (void)user;
    return 0;
}

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, ter_error_detail());
    return 1;
}

static int is_unchanged(const unsigned char *behind)
{
    for (int n = 0; n < BEHIND; n++)
        if (behind[n] != 0xA5)
            return 0;
    return 1;
}

/** Fill a rectangle, add its heights to `sum`, and compare some of them with single points. */
static int check_heights(ter_generator *generator, const ter_world *world, double *sum)
{
    const ter_rect rect = {16, 1000, -1000, SIDE, SIDE};
    const ter_region region = ter_region_of_rect(&rect);
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = heights};
    of_fill.target = ter_target_of_outputs(&output, 1);
    if (ter_fill(generator, world, &region, &of_fill.target) != TER_OK)
        return fail("ter_fill");
    for (int n = 0; n < SIDE * SIDE; n++) {
        float height;
        *sum += (double)heights[n];
        if (n % 85 != 0) /* a single point takes long */
            continue;
        if (ter_world_height(world, 16, 1000 + n % SIDE, -1000 + n / SIDE, &height) != TER_OK || height != heights[n])
            return fail("a height differs from that of its point");
    }
    return 0;
}

#ifdef NEWER
/** Check that a call is refused with a sentence that names the structure. */
static int check_refused(ter_status status, const char *name)
{
    if (status == TER_EINVAL && strstr(ter_error_detail(), name) == ter_error_detail())
        return 0;
    fprintf(stderr, "a newer member of %s: %s, '%s'\n", name, ter_status_text(status), ter_error_detail());
    return 1;
}

/** Check that members which the library lacks must be 0. */
static int check_newer_members(ter_generator *generator, const ter_world *world)
{
    ter_world *other_world = NULL;
    ter_generator *other = NULL;
    const ter_rect rect = {16, 0, 0, 1, 1};
    const ter_region region = ter_region_of_rect(&rect);
    of_world.params.newer_member = of_generator.options.newer_member = of_fill.target.newer_member = 1;
    return check_refused(ter_world_create(&of_world.params, &other_world), "ter_params has ") +
           check_refused(ter_generator_create(&of_generator.options, &other), "ter_generator_options has ") +
           check_refused(ter_fill(generator, world, &region, &of_fill.target), "ter_target has ");
}
#endif

int main(void)
{
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    double sum = 0.0;
    memset(&of_world, 0xA5, sizeof of_world);
    memset(&of_generator, 0xA5, sizeof of_generator);
    memset(&of_fill, 0xA5, sizeof of_fill);
    ter_params_default(&of_world.params);
    of_world.params.seed = 42;
    of_generator.options = (ter_generator_options){TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU,
                                                   .threads = 2, .is_cancelled = is_never_cancelled};
    if (ter_world_create(&of_world.params, &world) != TER_OK)
        return fail("ter_world_create");
    if (ter_generator_create(&of_generator.options, &generator) != TER_OK)
        return fail("ter_generator_create");
    int n_failed = check_heights(generator, world, &sum);
#ifdef NEWER
    n_failed += check_newer_members(generator, world);
#endif
    if (!is_unchanged(of_world.behind) || !is_unchanged(of_generator.behind) || !is_unchanged(of_fill.behind))
        n_failed += fail("the library has written behind a structure");
    printf("%zu %zu %zu heights %.9g\n", sizeof(ter_params), sizeof(ter_generator_options), sizeof(ter_target), sum);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return n_failed != 0;
}
