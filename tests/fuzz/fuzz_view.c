/* fuzz_view.c - fuzzes values of --view: the text that describes an accepted view is accepted, too. */
#include "fuzz_input.h"

#include <math.h>

#include "program/viewer/camera/path.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    path_point at;
    char *text = calloc(count + 1, 1);
    fuzz_assert(text);
    memcpy(text, bytes, count);
    const result res = path_parse_view(text, &at);
    fuzz_check_result(&res);
    if (res.kind == RESULT_DONE) {
        char described[256];
        camera camera = {0};
        fuzz_assert(fabs(at.pitch_deg) <= CAMERA_PITCH_MAX_DEG && fabs(at.x) <= (double)CAMERA_COORDINATE_MAX &&
                    isfinite(at.altitude_m));
        path_point_place(&at, &camera);
        path_describe_view(&camera, described, sizeof described);
        fuzz_assert(path_parse_view(described, &at).kind == RESULT_DONE);
    }
    free(text);
    return 0;
}
