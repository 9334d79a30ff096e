// draw.js - draws tiles by WebGL 2: hillshade, rivers and lakes over the colours of the ground.
"use strict";

const VERTEX_SHADER = `#version 300 es
uniform vec4 place; // left, top, right, bottom in clip coordinates
uniform float span; // samples between the first and the last one
out vec2 at;
void main()
{
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = (corner * span + 0.5) / (span + 1.0);
  gl_Position = vec4(mix(place.xy, place.zw, corner), 0.0, 1.0);
}`;

// MAP_LIGHT stands for src/program/picture/map_light.h, with the formulas of maps
const FRAGMENT_SHADER = `#version 300 es
precision highp float;
MAP_LIGHT
uniform sampler2D colors, slopes, water;
uniform float exaggeration, shaded, azimuth, share;
in vec2 at;
out vec4 pixel;

vec3 srgb(vec3 x)
{
  return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}

void main()
{
  vec4 ground = texture(colors, at);
  vec2 slope = texture(slopes, at).xy * exaggeration, lake = texture(water, at).xy;
  vec3 color = ground.rgb * map_lit(shaded, map_light(slope.x, slope.y, azimuth));
  color = mix(color, map_ink, MAP_INK * ground.a);
  vec3 open = mix(mix(map_shallow, map_deep, lake.y), map_ink, map_shore_share(lake.x));
  pixel = vec4(srgb(clamp(mix(color, open, lake.x), 0.0, 1.0)), 1.0) * share;
}`;

/** Draws on a canvas. Throws an error without WebGL 2. */
class Drawing {
  constructor(canvas, mapLight) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.canvas = canvas;
    this.program = this.link(VERTEX_SHADER, FRAGMENT_SHADER.replace("MAP_LIGHT", mapLight));
    this.uniforms = {};
    for (const name of ["place", "span", "exaggeration", "shaded", "azimuth", "share", "colors", "slopes", "water"])
      this.uniforms[name] = gl.getUniformLocation(this.program, name);
    gl.useProgram(this.program);
    ["colors", "slopes", "water"].forEach((name, unit) => gl.uniform1i(this.uniforms[name], unit));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.clearColor(0.055, 0.11, 0.18, 1);
  }

  link(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }

  texture(inner, format, type, side, pixels) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, side, side, 0, format, type, pixels);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    return texture;
  }

  /** Copy the arrays of a tile to the GPU. */
  upload({ colors, slopes, water, side }) {
    const gl = this.gl;
    return [
      this.texture(gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, side, colors),
      this.texture(gl.RG16F, gl.RG, gl.FLOAT, side, slopes),
      this.texture(gl.RG8, gl.RG, gl.UNSIGNED_BYTE, side, water),
    ];
  }

  free(textures) {
    for (const texture of textures) this.gl.deleteTexture(texture);
  }

  resize(width, height, ratio) {
    const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    this.gl.viewport(0, 0, w, h);
  }

  /** Begin a picture. light: { shaded, azimuth } */
  begin(light, span) {
    const gl = this.gl;
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform1f(this.uniforms.span, span);
    gl.uniform1f(this.uniforms.shaded, light.shaded);
    gl.uniform1f(this.uniforms.azimuth, light.azimuth);
  }

  /** Draw a tile. place: left, top, right, bottom in clip coordinates */
  tile(textures, place, exaggeration, share) {
    const gl = this.gl;
    textures.forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.uniform4f(this.uniforms.place, ...place);
    gl.uniform1f(this.uniforms.exaggeration, exaggeration);
    gl.uniform1f(this.uniforms.share, share);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}
