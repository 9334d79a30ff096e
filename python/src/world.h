/* world.h - the class behind terrane.World: the library's world, and the look that maps are drawn with. */
#ifndef TERRANE_PYTHON_WORLD_H
#define TERRANE_PYTHON_WORLD_H

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>

#include "guide.h"
#include "parts.h"

namespace nb = nanobind;

/** The parts of a guide that a world gets besides the parameters. */
struct guide_given {
    nb::object array;     /* (numbers, greatest, is_picture), or None */
    nb::dict rasters;     /* arrays in the same form for further rasters, by the names of these: "ice" */
    nb::object rivers;    /* list of (places, width), or None; places: array of x, z */
    int threads;          /* threads that make tables, 0 for all */
    std::string checksum; /* SHA-256 that the heights must have; empty: any */
};

/** A world. Like the library's world it never changes. */
class world
{
  public:
    /** Read a world file. Then set the given parameters and keys of the look, which override the file.
     *
     *  name              a world file, the name of a world that comes with Terrane, or none for the default world
     *  parameters, look  values as texts, by keys of world files
     */
    world(const std::optional<nb::str> &name, const nb::dict &parameters, const nb::dict &look,
          const guide_given &guide);

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

    nb::object guide_facts() const
    {
        return guide_.facts(world_.get());
    }

  private:
    world_guide guide_; /* is destroyed after the world that uses it */
    ter_params params_;
    look look_;
    std::unique_ptr<ter_world, decltype(&ter_world_destroy)> world_;
};

void bind_world(nb::module_ &m);

#endif
