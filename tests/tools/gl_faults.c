/* gl_faults.c - a library for LD_PRELOAD that makes the n-th call of OpenGL or EGL fail. Only calls that may fail
 * count. GLEW gets pointers to OpenGL functions from glXGetProcAddressARB; the library replaces that function and
 * returns its wrappers. The program need not be changed.
 *
 *   TERRANE_FAULT=gl:N
 *       The N-th call of the functions below fails, counted from 1. If it asks for storage, it is made with an invalid
 *       size: drivers report that in the same ways as a lack of memory.
 *   TERRANE_FAULT_LOG=FILE
 *       The file gets a line "fault gl N FUNCTION" when the call fails. If this line is missing, the program ended
 *       before call N. The file also gets a line "message TEXT" for each message of the driver that is more than a
 *       notification.
 *
 * Build: cc -shared -fPIC -o gl_faults.so gl_faults.c. Programs built with sanitizers or without GLEW cannot use it. */
#define _GNU_SOURCE
#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*gl_function)(void);

static long n_calls; /* not atomic, because one thread makes all calls */

/** Add a line to the log. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    const char *log = getenv("TERRANE_FAULT_LOG");
    const int descriptor = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (descriptor < 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vdprintf(descriptor, format, arguments);
    va_end(arguments);
    close(descriptor);
}

/** Count a call. Returns whether it must fail. */
static bool fails(const char *function)
{
    const char *fault = getenv("TERRANE_FAULT");
    if (!fault || strncmp(fault, "gl:", 3) != 0 || ++n_calls != strtol(fault + 3, NULL, 10))
        return false;
    note("fault gl %ld %s\n", n_calls, function);
    return true;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* ---- OpenGL: `real` is the driver's function ---- */

static PFNGLNAMEDBUFFERSTORAGEPROC real_glNamedBufferStorage;
static void APIENTRY wrapped_glNamedBufferStorage(GLuint buffer, GLsizeiptr size, const void *bytes, GLbitfield flags)
{
    real_glNamedBufferStorage(buffer, fails("glNamedBufferStorage") ? -1 : size, bytes, flags);
}

static PFNGLTEXTURESTORAGE2DPROC real_glTextureStorage2D;
static void APIENTRY wrapped_glTextureStorage2D(GLuint texture, GLsizei levels, GLenum format, GLsizei width,
                                                GLsizei height)
{
    real_glTextureStorage2D(texture, levels, format, fails("glTextureStorage2D") ? -1 : width, height);
}

static PFNGLTEXTURESTORAGE3DPROC real_glTextureStorage3D;
static void APIENTRY wrapped_glTextureStorage3D(GLuint texture, GLsizei levels, GLenum format, GLsizei width,
                                                GLsizei height, GLsizei depth)
{
    real_glTextureStorage3D(texture, levels, format, fails("glTextureStorage3D") ? -1 : width, height, depth);
}

static PFNGLTEXTURESTORAGE2DMULTISAMPLEPROC real_glTextureStorage2DMultisample;
static void APIENTRY wrapped_glTextureStorage2DMultisample(GLuint texture, GLsizei samples, GLenum format,
                                                           GLsizei width, GLsizei height, GLboolean is_fixed)
{
    real_glTextureStorage2DMultisample(texture, samples, format, fails("glTextureStorage2DMultisample") ? -1 : width,
                                       height, is_fixed);
}

static PFNGLMAPNAMEDBUFFERRANGEPROC real_glMapNamedBufferRange;
static void *APIENTRY wrapped_glMapNamedBufferRange(GLuint buffer, GLintptr offset, GLsizeiptr length,
                                                    GLbitfield access)
{
    return fails("glMapNamedBufferRange") ? NULL : real_glMapNamedBufferRange(buffer, offset, length, access);
}

static PFNGLCHECKNAMEDFRAMEBUFFERSTATUSPROC real_glCheckNamedFramebufferStatus;
static GLenum APIENTRY wrapped_glCheckNamedFramebufferStatus(GLuint framebuffer, GLenum target)
{
    return fails("glCheckNamedFramebufferStatus") ? GL_FRAMEBUFFER_UNSUPPORTED
                                                  : real_glCheckNamedFramebufferStatus(framebuffer, target);
}

static PFNGLGETSHADERIVPROC real_glGetShaderiv;
static void APIENTRY wrapped_glGetShaderiv(GLuint shader, GLenum name, GLint *value)
{
    real_glGetShaderiv(shader, name, value);
    *value = fails("glGetShaderiv") ? 0 : *value;
}

static PFNGLGETPROGRAMIVPROC real_glGetProgramiv;
static void APIENTRY wrapped_glGetProgramiv(GLuint program, GLenum name, GLint *value)
{
    real_glGetProgramiv(program, name, value);
    *value = fails("glGetProgramiv") ? 0 : *value;
}

static PFNGLFENCESYNCPROC real_glFenceSync;
static GLsync APIENTRY wrapped_glFenceSync(GLenum condition, GLbitfield flags)
{
    return fails("glFenceSync") ? NULL : real_glFenceSync(condition, flags);
}

static PFNGLCLIENTWAITSYNCPROC real_glClientWaitSync;
static GLenum APIENTRY wrapped_glClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout)
{
    return fails("glClientWaitSync") ? GL_WAIT_FAILED : real_glClientWaitSync(sync, flags, timeout);
}

