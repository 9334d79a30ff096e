/* gl.c - loads OpenGL functions, checks the version and counts errors. */
#include "program/render/gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Static, because the program has one GL thread with one current context. */
static char description[512];
static char errors[GL_ERRORS_KEPT][256];
static int n_errors;

#ifdef TER_HAVE_GLEW

static result load_functions(void)
{
    glewExperimental = GL_TRUE;
    const GLenum status = glewInit();
    /* With an EGL context GLEW 2.2 loads all functions and then fails for lack of a GLX display: test the pointers. */
    if (status != GLEW_OK &&
        !(status == GLEW_ERROR_NO_GLX_DISPLAY && glClipControl && glDispatchCompute && glNamedBufferStorage))
        return result_of(RESULT_MISSING, "OpenGL functions cannot be loaded: %s",
                         (const char *)glewGetErrorString(status));
    while (glGetError() != GL_NO_ERROR) { /* glewInit may leave an error behind on core contexts */
    }
    return result_done();
}

#else

static result load_functions(void)
{
    return result_done();
}

#endif

void gl_describe_any(char *text, size_t size)
{
    const char *version = (const char *)glGetString(GL_VERSION), *renderer = (const char *)glGetString(GL_RENDERER);
    snprintf(text, size, "OpenGL %s, %s", version ? version : "?", renderer ? renderer : "?");
}

result gl_load(void)
{
    const result res = load_functions();
    if (res.kind != RESULT_DONE)
        return res;
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    gl_describe_any(description, sizeof description);
    if (major * 10 + minor < 45)
        return result_of(RESULT_MISSING, "OpenGL 4.5 is needed, this is %s", description);
    return result_done();
}

const char *gl_describe(void)
{
    return description;
}

bool gl_is_software(void)
{
    if (getenv("TERRANE_DRAW_AS_GPU"))
        return false;
    return strstr(description, "llvmpipe") || strstr(description, "softpipe") || strstr(description, "SWR");
}

void gl_texture_sampling(GLuint texture, GLenum filter, GLenum wrap)
{
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_S, (GLint)wrap);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_T, (GLint)wrap);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_R, (GLint)wrap);
}

result gl_check_context(void)
{
    const GLenum status = glGetGraphicsResetStatus();
    if (status == GL_NO_ERROR)
        return result_done();
    return result_of(RESULT_MISSING, "the OpenGL context was lost (%s): the graphics driver was reset",
                     status == GL_GUILTY_CONTEXT_RESET     ? "by this program"
                     : status == GL_INNOCENT_CONTEXT_RESET ? "by another program"
                                                           : "cause unknown");
}

static void count_error(const char *text)
{
    if (n_errors < GL_ERRORS_KEPT)
        snprintf(errors[n_errors], sizeof errors[0], "%s", text);
    n_errors++;
}

static void on_debug_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text,
                             const void *user)
{
    (void)id, (void)severity, (void)length, (void)user;
    if (type == GL_DEBUG_TYPE_ERROR &&
        source != GL_DEBUG_SOURCE_SHADER_COMPILER) /* shader.c reports the errors of the compiler */
        count_error(text);
}

void gl_count_errors(void)
{
    n_errors = 0;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_debug_message, NULL);
}

int gl_error_count(void)
{
    for (GLenum error = glGetError(); error != GL_NO_ERROR; error = glGetError()) {
        char text[64];
        snprintf(text, sizeof text, "glGetError 0x%04x", error);
        count_error(text);
    }
    return n_errors;
}

result gl_check_errors(void)
{
    const int count = gl_error_count();
    return count == 0 ? result_done()
                      : result_of(RESULT_FAILED, "%d OpenGL errors, the first: %s", count, gl_error_text(0));
}

const char *gl_error_text(int n)
{
    return n < n_errors && n < GL_ERRORS_KEPT ? errors[n] : NULL;
}
