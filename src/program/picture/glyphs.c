/* glyphs.c - rasterises the font with stb_truetype. */
#include "program/picture/glyphs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "program/file/embedded.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
/** stb_truetype silently skips letters when an allocation fails. The allocator records the failure here. */
static _Thread_local bool is_memory_short;

static void *watched_malloc(size_t bytes)
{
    void *memory = malloc(bytes);
    is_memory_short |= memory == NULL;
    return memory;
}

#define STBTT_malloc(bytes, user) ((void)(user), watched_malloc(bytes))
#define STBTT_free(memory, user)  ((void)(user), free(memory))
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { FIRST = 32, COUNT = 95 }; /* printable ASCII */

struct glyphs {
    unsigned char pixels[GLYPHS_ATLAS * GLYPHS_ATLAS];
    stbtt_bakedchar baked[COUNT];
    float height;
};

result glyphs_create(float height_px, glyphs **out)
{
    glyphs *g = calloc(1, sizeof *g);
    if (!g)
        return result_of(RESULT_FAILED, "out of memory");
    g->height = height_px;
    is_memory_short = false;
    if (stbtt_BakeFontBitmap(embedded_fonts[0].bytes, 0, height_px, g->pixels, GLYPHS_ATLAS, GLYPHS_ATLAS, FIRST, COUNT,
                             g->baked) <= 0) {
        free(g);
        return result_of(RESULT_FAILED, "text of %.0f pixels does not fit its picture", (double)height_px);
    }
    if (is_memory_short) {
        free(g);
        return result_of(RESULT_FAILED, "no memory for letters of %.0f pixels", (double)height_px);
    }
    *out = g;
    return result_done();
}

void glyphs_destroy(glyphs *g)
{
    free(g);
}

const unsigned char *glyphs_pixels(const glyphs *g)
{
    return g->pixels;
}

float glyphs_height(const glyphs *g)
{
    return g->height;
}

float glyphs_advance(const glyphs *g)
{
    return g->baked['M' - FIRST].xadvance;
}

bool glyphs_quad(const glyphs *g, char letter, float *x, float y, glyph_quad *out)
{
    stbtt_aligned_quad q;
    if (letter < FIRST || letter >= FIRST + COUNT)
        return false;
    stbtt_GetBakedQuad(g->baked, GLYPHS_ATLAS, GLYPHS_ATLAS, letter - FIRST, x, &y, &q, 1);
    *out = (glyph_quad){q.x0, q.y0, q.x1, q.y1, q.s0, q.t0, q.s1, q.t1};
    return true;
}
