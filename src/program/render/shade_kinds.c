/* shade_kinds.c - compiles the programs that shade pixels. Without a thread, a program is compiled when the first frame
 * needs it. A thread compiles programs in the order in which frames need them. */
#include "program/render/shade_kinds.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/system.h"
#include "program/core/clock.h"
#include "program/render/pixels.h"
#include "program/render/shader.h"

enum { UNITS = 32, TARGETS = 4, DEFINES_MAX = PIXELS_DEFINES + 48, NICE = 10, NONE = -1 };

/* Mesa keeps machine code per context and shares it between contexts by its cache files. A Mesa thread of low priority
 * writes these files. So a program counts as ready only this long after it was compiled, when its file is written. */
static const double WRITTEN_S = 0.3;

/* covered_by: kinds whose programs can show all content of a kind, as bits. by_cost: kinds from the cheapest to the
 * most expensive program. fallback_order: order in which programs are tried if no covering program is ready. */
#define BIT(kind) (1 << (kind))
static const int covered_by[BLOCK_KINDS] = {
    [BLOCKS_SKY] = BIT(BLOCKS_SKY) | BIT(BLOCKS_LAND) | BIT(BLOCKS_BANKS) | BIT(BLOCKS_RIVER) | BIT(BLOCKS_SEA) |
                   BIT(BLOCKS_COAST) | BIT(BLOCKS_WATER),
    [BLOCKS_LAND] = BIT(BLOCKS_LAND) | BIT(BLOCKS_BANKS) | BIT(BLOCKS_RIVER) | BIT(BLOCKS_COAST) | BIT(BLOCKS_WATER),
    [BLOCKS_BANKS] = BIT(BLOCKS_BANKS) | BIT(BLOCKS_RIVER) | BIT(BLOCKS_WATER),
    [BLOCKS_RIVER] = BIT(BLOCKS_RIVER) | BIT(BLOCKS_WATER),
    [BLOCKS_SEA] = BIT(BLOCKS_SEA) | BIT(BLOCKS_COAST) | BIT(BLOCKS_WATER),
    [BLOCKS_COAST] = BIT(BLOCKS_COAST) | BIT(BLOCKS_WATER),
    [BLOCKS_WATER] = BIT(BLOCKS_WATER)};
static const int by_cost[BLOCK_KINDS] = {BLOCKS_SKY,   BLOCKS_LAND,  BLOCKS_BANKS, BLOCKS_SEA,
                                         BLOCKS_RIVER, BLOCKS_COAST, BLOCKS_WATER};
static const int fallback_order[BLOCK_KINDS] = {BLOCKS_COAST, BLOCKS_RIVER, BLOCKS_BANKS, BLOCKS_LAND,
                                                BLOCKS_SEA,   BLOCKS_SKY,   BLOCKS_WATER};

/** The textures and the image that a frame binds. Mesa compiles a program for their formats. */
typedef struct bindings {
    GLint textures[TARGETS][UNITS], image, format;
} bindings;

struct shade_kinds {
    char defines[PIXELS_DEFINES];
    second_context second;
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t lock; /* guards all members below, if there is a thread */
    pthread_cond_t changed;
    GLuint programs[BLOCK_KINDS];
    double made_s[BLOCK_KINDS]; /* time of completion, by clock_now_s */
    GLint counts[BLOCK_KINDS];  /* blocks of the last frame */
    bindings bound;
    bool has_bindings, has_counts; /* `bound` and `counts` are set */
    bool has_programs;             /* the last frame had programs */
    bool is_ending;                /* the thread must end */
    bool has_ended;
    result problem; /* the first error of the thread */
};

static void make_defines(const shade_kinds *s, int kind, char text[DEFINES_MAX])
{
    snprintf(text, DEFINES_MAX, "%s#define IS_SORTED\n#define SHADE_KIND %d\n", s->defines, kind);
}

/** Compile the missing programs of the kinds that have blocks. Used only without a thread. */
static result make_needed(shade_kinds *s, const GLint counts[BLOCK_KINDS])
{
    result res = result_done();
    for (int kind = 0; kind < BLOCK_KINDS && res.kind == RESULT_DONE; kind++) {
        char defines[DEFINES_MAX];
        if (counts[kind] == 0 || s->programs[kind])
            continue;
        make_defines(s, kind, defines);
        res = shader_compute("shade.comp", defines, &s->programs[kind]);
    }
    return res;
}

