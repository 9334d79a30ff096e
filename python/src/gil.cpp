/* gil.cpp - taking the interpreter's lock again, or never. */
#include "gil.h"

#include <unistd.h>

/** Call `take`; where that ends the thread, wait until the process has ended. */
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
