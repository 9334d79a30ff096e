/* world.cpp - sets and reads parameters by name, with the tables of options and world files. */
#include "world.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "errors.h"
#include "numbers_of_c.h"

/** A key of world files: the name of an option with '_' instead of '-'. */
static std::string key_of(const option &o)
{
    std::string key = o.name;
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

static const option &find(const option *options, size_t count, const std::string &key, const char *what)
{
    std::string known;
    for (size_t n = 0; n < count; n++) {
        if (key_of(options[n]) == key)
            return options[n];
        known += (n == 0 ? "" : n + 1 < count ? ", " : " or ") + key_of(options[n]);
    }
    throw invalid("unknown " + std::string(what) + " '" + c_text(what, key) + "', expected " + known);
}

static void set_all(const option *options, size_t count, const nb::dict &values, const char *what)
{
    for (const auto [name, text] : values) {
        const std::string key = text_of(name), value = text_of(text);
        const option &found = find(options, count, key, what);
        require(option_set(&found, key.c_str(), c_text(key.c_str(), value)));
    }
}

static nb::object value_of(const option &o)
{
    switch (o.kind) {
    case OPTION_INTEGER:
        return nb::int_(*static_cast<const int *>(o.target));
    case OPTION_UNSIGNED:
        return nb::int_(*static_cast<const uint64_t *>(o.target));
    case OPTION_REAL:
        return nb::float_(*static_cast<const double *>(o.target));
    case OPTION_CHOICE:
        return nb::str(o.choices[*static_cast<const int *>(o.target)]);
    default:
        throw failure("Error", std::string("parameter ") + o.name + " has a kind that Python cannot read");
    }
}

static nb::dict values_of(const option *options, size_t count)
{
    nb::dict values;
    for (size_t n = 0; n < count; n++)
        values[key_of(options[n]).c_str()] = value_of(options[n]);
    return values;
}

/** The palette whose colours a look has. */
static int palette_of(const look &wanted)
{
    for (int n = 0; n < LOOK_PALETTES; n++) {
        look l = wanted;
        look_set_palette(&l, static_cast<look_palette>(n));
        if (std::memcmp(l.colors, wanted.colors, sizeof l.colors) == 0 && l.is_plain == wanted.is_plain)
            return n;
    }
    throw failure("Error", "the look has the colours of no palette");
}

/** Set parameters of the world and of its guide. Returns whether a key of the guide was set. */
static bool set_parameters(const nb::dict &values, option *options, world_guide &guide)
{
    bool is_guided = false;
    for (const auto [name, text] : values) {
        const std::string key = text_of(name), value = text_of(text);
        const option &found = find(options, WORLD_PARAMETERS + GUIDE_PARAMETERS, key, "parameter");
        require(option_set(&found, key.c_str(), c_text(key.c_str(), value)));
        if (found.kind == OPTION_PATH) /* the option has kept a pointer to `value` */
            guide.set_file(static_cast<const char **>(found.target), value);
        is_guided = is_guided || &found >= options + WORLD_PARAMETERS;
    }
    return is_guided;
}

world::world(const std::optional<nb::str> &name, const nb::dict &parameters, const nb::dict &look_given,
             const guide_given &given)
    : world_(nullptr, ter_world_destroy)
{
    option options[WORLD_PARAMETERS + GUIDE_PARAMETERS], looks[LOOK_PARAMETERS];
    const numbers_of_c numbers;
    ter_params_default(&params_);
    look_default(&look_);
    if (name)
        require(world_file_read("world", c_text("world", text_of(*name)), &params_, &guide_.request(), &look_));
    world_options(&params_, options);
    guide_options(&guide_.request(), options + WORLD_PARAMETERS);
    const bool is_guided = set_parameters(parameters, options, guide_);
    int palette = palette_of(look_);
    look_options(&look_, &palette, looks);
    set_all(looks, LOOK_PARAMETERS, look_given, "key of the look");
    look_set_palette(&look_, static_cast<look_palette>(palette));
    if (guide_.request().file || !given.array.is_none())
        guide_.open({given.array, given.rasters, given.rivers}, params_, given.threads, given.checksum);
    else if (is_guided || given.rasters.size() > 0 || !given.rivers.is_none())
        throw invalid("parameters of a guide have no meaning without one, expected guide with them");
    params_.guide = guide_.guide();
    world_.reset(create_world(params_, guide_.get()));
}

nb::dict world::parameters() const
{
    option options[WORLD_PARAMETERS];
    ter_params copy = params_;
    world_options(&copy, options);
    nb::dict values = values_of(options, WORLD_PARAMETERS);
    guide_.add_parameters(values);
    return values;
}

nb::dict world::look_values() const
{
    option options[LOOK_PARAMETERS];
    look copy = look_;
    int palette = palette_of(look_);
    look_options(&copy, &palette, options);
    return values_of(options, LOOK_PARAMETERS);
}

static std::vector<std::string> layer_names(const world &w)
{
    std::vector<std::string> list;
    for (int n = 0; n < TER_LAYER_COUNT; n++)
        if (ter_world_has_layer(w.get(), static_cast<ter_layer>(n)))
            list.push_back(ter_layer_name(static_cast<ter_layer>(n)));
    return list;
}

static std::vector<std::string> names()
{
    std::vector<std::string> list;
    for (const char *const *name = world_names(); *name; name++)
        list.push_back(*name);
    return list;
}

void bind_world(nb::module_ &m)
{
    nb::class_<world>(m, "World", "A world: parameters and a look. It never changes.")
        .def(
            "__init__",
            [](world *w, const std::optional<nb::str> &name, const nb::dict &parameters, const nb::dict &look,
               const nb::object &guide, const nb::dict &rasters, const nb::object &rivers, int threads,
               const nb::str &checksum) {
                new (w) world(name, parameters, look, {guide, rasters, rivers, threads, text_of(checksum)});
            },
            nb::arg("name").none(), nb::arg("parameters"), nb::arg("look"), nb::arg("guide").none(), nb::arg("rasters"),
            nb::arg("rivers").none(), nb::arg("threads"), nb::arg("checksum"),
            nb::sig("def __init__(self, name: str | None, parameters: dict[str, str], look: dict[str, str], "
                    "guide: object, rasters: dict[str, object], rivers: object, threads: int, checksum: str) -> None"))
        .def_prop_ro("parameters", &world::parameters, nb::sig("def parameters(self) -> dict[str, object]"))
        .def_prop_ro("look", &world::look_values, nb::sig("def look(self) -> dict[str, object]"))
        .def_prop_ro("guide", &world::guide_facts, nb::sig("def guide(self) -> dict[str, object] | None"))
        .def_prop_ro("layer_names", layer_names);
    m.def("world_names", names, "Names of the worlds that come with Terrane.");
}
