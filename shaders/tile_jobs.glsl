// tile_jobs.glsl - tiles to work on: north-west corner from the camera's cell, lattice steps.
struct Job { ivec2 corner; int lod; int slot; };
layout(std430, binding = 2) readonly buffer Jobs { Job jobs[]; };
