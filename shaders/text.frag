// text.frag - colours a pixel of text: it multiplies the opacity of the ink by the coverage of the glyph.
layout(binding = 0) uniform sampler2D glyphs;

in vec2 texel;
in vec4 ink;
out vec4 color;

void main()
{
    float coverage = texel.x < 0.0 ? 1.0 : texture(glyphs, texel).r;
    color = vec4(ink.rgb, ink.a * coverage);
}
