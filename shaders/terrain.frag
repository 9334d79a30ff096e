// terrain.frag - which level of detail a pixel's land has; with the depth that is all that shading needs.
flat in float level;
out float stored;

void main()
{
    stored = level;
}
