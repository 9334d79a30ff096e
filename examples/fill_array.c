/* fill_array.c - fills an array with heights: a small program that uses the library. */
#include <stdio.h>
#include <terrane/terrane.h>

enum { SIDE = 512 };
static float heights[SIDE * SIDE]; /* metres, row by row from the north */

int main(void)
{
    ter_params params;
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    float highest = -1e30f;

    ter_params_default(&params);
    params.seed = 42;
    const ter_rect rect = {params.levels, 1913248, 2535840, SIDE, SIDE}; /* level, north-west point, size */
    const ter_region region = ter_region_of_rect(&rect);
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = heights};
    const ter_target target = ter_target_of_outputs(&output, 1);
    if (ter_world_create(&params, &world) != TER_OK || ter_generator_create(NULL, &generator) != TER_OK ||
        ter_fill(generator, world, &region, &target) != TER_OK) {
        fprintf(stderr, "%s\n", ter_error_detail());
        return 1;
    }
    for (int n = 0; n < SIDE * SIDE; n++)
        highest = heights[n] > highest ? heights[n] : highest;
    printf("%s: highest %.3f m\n", ter_backend_name(ter_generator_backend(generator)), (double)highest);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return 0;
}
