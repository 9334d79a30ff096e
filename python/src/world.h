/* world.h - the class behind terrane.World: the library's world, and the look that maps are drawn with. */
#ifndef TERRANE_PYTHON_WORLD_H
#define TERRANE_PYTHON_WORLD_H

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "parts.h"

namespace nb = nanobind;

/** A world. Like the library's world it never changes. */
class world
{
  public:
    /** Read a world file. Then set the given parameters and keys of the look, which override the file.
     *
     *  name              a world file, the name of a world that comes with Terrane, or none for the default world
     *  parameters, look  values as texts, by keys of world files
     */
    world(const std::optional<nb::str> &name, const nb::dict &parameters, const nb::dict &look);

    const ter_world *get() const
    {
        return world_.get();
    }
    const ter_params &params() const
    {
        return params_;
    }
    const look &colors() const
    {
        return look_;
    }

    /** Values by keys of world files. A world made from them is equal to this one. */
    nb::dict parameters() const;
    nb::dict look_values() const;

  private:
    ter_params params_;
    look look_;
    std::unique_ptr<ter_world, decltype(&ter_world_destroy)> world_;
};

void bind_world(nb::module_ &m);

#endif
