/* gil.h - the lock of the interpreter, given back for long work and taken again.
 *
 * While an interpreter ends, a daemon thread that asks for the lock is ended where it stands (pthread_exit before
 * Python 3.14), which would unwind this module's frames without the lock and abort the process. Here it waits for the
 * end of the process instead, as Python 3.14 lets it. All of the module goes through these classes, not through
 * nanobind's.
 */
#ifndef TERRANE_PYTHON_GIL_H
#define TERRANE_PYTHON_GIL_H

#include <Python.h>

/** Others may run Python as long as it lives. */
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

/** The thread may use Python as long as it lives. */
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
