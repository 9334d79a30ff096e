/* headless_missing.c - replaces headless_egl.c in a build without EGL. No context can be made. */
#include "program/render/headless.h"

#include <stddef.h>

result headless_create(headless_context **out)
{
    *out = NULL;
    return result_of(RESULT_MISSING, "this build has no EGL, so it draws in a window only");
}

const char *headless_describe(const headless_context *context)
{
    (void)context;
    return "";
}

void headless_destroy(headless_context *context)
{
    (void)context;
}
