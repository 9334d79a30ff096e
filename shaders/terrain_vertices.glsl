// terrain_vertices.glsl - the vertices of all tiles that are drawn.
layout(std430, binding = 7) buffer TerrainVertices { vec4 vertices[]; }; // in the picture, before the division

int vertices_of_tile()
{
    int side = QUADS / frame_mesh_step + 1;
    return side * side;
}
