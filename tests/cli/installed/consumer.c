/* consumer.c - a user's program, which fills an array through the installed library. It compiles as C and as C++. */
#include <stdio.h>
#include <terrane/terrane.h>

int main(void)
{
    static float heights[64 * 64];
    ter_params params;
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    ter_statistics statistics;
    const ter_rect rect = {16, 1000, -1000, 64, 64};
    const ter_region region = ter_region_of_rect(&rect);
    const ter_output output = {TER_LAYER_HEIGHT, heights, 0.0, 0.0};
    const ter_target target = ter_target_of_outputs(&output, 1);

    ter_params_default(&params);
    statistics.struct_size = sizeof statistics;
    if (ter_world_create(&params, &world) != TER_OK || ter_generator_create(NULL, &generator) != TER_OK ||
        ter_fill(generator, world, &region, &target) != TER_OK ||
        ter_generator_statistics(generator, world, &rect, NULL, &statistics) != TER_OK) {
        fprintf(stderr, "%s\n", ter_error_detail());
        return 1;
    }
    float first = 0;
    ter_world_height(world, 16, 1000, -1000, &first);
    printf("terrane %s on %s: %.3f to %.3f m\n", ter_version(), ter_backend_name(ter_generator_backend(generator)),
           (double)statistics.min_m, (double)statistics.max_m);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return first == heights[0] ? 0 : 1;
}
