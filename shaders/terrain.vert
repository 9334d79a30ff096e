// terrain.vert - passes on the vertices that terrain_vertices.comp has computed. Only depth is drawn: later passes find
// level of detail and tile from the position.
#include "frame.glsl"
#include "pages.glsl"
#include "terrain_vertices.glsl"

void main()
{
    gl_Position = vertices[gl_InstanceID * vertices_of_tile() + gl_VertexID];
}
