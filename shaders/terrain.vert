// terrain.vert - the land's vertices as terrain_vertices.comp has made them. Depth is all that is kept: level of detail and tile follow
// from the place.
#include "frame.glsl"
#include "pages.glsl"
#include "terrain_vertices.glsl"

void main()
{
    gl_Position = vertices[gl_InstanceID * vertices_of_tile() + gl_VertexID];
}
