/* errors.h - failures of the library and of the program's parts as exceptions of Python, each with its sentence. */
#ifndef TERRANE_PYTHON_ERRORS_H
#define TERRANE_PYTHON_ERRORS_H

#include <nanobind/nanobind.h>

#include <exception>
#include <string>

#include "parts.h"

namespace nb = nanobind;

/** A failure on its way to Python: a class of terrane.errors and a sentence. */
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

/** An argument is wrong. */
inline failure invalid(std::string text)
{
    return failure("InvalidArgumentError", std::move(text));
}

/** A text of Python. nanobind's own conversion ends the process where there is no memory for it. */
std::string text_of(nb::handle text);

/** A text as C takes it: one with a zero byte would end there.
 *
 *  what     what the text is, for the exception
 *  Returns  valid as long as the text
 */
const char *c_text(const char *what, const std::string &text);

/** Throw when a call of the library has failed, with its own sentence; on the thread of the call. */
void require(ter_status status);

/** Throw when a part of the program has failed. */
void require(const result &res);

/** Throw what Python's signal handlers raise, KeyboardInterrupt for Ctrl-C. The caller holds the GIL. */
void require_no_signal();

/** Turn failures into exceptions of terrane.errors. */
void bind_errors();

#endif
