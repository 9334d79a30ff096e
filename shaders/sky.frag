// sky.frag - sky and the sun's disc.
#include "frame.glsl"
#include "noise.glsl"
#include "atmosphere.glsl"

in vec3 direction;
out vec4 color;

void main()
{
    vec3 d = normalize(direction);
    vec3 light = sky_light(d);
    float off = 1.0 - dot(d, sun.xyz);
    float disc = 1.0 - smoothstep(0.00001, 0.000016, off); // half a degree across
    light += sunlight(camera.y) * step(0.0, d.y) * (disc * 40.0 + 0.06 * exp(-off * 900.0));
    vec3 shown = display(light);
    float dither = (hash_cell(ivec2(gl_FragCoord.xy), 4096) - 0.5) / 255.0;
    color = vec4(shown + dither, 1.0);
}
