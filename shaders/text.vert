// text.vert - places rectangles of glyphs, in pixels from the top left corner.
layout(location = 0) in vec4 place_and_texel; // xy: pixels; zw: texture coordinates, negative z for a plain rectangle
layout(location = 1) in vec4 tint;
layout(location = 0) uniform vec2 size;

out vec2 texel;
out vec4 ink;

void main()
{
    texel = place_and_texel.zw;
    ink = tint;
    gl_Position = vec4(place_and_texel.x / size.x * 2.0 - 1.0, 1.0 - place_and_texel.y / size.y * 2.0, 0.0, 1.0);
}
