/* gil.cpp - takes the interpreter's lock, or waits for the end of the process. */
#include "gil.h"

#include <unistd.h>

/** Call `take`. If Python ends the thread in this call, wait until the process ends. */
template <typename Take> static void take_or_wait(const Take &take)
{
    try {
        take();
    } catch (...) { /* the unwinding of pthread_exit, which must not go on */
        for (;;)
            pause();
    }
}

released_gil::~released_gil()
{
    take_or_wait([&] { PyEval_RestoreThread(state_); });
}

held_gil::held_gil()
{
    take_or_wait([&] { state_ = PyGILState_Ensure(); });
}
