/* shader.c - loads shader files with their includes, compiles and links them. */
#include "program/render/shader.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"
#include "program/file/embedded.h"
#include "program/file/input_file.h"

enum { SOURCE_MAX = 1 << 18 };

static const char *shader_folder;

void shader_set_folder(const char *folder)
{
    shader_folder = folder;
}

static result append(char *source, const char *text, size_t length)
{
    const size_t used = strlen(source);
    if (used + length + 2 > SOURCE_MAX)
        return result_of(RESULT_FAILED, "a shader is longer than %d bytes", SOURCE_MAX);
    memcpy(source + used, text, length);
    source[used + length] = '\0';
    return result_done();
}

/** Read the text of a shader file, NUL-terminated. The caller frees it. */
static result read_file(const char *name, char **text)
{
    if (!shader_folder) {
        for (const struct embedded_file *f = embedded_shaders; f->name; f++)
            if (strcmp(f->name, name) == 0) {
                *text = strdup((const char *)f->bytes);
                return *text ? result_done() : result_of(RESULT_FAILED, "out of memory");
            }
        return result_of(RESULT_FAILED, "no shader '%s' in this build", name);
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", shader_folder, name);
    const result res = input_file_text(path, SOURCE_MAX - 1, text);
    return res.kind == RESULT_FILE ? result_of(RESULT_USAGE, "--shader-dir: %s", res.text) : res;
}

static result load(const char *name, char *source, int depth)
{
    char *text = NULL;
    result res =
        depth < 8 ? read_file(name, &text) : result_of(RESULT_FAILED, "shader '%s': includes nested too deep", name);
    for (const char *line = text; res.kind == RESULT_DONE && line && *line;) {
        const size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        char included[64];
        if (sscanf(line, "#include \"%63[^\"]\"", included) == 1)
            res = load(included, source, depth + 1);
        else
            res = append(source, line, length);
        line += length;
    }
    free(text);
    return res;
}

static result compile(GLenum stage, const char *name, const char *defines, GLuint *shader)
{
    char *source = calloc(1, SOURCE_MAX);
    if (!source)
        return result_of(RESULT_FAILED, "out of memory");
    result res = append(source, "#version 450 core\n", 18);
    if (res.kind == RESULT_DONE && defines)
        res = append(source, defines, strlen(defines));
    if (res.kind == RESULT_DONE)
        res = load(name, source, 0);
    if (res.kind == RESULT_DONE) {
        GLint ok = 0;
        char log[512] = "";
        *shader = glCreateShader(stage);
        glShaderSource(*shader, 1, (const GLchar *const *)&source, NULL);
        glCompileShader(*shader);
        glGetShaderiv(*shader, GL_COMPILE_STATUS, &ok);
        glGetShaderInfoLog(*shader, sizeof log, NULL, log);
        if (!ok)
            res = result_of(RESULT_FAILED, "shader '%s' does not compile: %s", name, log);
    }
    free(source);
    return res;
}

/** Link compiled shaders, unless an earlier step failed (res), and delete the shaders. */
static result link_program(const GLuint *shaders, int count, const char *name, result res, GLuint *program)
{
    *program = glCreateProgram();
    if (res.kind == RESULT_DONE) {
        GLint ok = 0;
        char log[512] = "";
        for (int n = 0; n < count; n++)
            glAttachShader(*program, shaders[n]);
        glLinkProgram(*program);
        glGetProgramiv(*program, GL_LINK_STATUS, &ok);
        glGetProgramInfoLog(*program, sizeof log, NULL, log);
        if (!ok)
            res = result_of(RESULT_FAILED, "shader '%s' does not link: %s", name, log);
    }
    for (int n = 0; n < count; n++)
        glDeleteShader(shaders[n]);
    if (res.kind != RESULT_DONE) {
        glDeleteProgram(*program);
        *program = 0;
    }
    return res;
}

/* ---- known programs ---- */

enum { NAME_MAX_LENGTH = 64, DEFINES_MAX_LENGTH = 192 };

typedef struct known_program {
    GLuint *program;
    char names[2][NAME_MAX_LENGTH]; /* files: vertex and fragment shader, or compute shader and "" */
    char defines[DEFINES_MAX_LENGTH];
    bool is_compute;
} known_program;

static known_program known[SHADER_PROGRAMS_MAX];
static int n_known;
static void (*watcher)(void *user, int count);
static void *watcher_user;
static int64_t newest_s, newest_ns; /* latest modification time seen in the folder */

static result make(const known_program *k, GLuint *program)
{
    GLuint shaders[2] = {0};
    const bool has_fragment = !k->is_compute && k->names[1][0];
    result res = compile(k->is_compute ? GL_COMPUTE_SHADER : GL_VERTEX_SHADER, k->names[0], k->defines, &shaders[0]);
    if (res.kind == RESULT_DONE && has_fragment)
        res = compile(GL_FRAGMENT_SHADER, k->names[1], k->defines, &shaders[1]);
    return link_program(shaders, has_fragment ? 2 : 1, k->names[0], res, program);
}

static result add(known_program k)
{
    const result res = n_known < SHADER_PROGRAMS_MAX
                           ? make(&k, k.program)
                           : result_of(RESULT_FAILED, "more than %d shader programs", SHADER_PROGRAMS_MAX);
    if (res.kind == RESULT_DONE)
        known[n_known++] = k;
    if (res.kind == RESULT_DONE && watcher)
        watcher(watcher_user, n_known);
    return res;
}

void shader_watch(void (*made)(void *user, int count), void *user)
{
    watcher = made;
    watcher_user = user;
}

result shader_program(const char *vertex, const char *fragment, GLuint *program)
{
    known_program k = {.program = program};
    snprintf(k.names[0], sizeof k.names[0], "%s", vertex);
    snprintf(k.names[1], sizeof k.names[1], "%s", fragment ? fragment : "");
    return add(k);
}

static result describe_compute(known_program *k, const char *compute, const char *defines)
{
    snprintf(k->names[0], sizeof k->names[0], "%s", compute);
    const int length = snprintf(k->defines, sizeof k->defines, "%s", defines ? defines : "");
    return length < DEFINES_MAX_LENGTH
               ? result_done()
               : result_of(RESULT_FAILED, "%d characters of definitions for %s are too many", length, compute);
}

result shader_compute(const char *compute, const char *defines, GLuint *program)
{
    known_program k = {.program = program, .is_compute = true};
    const result res = describe_compute(&k, compute, defines);
    return res.kind == RESULT_DONE ? add(k) : res;
}

result shader_compute_all(const shader_file *files, size_t count)
{
    result res = result_done();
    for (size_t n = 0; n < count && res.kind == RESULT_DONE; n++)
        res = shader_compute(files[n].name, files[n].defines, files[n].program);
    return res;
}

result shader_make_compute(const char *compute, const char *defines, GLuint *program)
{
    known_program k = {.is_compute = true};
    const result res = describe_compute(&k, compute, defines);
    return res.kind == RESULT_DONE ? make(&k, program) : res;
}

bool shader_has_folder(void)
{
    return shader_folder != NULL;
}

void shader_delete(GLuint *program)
{
    for (int n = 0; n < n_known; n++)
        if (known[n].program == program) {
            known[n] = known[--n_known];
            break;
        }
    glDeleteProgram(*program);
    *program = 0;
}

static void look_at(void *user, const char *name)
{
    bool *is_newer = user;
    char path[1400];
    system_facts facts;
    snprintf(path, sizeof path, "%s/%s", shader_folder, name);
    if (*name == '.' || !system_facts_of_target(path, &facts))
        return;
    if (facts.written_s > newest_s || (facts.written_s == newest_s && facts.written_ns > newest_ns)) {
        newest_s = facts.written_s;
        newest_ns = facts.written_ns;
        *is_newer = true;
    }
}

/** Whether a file of the folder was modified since the last call. */
static bool has_changed(void)
{
    bool is_newer = false;
    system_folder_list(shader_folder, look_at, &is_newer);
    return is_newer;
}

bool shader_reload(void (*report)(const char *text))
{
    const bool is_first = newest_s == 0;
    int n_made = 0;
    if (!shader_folder || !has_changed() || is_first)
        return false;
    for (int n = 0; n < n_known; n++) {
        GLuint program = 0;
        const result res = make(&known[n], &program);
        if (res.kind != RESULT_DONE) {
            report(res.text);
            continue;
        }
        glDeleteProgram(*known[n].program);
        *known[n].program = program;
        n_made++;
    }
    if (n_made == n_known)
        report("shaders were rebuilt");
    return n_made > 0;
}