/* ---- the thread ---- */

static const GLenum targets_of[TARGETS] = {GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY,
                                           GL_TEXTURE_2D_MULTISAMPLE};

static void read_bindings(bindings *b)
{
    static const GLenum names[TARGETS] = {GL_TEXTURE_BINDING_2D, GL_TEXTURE_BINDING_3D, GL_TEXTURE_BINDING_2D_ARRAY,
                                          GL_TEXTURE_BINDING_2D_MULTISAMPLE};
    for (int n = 0; n < TARGETS; n++)
        for (GLuint unit = 0; unit < UNITS; unit++)
            glGetIntegeri_v(names[n], unit, &b->textures[n][unit]);
    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, 0, &b->image);
    glGetIntegeri_v(GL_IMAGE_BINDING_FORMAT, 0, &b->format);
}

static void bind(const bindings *b)
{
    for (int n = 0; n < TARGETS; n++)
        for (GLuint unit = 0; unit < UNITS; unit++) {
            if (b->textures[n][unit] == 0)
                continue;
            glActiveTexture(GL_TEXTURE0 + unit);
            glBindTexture(targets_of[n], (GLuint)b->textures[n][unit]);
        }
    glBindImageTexture(0, (GLuint)b->image, 0, GL_FALSE, 0, GL_WRITE_ONLY, (GLenum)b->format);
}

/** Run one work group of a program with an empty frame, so that Mesa generates the machine code. */
static void run_once(GLuint program, const bindings *b)
{
    GLuint frame;
    bind(b);
    glCreateBuffers(1, &frame);
    glNamedBufferStorage(frame, 1 << 16, NULL, 0);
    glClearNamedBufferData(frame, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame);
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    glFinish();
    glDeleteBuffers(1, &frame);
}

static bool is_ready(const shade_kinds *s, int kind)
{
    return s->programs[kind] != 0 && clock_now_s() >= s->made_s[kind] + WRITTEN_S;
}

/** The kind to compile next: first BLOCKS_LAND, which most views consist of; then BLOCKS_WATER, whose program can shade
 * all kinds; then the kind with the most blocks in the last frame. NONE: all are compiled. */
static int next_kind(const shade_kinds *s)
{
    int most = NONE;
    if (!s->programs[BLOCKS_LAND])
        return BLOCKS_LAND;
    for (int kind = BLOCKS_WATER; kind >= 0 && s->programs[BLOCKS_WATER]; kind--)
        if (!s->programs[kind] && (most == NONE || s->counts[kind] > s->counts[most]))
            most = kind;
    return s->programs[BLOCKS_WATER] ? most : BLOCKS_WATER;
}

/** Compile the program of a kind. Call with the lock held; it is released while the program is compiled. */
static void make_program(shade_kinds *s, int kind)
{
    char defines[DEFINES_MAX];
    GLuint program = 0;
    make_defines(s, kind, defines);
    pthread_mutex_unlock(&s->lock);
    const result res = shader_make_compute("shade.comp", defines, &program);
    pthread_mutex_lock(&s->lock);
    while (res.kind == RESULT_DONE && !s->has_bindings && !s->is_ending)
        pthread_cond_wait(&s->changed, &s->lock);
    const bindings bound = s->bound;
    if (res.kind == RESULT_DONE && !s->is_ending) {
        pthread_mutex_unlock(&s->lock);
        run_once(program, &bound);
        pthread_mutex_lock(&s->lock);
    }
    s->programs[kind] = program;
    s->made_s[kind] = clock_now_s();
    if (res.kind != RESULT_DONE)
        s->problem = res;
}

static void *work(void *user)
{
    shade_kinds *s = user;
    bool has_low_priority = false;
    s->second.take(s->second.user);
    pthread_mutex_lock(&s->lock);
    while (!s->is_ending && s->problem.kind == RESULT_DONE) {
        const int kind = next_kind(s);
        if (kind == NONE)
            break;
        if (!has_low_priority && kind != BLOCKS_LAND && kind != BLOCKS_WATER) { /* the others only make frames faster */
            ter_thread_set_nice(ter_thread_nice() + NICE);
            has_low_priority = true;
        }
        make_program(s, kind);
    }
    s->has_ended = true;
    pthread_mutex_unlock(&s->lock);
    s->second.leave(s->second.user);
    return NULL;
}

