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

static outcome compile(GLenum stage, const char *name, GLuint *shader)
{
    char *source = calloc(1, SOURCE_MAX);
    if (!source)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    outcome o = append(source, "#version 450 core\n", 18);
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

outcome shader_program(const char *vertex, const char *fragment, const char *compute, GLuint *program)
{
    const char *names[3] = {vertex, fragment, compute};
    const GLenum stages[3] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER, GL_COMPUTE_SHADER};
    GLuint shaders[3] = {0};
    outcome o = outcome_done();
    *program = glCreateProgram();
    for (int n = 0; n < 3 && o.kind == OUTCOME_DONE; n++)
        if (names[n]) {
            o = compile(stages[n], names[n], &shaders[n]);
            if (o.kind == OUTCOME_DONE)
                glAttachShader(*program, shaders[n]);
        }
    if (o.kind == OUTCOME_DONE) {
        GLint ok = 0;
        char log[512] = "";
        glLinkProgram(*program);
        glGetProgramiv(*program, GL_LINK_STATUS, &ok);
        glGetProgramInfoLog(*program, sizeof log, NULL, log);
        if (!ok)
            o = outcome_of(OUTCOME_FAILED, "shaders '%s' do not link: %s", compute ? compute : fragment, log);
    }
    for (int n = 0; n < 3; n++)
        glDeleteShader(shaders[n]);
    if (o.kind != OUTCOME_DONE) {
        glDeleteProgram(*program);
        *program = 0;
    }
    return o;
}
