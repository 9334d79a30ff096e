/* headless_egl.c - creates a context by EGL's device platform or by Mesa's surfaceless platform.
 *
 * Source: EGL_EXT_device_enumeration, EGL_EXT_platform_device, EGL_MESA_platform_surfaceless,
 * EGL_KHR_surfaceless_context.
 */
#include "program/render/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/render/gl.h"

enum { DEVICES_MAX = 16 };

struct headless_context {
    EGLDisplay display;
    EGLContext context;
};

/** Make a core context of at least this version. */
static EGLContext create_context(EGLDisplay display, int major, int minor)
{
    static const EGLint config_attributes[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 major,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 minor,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 EGL_TRUE,
                                 EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    eglChooseConfig(display, config_attributes, &config, 1, &count);
    return eglCreateContext(display, count > 0 ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

/** Describe the newest core context of a display on which OpenGL 4.5 is missing. */
static void describe_older(EGLDisplay display, char *text, size_t size)
{
    EGLContext context = create_context(display, 3, 2);
    *text = '\0';
    if (context == EGL_NO_CONTEXT)
        return;
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        gl_describe_any(text, size);
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    eglDestroyContext(display, context);
}

/** Try a display. Returns 1 and makes its context current, or returns 0 and appends the reason to `tried`. */
static int try_display(EGLDisplay display, const char *name, headless_context *out, char *tried, size_t size)
{
    const size_t used = strlen(tried);
    const char *problem = NULL;
    char older[200] = "";
    EGLContext context = EGL_NO_CONTEXT;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        problem = "cannot be initialised";
    else if (!eglBindAPI(EGL_OPENGL_API))
        problem = "has no OpenGL";
    else if ((context = create_context(display, 4, 5)) == EGL_NO_CONTEXT) {
        describe_older(display, older, sizeof older);
        problem = *older ? "has " : "has no OpenGL 3.2 core either";
    } else if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        problem = "cannot be used without a surface";
    if (problem) {
        snprintf(tried + used, size - used, "%s%s %s%s", used ? "; " : "", name, problem, older);
        if (context != EGL_NO_CONTEXT)
            eglDestroyContext(display, context);
        return 0;
    }
    out->display = display;
    out->context = context;
    return 1;
}

/** Try every EGL device that is not a software renderer. */
static int try_devices(headless_context *out, char *tried, size_t size)
{
    const PFNEGLQUERYDEVICESEXTPROC query_devices =
        (PFNEGLQUERYDEVICESEXTPROC)(void (*)(void))eglGetProcAddress("eglQueryDevicesEXT");
    const PFNEGLQUERYDEVICESTRINGEXTPROC query_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)(void (*)(void))eglGetProcAddress("eglQueryDeviceStringEXT");
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)(void (*)(void))eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint count = 0;
    if (!query_devices || !query_string || !get_display || !query_devices(DEVICES_MAX, devices, &count))
        return 0;
    for (EGLint n = 0; n < count; n++) {
        const char *extensions = query_string(devices[n], EGL_EXTENSIONS);
        char name[32];
        if (extensions && strstr(extensions, "EGL_MESA_device_software"))
            continue;
        snprintf(name, sizeof name, "EGL device %d", n);
        if (try_display(get_display(EGL_PLATFORM_DEVICE_EXT, devices[n], NULL), name, out, tried, size))
            return 1;
    }
    return 0;
}

static int try_surfaceless(headless_context *out, char *tried, size_t size)
{
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)(void (*)(void))eglGetProcAddress("eglGetPlatformDisplayEXT");
    return get_display && try_display(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
                                      "Mesa without a surface", out, tried, size);
}

result headless_create(headless_context **out)
{
    char tried[512] = "";
    headless_context *context = calloc(1, sizeof *context);
    if (!context)
        return result_of(RESULT_FAILED, "out of memory");
    if (!try_devices(context, tried, sizeof tried) && !try_surfaceless(context, tried, sizeof tried)) {
        free(context);
        return result_of(RESULT_MISSING, "no OpenGL 4.5 without a display: %s",
                         *tried ? tried : "EGL offers no device");
    }
    const result res = gl_load();
    if (res.kind != RESULT_DONE)
        headless_destroy(context);
    else
        *out = context;
    return res;
}

const char *headless_describe(const headless_context *context)
{
    (void)context;
    return gl_describe();
}

void headless_destroy(headless_context *context)
{
    if (!context)
        return;
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(context->display, context->context);
    eglTerminate(context->display);
    free(context);
}
