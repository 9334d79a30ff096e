/* shader.c - loading, including, compiling. */
#include "render/shader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/embedded.h"

enum { SOURCE_MAX = 1 << 17 };

static const char *shader_folder;

void shader_set_folder(const char *folder)
{
    shader_folder = folder;
}

static outcome append(char *source, const char *text, size_t length)
{
    const size_t used = strlen(source);
    if (used + length + 2 > SOURCE_MAX)
        return outcome_of(OUTCOME_FAILED, "a shader is longer than %d bytes", SOURCE_MAX);
    memcpy(source + used, text, length);
    source[used + length] = '\0';
    return outcome_done();
}

/** Text of a shader file, NUL-terminated; free it when it comes from a folder. */
static outcome read_file(const char *name, char **text)
{
    if (!shader_folder) {
        for (const struct embedded_file *f = embedded_shaders; f->name; f++)
            if (strcmp(f->name, name) == 0) {
                *text = strdup((const char *)f->bytes);
                return *text ? outcome_done() : outcome_of(OUTCOME_FAILED, "out of memory");
            }
        return outcome_of(OUTCOME_FAILED, "no shader '%s' in this build", name);
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", shader_folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return outcome_of(OUTCOME_USAGE, "--shader-dir: cannot read '%s': %s", path, strerror(errno));
    *text = calloc(1, SOURCE_MAX);
    if (*text)
        (*text)[fread(*text, 1, SOURCE_MAX - 1, file)] = '\0';
    fclose(file);
    return *text ? outcome_done() : outcome_of(OUTCOME_FAILED, "out of memory");
}

static outcome load(const char *name, char *source, int depth)
{
    char *text = NULL;
    outcome o = depth < 8 ? read_file(name, &text) : outcome_of(OUTCOME_FAILED, "shader '%s': includes nested too deep", name);
    for (const char *line = text; o.kind == OUTCOME_DONE && line && *line;) {
        const size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        char included[64];
        if (sscanf(line, "#include \"%63[^\"]\"", included) == 1)
            o = load(included, source, depth + 1);
        else
            o = append(source, line, length);
        line += length;
    }
    free(text);
    return o;
}

static outcome compile(GLenum stage, const char *name, const char *defines, GLuint *shader)
{
    char *source = calloc(1, SOURCE_MAX);
    if (!source)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    outcome o = append(source, "#version 450 core\n", 18);
    if (o.kind == OUTCOME_DONE && defines)
        o = append(source, defines, strlen(defines));
    if (o.kind == OUTCOME_DONE)
        o = load(name, source, 0);
    if (o.kind == OUTCOME_DONE) {
        GLint ok = 0;
        char log[512] = "";
        *shader = glCreateShader(stage);
        glShaderSource(*shader, 1, (const GLchar *const *)&source, NULL);
        glCompileShader(*shader);
        glGetShaderiv(*shader, GL_COMPILE_STATUS, &ok);
        glGetShaderInfoLog(*shader, sizeof log, NULL, log);
        if (!ok)
            o = outcome_of(OUTCOME_FAILED, "shader '%s' does not compile: %s", name, log);
    }
    free(source);
    return o;
}

/** Link what has been compiled; deletes the shaders. */
static outcome link_program(const GLuint *shaders, int count, const char *name, outcome o, GLuint *program)
{
    *program = glCreateProgram();
    if (o.kind == OUTCOME_DONE) {
        GLint ok = 0;
        char log[512] = "";
        for (int n = 0; n < count; n++)
            glAttachShader(*program, shaders[n]);
        glLinkProgram(*program);
        glGetProgramiv(*program, GL_LINK_STATUS, &ok);
        glGetProgramInfoLog(*program, sizeof log, NULL, log);
        if (!ok)
            o = outcome_of(OUTCOME_FAILED, "shader '%s' does not link: %s", name, log);
    }
    for (int n = 0; n < count; n++)
        glDeleteShader(shaders[n]);
    if (o.kind != OUTCOME_DONE) {
        glDeleteProgram(*program);
        *program = 0;
    }
    return o;
}

outcome shader_program(const char *vertex, const char *fragment, GLuint *program)
{
    GLuint shaders[2] = {0};
    outcome o = compile(GL_VERTEX_SHADER, vertex, NULL, &shaders[0]);
    if (o.kind == OUTCOME_DONE && fragment)
        o = compile(GL_FRAGMENT_SHADER, fragment, NULL, &shaders[1]);
    return link_program(shaders, fragment ? 2 : 1, vertex, o, program);
}

outcome shader_compute(const char *compute, const char *defines, GLuint *program)
{
    GLuint shader = 0;
    const outcome o = compile(GL_COMPUTE_SHADER, compute, defines, &shader);
    return link_program(&shader, 1, compute, o, program);
}
