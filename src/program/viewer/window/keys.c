/* keys.c - the table of keys. Key codes are GLFW's, which are ASCII for printable keys. Buttons are those of GLFW's
 * gamepad mapping. */
#include "program/viewer/window/keys.h"

#include <stdio.h>

enum { CODE_ESCAPE = 256, CODE_F11 = 300, CODE_F12 = 301, CODE_LEFT_SHIFT = 340 };
enum {
    NO_BUTTON = -1,
    BUTTON_A,
    BUTTON_B,
    BUTTON_X,
    BUTTON_Y,
    BUTTON_LEFT_BUMPER,
    BUTTON_RIGHT_BUMPER,
    BUTTON_BACK,
    BUTTON_START
};

const key_binding key_bindings[] = {
    {"W", 'W', NO_BUTTON, ACTION_FORWARD, "forward"},
    {"S", 'S', NO_BUTTON, ACTION_BACK, "back"},
    {"A", 'A', NO_BUTTON, ACTION_LEFT, "left"},
    {"D", 'D', NO_BUTTON, ACTION_RIGHT, "right"},
    {"E", 'E', NO_BUTTON, ACTION_UP, "up"},
    {"Q", 'Q', NO_BUTTON, ACTION_DOWN, "down"},
    {"Shift", CODE_LEFT_SHIFT, BUTTON_RIGHT_BUMPER, ACTION_FASTER, "ten times faster while held"},
    {"P", 'P', BUTTON_A, ACTION_AUTOPILOT, "autopilot on or off"},
    {"Space", ' ', BUTTON_START, ACTION_PAUSE, "pause"},
    {"M", 'M', BUTTON_X, ACTION_MORPH, "morph into the next seed, as a front; again: back"},
    {"N", 'N', NO_BUTTON, ACTION_NEXT_SEED, "next seed, everywhere, in two seconds; again: back"},
    {"R", 'R', NO_BUTTON, ACTION_RESET, "back to where the flight began"},
    {"T", 'T', BUTTON_Y, ACTION_TIME, "time runs, half an hour a second, or stops"},
    {"L", 'L', NO_BUTTON, ACTION_LAYERS, "layers: all, no clouds, no shadows, no water, land alone"},
    {"U", 'U', BUTTON_BACK, ACTION_HUD, "instruments on or off"},
    {"H", 'H', BUTTON_B, ACTION_HELP, "this help"},
    {"G", 'G', BUTTON_LEFT_BUMPER, ACTION_DEBUG, "next debug view: levels of detail, normals, tiles, wire"},
    {"C", 'C', NO_BUTTON, ACTION_COPY_VIEW, "copy the view as a line for --view"},
    {"X", 'X', NO_BUTTON, ACTION_EXPORT,
     "mark the ground in view; the command that exports it goes to stdout and the clipboard"},
    {"K", 'K', NO_BUTTON, ACTION_RECORD_PATH, "record the path, again: write it, terrane-path-N.txt"},
    {"F11", CODE_F11, NO_BUTTON, ACTION_FULLSCREEN, "full screen on or off"},
    {"F12", CODE_F12, NO_BUTTON, ACTION_SCREENSHOT, "write a picture, terrane-N.png"},
    {"Esc", CODE_ESCAPE, NO_BUTTON, ACTION_LEAVE, "release the mouse, then quit"},
};
const size_t key_bindings_count = sizeof key_bindings / sizeof key_bindings[0];

void keys_describe(char *text, size_t size)
{
    static const char *const buttons[] = {"A", "B", "X", "Y", "left bumper", "right bumper", "back", "start"};
    size_t used = 0;
    for (size_t n = 0; n < key_bindings_count; n++) {
        const key_binding *b = &key_bindings[n];
        used += (size_t)snprintf(text + used, size - used, "%-6s %s%s%s%s\n", b->key, b->help,
                                 b->button < 0 ? "" : " (gamepad: ", b->button < 0 ? "" : buttons[b->button],
                                 b->button < 0 ? "" : ")");
    }
    snprintf(text + used, size - used, "%-6s %s\n%-6s %s\n%-6s %s\n", "Mouse", "look around (click to capture it)",
             "Wheel", "speed, 1 m/s to 100 km/s", "Pad", "left stick: move, right stick: look, triggers: down and up");
}
