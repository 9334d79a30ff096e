// tile_jobs.glsl - the tiles that a dispatch processes.
struct Job { ivec2 corner; int lod; int slot; }; // corner: north-west, lattice steps from the camera's cell
layout(std430, binding = 2) readonly buffer Jobs { Job jobs[]; };
