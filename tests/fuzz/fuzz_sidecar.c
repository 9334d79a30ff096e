/* fuzz_sidecar.c - fuzzes sidecars: an accepted sidecar describes a file that this program can make. */
#include "fuzz_input.h"

#include "program/export/formats/export_file.h"
#include "program/export/sidecar/sidecar.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    export_file file;
    file_facts facts;
    ter_world *world = NULL;
    fuzz_put("a.r32.json", bytes, count);
    const result res = sidecar_read(fuzz_path("a.r32"), &file, &facts);
    fuzz_check_result(&res);
    if (res.kind != RESULT_DONE)
        return 0;
    fuzz_assert(file.format && !file.format->is_missing && file.width >= 1 && file.height >= 1 &&
                file.width <= INT64_MAX / 8 / file.height);
    fuzz_assert(file.lod >= 0 && file.lod <= file.world.levels && export_file_bytes(&file) > 0);
    fuzz_assert(!export_file_is_scaled(&file) || file.range[0] < file.range[1]);
    const ter_status status = ter_world_create(&file.world, &world);
    fuzz_assert(status == TER_OK || status == TER_EINVAL);
    if (status == TER_OK) { /* the file's corners lie in the world */
        float height;
        const ter_rect rect = export_file_rect(&file);
        fuzz_assert(ter_world_height(world, rect.level, rect.i, rect.j, &height) == TER_OK);
        fuzz_assert(ter_world_height(world, rect.level, rect.i + rect.width - 1, rect.j + rect.height - 1, &height) ==
                    TER_OK);
    }
    ter_world_destroy(world);
    return 0;
}