static PFNGLGETGRAPHICSRESETSTATUSPROC real_glGetGraphicsResetStatus;
static GLenum APIENTRY wrapped_glGetGraphicsResetStatus(void)
{
    return fails("glGetGraphicsResetStatus") ? GL_INNOCENT_CONTEXT_RESET : real_glGetGraphicsResetStatus();
}

static GLDEBUGPROC program_callback;
static void APIENTRY log_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                 const GLchar *text, const void *user)
{
    if (severity != GL_DEBUG_SEVERITY_NOTIFICATION)
        note("message %s\n", text);
    program_callback(source, type, id, severity, length, text, user);
}

static PFNGLDEBUGMESSAGECALLBACKPROC real_glDebugMessageCallback;
static void APIENTRY wrapped_glDebugMessageCallback(GLDEBUGPROC callback, const void *user)
{
    program_callback = callback;
    real_glDebugMessageCallback(log_message, user);
}

#define WRAPPED(name)                                                                                                  \
    {                                                                                                                  \
#name, (gl_function)wrapped_##name, (gl_function *)(void *)&real_##name                                        \
    }
static const struct {
    const char *name;
    gl_function wrapped, *real;
} wrapped[] = {WRAPPED(glNamedBufferStorage),
               WRAPPED(glTextureStorage2D),
               WRAPPED(glTextureStorage3D),
               WRAPPED(glTextureStorage2DMultisample),
               WRAPPED(glMapNamedBufferRange),
               WRAPPED(glCheckNamedFramebufferStatus),
               WRAPPED(glGetShaderiv),
               WRAPPED(glGetProgramiv),
               WRAPPED(glFenceSync),
               WRAPPED(glClientWaitSync),
               WRAPPED(glGetGraphicsResetStatus),
               WRAPPED(glDebugMessageCallback)};

gl_function glXGetProcAddressARB(const GLubyte *name);
gl_function glXGetProcAddressARB(const GLubyte *name)
{
    const gl_function real = NEXT(glXGetProcAddressARB)(name);
    for (size_t n = 0; real && n < sizeof wrapped / sizeof wrapped[0]; n++)
        if (strcmp((const char *)name, wrapped[n].name) == 0) {
            *wrapped[n].real = real;
            return wrapped[n].wrapped;
        }
    return real;
}

/* ---- EGL ---- */

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    return fails("eglInitialize") ? EGL_FALSE : NEXT(eglInitialize)(display, major, minor);
}

EGLBoolean eglBindAPI(EGLenum api)
{
    return fails("eglBindAPI") ? EGL_FALSE : NEXT(eglBindAPI)(api);
}

EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *attributes, EGLConfig *configs, EGLint size, EGLint *count)
{
    return fails("eglChooseConfig") ? EGL_FALSE : NEXT(eglChooseConfig)(display, attributes, configs, size, count);
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attributes)
{
    return fails("eglCreateContext") ? EGL_NO_CONTEXT : NEXT(eglCreateContext)(display, config, share, attributes);
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    return fails("eglMakeCurrent") ? EGL_FALSE : NEXT(eglMakeCurrent)(display, draw, read, context);
}
