/* keys.c - the table. Key codes are GLFW's, which are ASCII for printable keys. */
#include "fly/keys.h"

#include <stdio.h>

enum { CODE_ESCAPE = 256, CODE_F11 = 300, CODE_F12 = 301, CODE_LEFT_SHIFT = 340 };

const key_binding key_bindings[] = {
    {"W", 'W', ACTION_FORWARD, "forward"},
    {"S", 'S', ACTION_BACK, "back"},
    {"A", 'A', ACTION_LEFT, "left"},
    {"D", 'D', ACTION_RIGHT, "right"},
    {"E", 'E', ACTION_UP, "up"},
    {"Q", 'Q', ACTION_DOWN, "down"},
    {"Shift", CODE_LEFT_SHIFT, ACTION_FASTER, "ten times faster while held"},
    {"P", 'P', ACTION_AUTOPILOT, "autopilot on or off"},
    {"Space", ' ', ACTION_PAUSE, "pause"},
    {"T", 'T', ACTION_TIME, "time runs, half an hour a second, or stops"},
    {"U", 'U', ACTION_HUD, "instruments on or off"},
    {"H", 'H', ACTION_HELP, "this help"},
    {"G", 'G', ACTION_DEBUG, "next debug view"},
    {"F11", CODE_F11, ACTION_FULLSCREEN, "full screen on or off"},
    {"F12", CODE_F12, ACTION_SCREENSHOT, "write a picture, terrane-N.png"},
    {"Esc", CODE_ESCAPE, ACTION_LEAVE, "release the mouse, then quit"},
};
const size_t key_bindings_count = sizeof key_bindings / sizeof key_bindings[0];

void keys_describe(char *text, size_t size)
{
    size_t used = 0;
    for (size_t n = 0; n < key_bindings_count; n++)
        used += (size_t)snprintf(text + used, size - used, "%-6s %s\n", key_bindings[n].key, key_bindings[n].help);
    snprintf(text + used, size - used, "%-6s %s\n%-6s %s\n", "Mouse", "look around (click to capture it)", "Wheel",
             "speed, 1 m/s to 10 km/s");
}
