/* terrane/opengl.h - OpenGL buffers that a CUDA generator writes into. */
#ifndef TERRANE_OPENGL_H
#define TERRANE_OPENGL_H

#include "terrane/generator.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An OpenGL buffer object that a CUDA generator writes into. Make all calls on the thread with the current GL context.
 */
typedef struct ter_gl_buffer ter_gl_buffer;

/** Register a GL buffer for writing.
 *
 *  name    GL buffer object with allocated storage
 *  out     receives the registration; free it with ter_gl_buffer_unregister, before the generator and before the GL
 *          buffer
 *  Errors  TER_ENOBACKEND the generator has no device; TER_EINTEROP this context and this device cannot share memory;
 *          the detail has the reason: fill host memory and upload it instead; TER_ENOMEM
 */
TER_API ter_status ter_gl_buffer_register(ter_generator *generator, unsigned int name, ter_gl_buffer **out);

/** Map the buffer for CUDA; GL must not use it until ter_gl_buffer_unmap.
 *
 *  out, bytes  receive the device pointer and the size
 *  Errors      TER_EDEVICE
 */
TER_API ter_status ter_gl_buffer_map(ter_gl_buffer *buffer, void *cuda_stream, float **out, size_t *bytes);

/** Give the buffer back to GL. GL commands after this call see the work that was queued on the stream before it.
 *  Errors  TER_EDEVICE */
TER_API ter_status ter_gl_buffer_unmap(ter_gl_buffer *buffer, void *cuda_stream);

/** Unregister; NULL is allowed. The GL buffer object is not deleted. */
TER_API void ter_gl_buffer_unregister(ter_gl_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
