/* module.cpp - the module terrane._core, which the Python files of the package use. */
#include <nanobind/nanobind.h>

#include "device_memory.h"
#include "drainage.h"
#include "errors.h"
#include "fill.h"
#include "generator.h"
#include "layers.h"
#include "map.h"
#include "rivers.h"
#include "world.h"

static nb::list devices()
{
    nb::list list;
    for (int n = 0; n < ter_device_count(nullptr, 0); n++) {
        ter_device d = {};
        d.struct_size = sizeof d;
        require(ter_device_describe(n, &d));
        list.append(nb::make_tuple(d.name, d.compute_major, d.compute_minor, d.multiprocessors, d.memory_bytes));
    }
    return list;
}

static nb::str why_no_devices()
{
    char reason[256] = "";
    ter_device_count(reason, sizeof reason);
    return nb::str(reason);
}

/* nanobind and numpy have one set of types in a process. A second interpreter would replace the types of the first one,
 * and make the module unusable there. So other interpreters are refused before the module is initialised. */
extern "C" NB_EXPORT PyObject *PyInit__core_of_main(void);
extern "C" NB_EXPORT PyObject *PyInit__core(void);

extern "C" PyObject *PyInit__core(void)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0)
        return PyInit__core_of_main();
    PyErr_SetString(PyExc_ImportError, "terrane cannot be loaded in sub-interpreters: use threads or processes");
    return nullptr;
}

NB_MODULE(_core_of_main, m)
{
    m.doc() = "The library terrane and the parts of the program that the package needs.";
    m.attr("COORDINATE_MAX") = TER_COORDINATE_MAX;
    m.attr("FINE_LODS") = TER_FINE_LODS;
    m.attr("HISTOGRAM_BINS_MAX") = TER_HISTOGRAM_BINS_MAX;
    m.attr("MEANS_LOD") = TER_MEANS_LOD;
    m.attr("WORLD_FORMAT") = TER_WORLD_FORMAT;
    m.attr("VERSION") = ter_version();
    nb::set_leak_warnings(false); /* objects that exist until the interpreter ends are not leaks */
    bind_errors();
    bind_world(m);
    bind_generator(m);
    bind_layers(m);
    bind_fill(m);
    bind_points(m);
    bind_statistics(m);
    bind_drainage(m);
    bind_rivers(m);
    bind_map(m);
    bind_device_memory(m);
    m.def("devices", devices, nb::sig("def devices() -> list[tuple[str, int, int, int, int]]"),
          "CUDA devices: name, compute capability (major, minor), multiprocessors, bytes of memory.");
    m.def("why_no_devices", why_no_devices, "Why there are no CUDA devices; empty where there are some.");
}
