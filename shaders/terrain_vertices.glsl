// terrain_vertices.glsl - the vertices of all drawn tiles.
layout(std430, binding = 7) buffer TerrainVertices { vec4 vertices[]; }; // clip coordinates

int vertices_of_tile()
{
    int side = QUADS / frame_mesh_step + 1;
    return side * side;
}
