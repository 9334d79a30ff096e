/* fuzz_path.c - fuzzes path files: an accepted path can be interpolated from before its first to after its last point.
 */
#include "fuzz_input.h"

#include <math.h>

#include "program/viewer/camera/path.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    path path;
    fuzz_put("path.txt", bytes, count);
    const result res = path_read(fuzz_path("path.txt"), &path);
    fuzz_check_result(&res);
    if (res.kind != RESULT_DONE)
        return 0;
    const double begin = path.points[0].time_s, end = path.points[path.count - 1].time_s;
    fuzz_assert(path.count >= 2 && begin < end);
    for (int n = -1; n <= 9; n++) {
        path_point at;
        camera camera = {0};
        path_at(&path, begin + (end - begin) * n / 8.0, &at);
        fuzz_assert(isfinite(at.x) && isfinite(at.z) && isfinite(at.altitude_m) && isfinite(at.heading_deg));
        path_point_place(&at, &camera);
        fuzz_assert(llabs(camera.cell_x) <= CAMERA_COORDINATE_MAX && llabs(camera.cell_z) <= CAMERA_COORDINATE_MAX);
    }
    path_free(&path);
    return 0;
}
