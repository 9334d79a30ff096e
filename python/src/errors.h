/* errors.h - turns failures of the library and of the program's parts into Python exceptions with their messages. */
#ifndef TERRANE_PYTHON_ERRORS_H
#define TERRANE_PYTHON_ERRORS_H

#include <nanobind/nanobind.h>

#include <exception>
#include <string>

#include "parts.h"

namespace nb = nanobind;

/** A C++ exception that becomes a Python exception: the name of a class of terrane.errors, and a message. */
class failure : public std::exception
{
  public:
    failure(const char *type, std::string text) : type_(type), text_(std::move(text))
    {
    }
    const char *type() const
    {
        return type_;
    }
    const char *what() const noexcept override
    {
        return text_.c_str();
    }

  private:
    const char *type_; /* static */
    std::string text_;
};

/** The failure for a wrong argument. */
inline failure invalid(std::string text)
{
    return failure("InvalidArgumentError", std::move(text));
}

/** Convert a Python string. nanobind's own conversion ends the process when there is no memory. */
std::string text_of(nb::handle text);

/** Convert a text to a C string. Throws if it contains a zero byte, at which a C string would end.
 *
 *  what     what the text is, for the exception
 *  Returns  valid as long as the text
 */
const char *c_text(const char *what, const std::string &text);

/** Throw if a call of the library has failed, with the library's message. Must be called on the thread of that call. */
void require(ter_status status);

/** Throw if a call of the library on another thread has failed.
 *
 *  detail  the library's message, which belongs to that thread
 */
void require(ter_status status, const std::string &detail);

/** Throw if a part of the program has failed. */
void require(const result &res);

/** Run Python's handlers of pending signals. If a handler raises an exception, such as KeyboardInterrupt for Ctrl-C,
 * throw it. The caller holds the GIL. */
void require_no_signal();

/** Let nanobind turn failures into exceptions of terrane.errors. */
void bind_errors();

#endif
