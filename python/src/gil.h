/* gil.h - releases the interpreter's lock during long work, and takes it again.
 *
 * Before Python 3.14, a daemon thread that takes the lock while the interpreter ends is ended by pthread_exit. This
 * would unwind the module's frames without the lock and abort the process. With these classes the thread waits for the
 * end of the process instead, as it does in Python 3.14. The module uses them everywhere instead of nanobind's classes.
 */
#ifndef TERRANE_PYTHON_GIL_H
#define TERRANE_PYTHON_GIL_H

#include <Python.h>

/** Other threads may run Python while the object exists. */
class released_gil
{
  public:
    released_gil() : state_(PyEval_SaveThread())
    {
    }
    ~released_gil();
    released_gil(const released_gil &) = delete;
    released_gil &operator=(const released_gil &) = delete;

  private:
    PyThreadState *state_;
};

/** The thread may use Python while the object exists. */
class held_gil
{
  public:
    held_gil();
    ~held_gil()
    {
        PyGILState_Release(state_);
    }
    held_gil(const held_gil &) = delete;
    held_gil &operator=(const held_gil &) = delete;

  private:
    PyGILState_STATE state_;
};

#endif
