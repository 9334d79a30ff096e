/* guide.h - guides of worlds: read from files or arrays, shared by the worlds of the process, made without the GIL. */
#ifndef TERRANE_PYTHON_GUIDE_H
#define TERRANE_PYTHON_GUIDE_H

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <string>

#include "parts.h"

namespace nb = nanobind;

/** A guide of the library. Equal guides of a process are one object, because their tables take seconds. */
struct shared_guide {
    ter_guide *guide = nullptr;
    std::string file;   /* the file that it was read from; empty: an array */
    guide_crs crs = {}; /* of the file */
    /* calls that a signal has interrupted; while there is one, tables of this guide are not made */
    std::atomic<int> interrupted{0};

    ~shared_guide()
    {
        ter_guide_destroy(guide);
    }
};

/** The parts of a guide that are given as arrays instead of files. */
struct arrays_given {
    nb::object heights; /* (numbers, greatest, is_picture) as terrane.raster.of_array() returns them; None: a file */
    nb::dict rasters;   /* arrays in the same form for further rasters, by the names of these: "ice" */
    nb::object rivers;  /* list of (places, width); None: a file, or none */
};

/** The guide of a world, and the request from which it was made. */
class world_guide
{
  public:
    /** The request without a guide. */
    world_guide();
    world_guide(const world_guide &) = delete;
    world_guide &operator=(const world_guide &) = delete;

    guide_request &request()
    {
        return request_;
    }

    /** Keep the name of a file in the request. file: &request().file, &request().rivers, or one of
     * request().rasters */
    void set_file(const char **file, const std::string &path);

    /** Make or find the guide. The caller holds the GIL; it is released while a file is read.
     *
     *  arrays    what is given as arrays instead of files
     *  params    of the world
     *  threads   threads that make tables, 0 for all
     *  checksum  SHA-256 that the heights must have; empty: any
     */
    void open(const arrays_given &arrays, const ter_params &params, int threads, const std::string &checksum);

    /** NULL: the world has no guide. */
    shared_guide *get() const
    {
        return shared_.get();
    }
    const ter_guide *guide() const
    {
        return shared_ ? shared_->guide : nullptr;
    }

    /** Add the keys of a guide to parameters. A guide that was an array is an array of heights in metres. */
    void add_parameters(nb::dict &values) const;

    /** Where the guide lies on the Earth: (number of the EPSG, east, north, metres of a unit); None: it is not known.
     */
    nb::object place() const;

    /** What the guide is, and what the world made of it; None without a guide. */
    nb::object facts(const ter_world *world) const;

  private:
    std::string file_name() const
    {
        return request_.file ? request_.file : "";
    }
    bool take(const std::string &checksums, bool is_read);
    void create(guide_raster &raster, const arrays_given &arrays, int threads, const ter_params &params);

    guide_request request_;
    guide_crs crs_ = {};
    bool is_array_ = false;
    bool are_rivers_array_ = false;
    bool is_raster_array_[TER_GUIDE_RASTER_COUNT] = {};
    std::shared_ptr<shared_guide> shared_;
};

/** Create a world without the GIL. If a signal handler raises an exception, the tables of the guide are no longer made.
 *
 *  guide    NULL: none
 *  Returns  the world; throws what the library refuses, and exceptions of signals
 */
ter_world *create_world(const ter_params &params, shared_guide *guide);

#endif