/* ---- life ---- */

static result begin_thread(shade_kinds *s)
{
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->has_thread = pthread_create(&s->thread, NULL, work, s) == 0;
    return s->has_thread ? result_done() : result_of(RESULT_FAILED, "the system has no thread for shaders");
}

result shade_kinds_create(const char *defines, const second_context *second, shade_kinds **out)
{
    shade_kinds *s = calloc(1, sizeof *s);
    if (!s)
        return result_of(RESULT_FAILED, "out of memory");
    snprintf(s->defines, sizeof s->defines, "%s", defines);
    s->problem = result_done();
    s->second = second ? *second : (second_context){0};
    const result res = second ? begin_thread(s) : result_done();
    if (res.kind == RESULT_DONE)
        *out = s;
    else
        shade_kinds_destroy(s);
    return res;
}

void shade_kinds_destroy(shade_kinds *s)
{
    if (!s)
        return;
    if (s->has_thread) {
        pthread_mutex_lock(&s->lock);
        s->is_ending = true;
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
        pthread_cond_destroy(&s->changed);
        pthread_mutex_destroy(&s->lock);
    }
    for (int kind = 0; kind < BLOCK_KINDS; kind++)
        shader_delete(&s->programs[kind]);
    free(s);
}

/* ---- use ---- */

void shade_kinds_read_bindings(shade_kinds *s)
{
    if (!s->has_thread)
        return;
    pthread_mutex_lock(&s->lock);
    if (!s->has_ended)
        read_bindings(&s->bound);
    s->has_bindings = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void shade_kinds_set_counts(shade_kinds *s, const GLint counts[BLOCK_KINDS])
{
    if (!s->has_thread)
        return;
    pthread_mutex_lock(&s->lock);
    memcpy(s->counts, counts, sizeof s->counts);
    s->has_counts = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/** The first kind of `order` that is in a set of bits and has a ready program; NONE if there is none. */
static int first_ready(const shade_kinds *s, const int order[BLOCK_KINDS], int of)
{
    for (int n = 0; n < BLOCK_KINDS; n++)
        if (of & BIT(order[n]) && is_ready(s, order[n]))
            return order[n];
    return NONE;
}

static int substitute(const shade_kinds *s, int kind)
{
    if (is_ready(s, kind))
        return kind;
    const int covering = first_ready(s, by_cost, covered_by[kind]);
    return covering != NONE ? covering : first_ready(s, fallback_order, ~0);
}

result shade_kinds_programs(shade_kinds *s, const GLint counts[BLOCK_KINDS], GLuint out[BLOCK_KINDS], bool *are_ready)
{
    if (!s->has_thread) {
        const result res = make_needed(s, counts);
        memcpy(out, s->programs, sizeof s->programs);
        *are_ready = res.kind == RESULT_DONE;
        return res;
    }
    pthread_mutex_lock(&s->lock);
    for (int kind = 0; kind < BLOCK_KINDS; kind++) {
        const int found = substitute(s, kind);
        out[kind] = found == NONE ? 0 : s->programs[found];
    }
    s->has_programs = out[0] != 0; /* as soon as one program is ready, it serves for all kinds */
    *are_ready = s->has_programs;
    pthread_mutex_unlock(&s->lock);
    return result_done();
}

result shade_kinds_progress(shade_kinds *s, shade_progress *out)
{
    *out = (shade_progress){.n_made = BLOCK_KINDS, .is_complete = true, .is_frame_shaded = true};
    if (!s->has_thread)
        return result_done();
    pthread_mutex_lock(&s->lock);
    *out = (shade_progress){.is_complete = s->has_counts, .is_frame_shaded = s->has_programs};
    for (int kind = 0; kind < BLOCK_KINDS; kind++) {
        out->n_made += is_ready(s, kind);
        out->is_complete &= s->counts[kind] == 0 || first_ready(s, by_cost, covered_by[kind]) != NONE;
    }
    const result res = s->problem;
    pthread_mutex_unlock(&s->lock);
    return res;
}
