/* headless_windows.c - creates a context by WGL, which needs a window: one that is never shown. EGL contexts of other
 * systems are made in headless_egl.c.
 *
 * Source: WGL_ARB_create_context, WGL_ARB_create_context_profile.
 */
#include <windows.h>

#include <stdio.h>
#include <stdlib.h>

#include "program/render/gl.h"
#include "program/render/headless.h"

#include <GL/wglew.h>

struct headless_context {
    HWND window;
    HDC device;
    HGLRC context;
};

static const wchar_t CLASS_NAME[] = L"Terrane without a window";

/** Make the window, and give it a format of pixels: this can be done once for a window. */
static bool open_window(headless_context *c)
{
    const WNDCLASSW class = {.style = CS_OWNDC,
                             .lpfnWndProc = DefWindowProcW,
                             .hInstance = GetModuleHandleW(NULL),
                             .lpszClassName = CLASS_NAME};
    const PIXELFORMATDESCRIPTOR wanted = {.nSize = sizeof wanted,
                                          .nVersion = 1,
                                          .dwFlags = PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL | PFD_DOUBLEBUFFER,
                                          .iPixelType = PFD_TYPE_RGBA,
                                          .cColorBits = 24};
    RegisterClassW(&class); /* fails if an earlier context has done it */
    c->window = CreateWindowExW(0, CLASS_NAME, L"Terrane", WS_OVERLAPPEDWINDOW, 0, 0, 16, 16, NULL, NULL,
                                class.hInstance, NULL);
    c->device = c->window ? GetDC(c->window) : NULL;
    const int format = c->device ? ChoosePixelFormat(c->device, &wanted) : 0;
    return format > 0 && SetPixelFormat(c->device, format, &wanted);
}

/** Make a core context of version 4.5, while another context is current: only then the function for it can be had. */
static HGLRC create_core(HDC device)
{
    static const int attributes[] = {WGL_CONTEXT_MAJOR_VERSION_ARB,
                                     4,
                                     WGL_CONTEXT_MINOR_VERSION_ARB,
                                     5,
                                     WGL_CONTEXT_PROFILE_MASK_ARB,
                                     WGL_CONTEXT_CORE_PROFILE_BIT_ARB,
                                     WGL_CONTEXT_FLAGS_ARB,
                                     WGL_CONTEXT_DEBUG_BIT_ARB,
                                     0};
    const PFNWGLCREATECONTEXTATTRIBSARBPROC create =
        (PFNWGLCREATECONTEXTATTRIBSARBPROC)(void (*)(void))wglGetProcAddress("wglCreateContextAttribsARB");
    return create ? create(device, NULL, attributes) : NULL;
}

/** Make the context current. Errors RESULT_MISSING the text says which OpenGL there is */
static result open_context(headless_context *c)
{
    char found[200] = "none";
    const HGLRC any = wglCreateContext(c->device);
    if (any && wglMakeCurrent(c->device, any)) {
        gl_describe_any(found, sizeof found);
        c->context = create_core(c->device);
    }
    wglMakeCurrent(NULL, NULL);
    if (any)
        wglDeleteContext(any);
    if (!c->context || !wglMakeCurrent(c->device, c->context))
        return result_of(RESULT_MISSING, "no OpenGL 4.5 on this system; it has %s", found);
    return gl_load();
}

result headless_create(headless_context **out)
{
    headless_context *c = calloc(1, sizeof *c);
    if (!c)
        return result_of(RESULT_FAILED, "out of memory");
    const result res =
        open_window(c) ? open_context(c)
                       : result_of(RESULT_MISSING, "no OpenGL on this system: error %lu of Windows", GetLastError());
    if (res.kind != RESULT_DONE)
        headless_destroy(c);
    else
        *out = c;
    return res;
}

const char *headless_describe(const headless_context *context)
{
    (void)context;
    return gl_describe();
}

void headless_destroy(headless_context *c)
{
    if (!c)
        return;
    wglMakeCurrent(NULL, NULL);
    if (c->context)
        wglDeleteContext(c->context);
    if (c->device)
        ReleaseDC(c->window, c->device);
    if (c->window)
        DestroyWindow(c->window);
    free(c);
}
