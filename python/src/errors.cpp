/* errors.cpp - maps each kind of failure to a class of terrane.errors. */
#include "errors.h"

#include <new>

std::string text_of(nb::handle text)
{
    Py_ssize_t size = 0;
    const char *bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!bytes)
        throw nb::python_error();
    return std::string(bytes, static_cast<size_t>(size));
}

const char *c_text(const char *what, const std::string &text)
{
    const size_t end = text.find('\0');
    if (end != std::string::npos)
        throw invalid(std::string(what) + " is '" + text.substr(0, end) +
                      "' with a zero byte behind it, expected a text without one");
    return text.c_str();
}

static const char *type_of(ter_status status)
{
    switch (status) {
    case TER_EINVAL:
        return "InvalidArgumentError";
    case TER_ENOMEM:
        return "OutOfMemoryError";
    case TER_ENOBACKEND:
        return "BackendError";
    case TER_EDEVICE:
        return "DeviceError";
    default:
        return "Error";
    }
}

static const char *type_of(result_kind kind)
{
    switch (kind) {
    case RESULT_USAGE:
        return "InvalidArgumentError";
    case RESULT_FILE:
        return "FileError";
    case RESULT_MISSING:
        return "BackendError";
    default:
        return "Error";
    }
}

void require(ter_status status, const std::string &detail)
{
    if (status != TER_OK)
        throw failure(type_of(status), detail.empty() ? ter_status_text(status) : detail);
}

void require(ter_status status)
{
    if (status != TER_OK)
        require(status, ter_error_detail());
}

void require(const result &res)
{
    if (res.kind == RESULT_DONE)
        return;
    if (res.kind == RESULT_INTERRUPTED && PyErr_Occurred())
        throw nb::python_error();
    /* A result has no kind for a lack of memory. Only its sentence says so. */
    const std::string text = res.text;
    const bool is_lack =
        res.kind == RESULT_FAILED && (text.find("out of memory") != std::string::npos || text.find("no memory") == 0);
    throw failure(is_lack ? "OutOfMemoryError" : type_of(res.kind), text);
}

void require_no_signal()
{
    if (PyErr_CheckSignals() != 0)
        throw nb::python_error();
}

void bind_errors()
{
    nb::register_exception_translator([](const std::exception_ptr &pointer, void *) {
        try {
            std::rethrow_exception(pointer);
        } catch (const failure &f) {
            const nb::object type = nb::module_::import_("terrane.errors").attr(f.type());
            PyErr_SetString(type.ptr(), f.what());
        } catch (const std::bad_alloc &) {
            const nb::object type = nb::module_::import_("terrane.errors").attr("OutOfMemoryError");
            PyErr_SetString(type.ptr(), "no memory");
        }
    });
}
