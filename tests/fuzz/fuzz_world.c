/* fuzz_world.c - fuzzes world files: a file is refused, or it gives parameters that ter_world_create accepts or
 * refuses, and a look whose numbers are finite. */
#include "fuzz_input.h"

#include <math.h>

#include "program/cli/world_file.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    ter_params params;
    look look;
    ter_world *world = NULL;
    fuzz_put("world.ini", bytes, count);
    guide_request guide;
    guide_request_default(&guide);
    ter_params_default(&params);
    look_default(&look);
    const result res = world_file_read("--world", fuzz_path("world.ini"), &params, &guide, &look);
    fuzz_check_result(&res);
    if (res.kind == RESULT_DONE) {
        const ter_status status = ter_world_create(&params, &world);
        fuzz_assert(status == TER_OK || status == TER_EINVAL);
        fuzz_assert(isfinite(look.haze) && isfinite(look.tree_line_m) && isfinite(look.air));
        ter_world_destroy(world);
    }
    return 0;
}
