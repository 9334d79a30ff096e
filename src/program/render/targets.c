/* targets.c - creates and deletes the textures and framebuffers of a frame. */
#include "program/render/targets.h"

static GLuint make_texture(GLenum format, int width, int height, int n_samples)
{
    GLuint texture;
    if (n_samples > 1) {
        glCreateTextures(GL_TEXTURE_2D_MULTISAMPLE, 1, &texture);
        glTextureStorage2DMultisample(texture, n_samples, format, width, height, GL_TRUE);
        return texture;
    }
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, format, width, height);
    gl_texture_sampling(texture, GL_LINEAR, GL_CLAMP_TO_EDGE);
    return texture;
}

/** Make an integer texture with a layer per sample. */
static GLuint make_words(int width, int height, int n_samples)
{
    GLuint texture;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
    glTextureStorage3D(texture, 1, GL_R32UI, width, height, n_samples);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST); /* integer textures allow no other filter */
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static bool is_same(const target_size *a, const target_size *b)
{
    return a->width == b->width && a->height == b->height && a->picture_width == b->picture_width &&
           a->picture_height == b->picture_height;
}

result targets_resize(targets *t, const target_size *size)
{
    const int width = size->width, height = size->height;
    if (is_same(size, &t->size))
        return result_done();
    targets_destroy(t);
    t->size = *size;
    t->depth = t->is_land_computed ? make_words(width, height, t->n_samples)
                                   : make_texture(GL_DEPTH_COMPONENT32F, width, height, t->n_samples);
    t->light = make_texture(GL_RGBA16F, width, height, 1);
    t->clouds = make_texture(GL_RGBA16F, (width + t->cloud_share - 1) / t->cloud_share,
                             (height + t->cloud_share - 1) / t->cloud_share, 1);
    t->picture = make_texture(GL_RGBA8, size->picture_width, size->picture_height, 1);
    t->frame = targets_are_scaled(t) ? make_texture(GL_RGBA8, width, height, 1) : t->picture;
    if (!t->is_land_computed) {
        glCreateFramebuffers(1, &t->land);
        glNamedFramebufferTexture(t->land, GL_DEPTH_ATTACHMENT, t->depth, 0);
        glNamedFramebufferDrawBuffer(t->land, GL_NONE);
    }
    if (t->has_plants) {
        t->plant_nearest = make_words(width, height, t->n_samples);
        t->plant_shown = make_words(width, height, t->n_samples);
    }
    glCreateFramebuffers(1, &t->framebuffer);
    glNamedFramebufferTexture(t->framebuffer, GL_COLOR_ATTACHMENT0, t->picture, 0);
    if (targets_are_scaled(t)) {
        glCreateFramebuffers(1, &t->small);
        glNamedFramebufferTexture(t->small, GL_COLOR_ATTACHMENT0, t->frame, 0);
    }
    if ((t->land && glCheckNamedFramebufferStatus(t->land, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) ||
        glCheckNamedFramebufferStatus(t->framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return result_of(RESULT_FAILED, "no framebuffer of %d x %d pixels with %d samples", width, height,
                         t->n_samples);
    return result_done();
}

bool targets_are_scaled(const targets *t)
{
    return t->size.width != t->size.picture_width || t->size.height != t->size.picture_height;
}

void targets_destroy(targets *t)
{
    const GLuint textures[7] = {t->depth,
                                t->plant_nearest,
                                t->plant_shown,
                                t->light,
                                t->clouds,
                                t->picture,
                                targets_are_scaled(t) ? t->frame : 0};
    glDeleteFramebuffers(1, &t->land);
    glDeleteFramebuffers(1, &t->framebuffer);
    glDeleteFramebuffers(1, &t->small);
    glDeleteTextures(7, textures);
    *t = (targets){.n_samples = t->n_samples,
                   .cloud_share = t->cloud_share,
                   .is_land_computed = t->is_land_computed,
                   .has_plants = t->has_plants};
}
