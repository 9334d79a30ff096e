/* keys.h - the table of all keys of the viewer, for input and for the help overlay. */
#ifndef TERRANE_PROGRAM_VIEWER_WINDOW_KEYS_H
#define TERRANE_PROGRAM_VIEWER_WINDOW_KEYS_H

#include <stddef.h>

typedef enum action {
    /* while a key is held */
    ACTION_FORWARD,
    ACTION_BACK,
    ACTION_LEFT,
    ACTION_RIGHT,
    ACTION_UP,
    ACTION_DOWN,
    ACTION_FASTER,
    HELD_ACTIONS,
    /* once for each press */
    ACTION_AUTOPILOT = HELD_ACTIONS,
    ACTION_PAUSE,
    ACTION_MORPH,
    ACTION_NEXT_SEED,
    ACTION_RESET,
    ACTION_TIME,
    ACTION_LAYERS,
    ACTION_HUD,
    ACTION_HELP,
    ACTION_DEBUG,
    ACTION_COPY_VIEW,
    ACTION_EXPORT,
    ACTION_RECORD_PATH,
    ACTION_FULLSCREEN,
    ACTION_SCREENSHOT,
    ACTION_LEAVE,
    ACTIONS
} action;

typedef struct key_binding {
    const char *key; /* name for the user */
    int code;        /* GLFW key code */
    int button;      /* GLFW gamepad button, -1: none */
    action action;
    const char *help;
} key_binding;

extern const key_binding key_bindings[];
extern const size_t key_bindings_count;

/** The table as text, for the help overlay and for --list-keys. */
void keys_describe(char *text, size_t size);

#endif
