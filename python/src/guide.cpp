/* guide.cpp - reads guides, finds equal ones, and makes worlds with them on a thread that signals can cancel. */
#include "guide.h"

#include <nanobind/ndarray.h>

#include <locale.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "errors.h"
#include "gil.h"
#include "guide_arrays.h"
#include "numbers_of_c.h"

/* ---- work without the GIL ---- */

/** Do `work` on another thread, without the GIL, while this thread handles signals. If a handler raises an exception,
 * `cancel` is called unless it is empty, and the exception is thrown after `work` has ended. */
static void run(const std::function<void()> &work, const std::function<void()> &cancel)
{
    std::mutex mutex;
    std::condition_variable ended;
    bool has_ended = false;
    std::optional<nb::python_error> raised;
    std::thread worker;
    try {
        worker = std::thread([&] {
            const numbers_of_c numbers;
            work();
            const std::lock_guard<std::mutex> held(mutex);
            has_ended = true;
            ended.notify_one();
        });
    } catch (const std::system_error &) {
        throw failure("OutOfMemoryError", "no memory for a thread");
    }
    for (bool is_waiting = true; is_waiting;) {
        {
            const released_gil released;
            std::unique_lock<std::mutex> held(mutex);
            /* the system's clock, because the thread sanitizer does not see waits for another clock */
            const auto until = std::chrono::system_clock::now() + std::chrono::milliseconds(50);
            is_waiting = !ended.wait_until(held, until, [&] { return has_ended; });
        }
        if (!raised && PyErr_CheckSignals() != 0) {
            raised.emplace();
            if (cancel)
                cancel();
        }
    }
    worker.join();
    if (raised)
        throw nb::python_error(*raised);
}

/** From the call of begin() until the object is destroyed, no tables of a guide are made. */
class interruption
{
  public:
    explicit interruption(shared_guide *guide) : guide_(guide)
    {
    }
    ~interruption()
    {
        if (is_on_)
            guide_->interrupted--;
    }
    interruption(const interruption &) = delete;
    interruption &operator=(const interruption &) = delete;

    void begin()
    {
        is_on_ = true;
        guide_->interrupted++;
    }

  private:
    shared_guide *guide_;
    bool is_on_ = false;
};

ter_world *create_world(const ter_params &params, shared_guide *guide)
{
    ter_world *made = nullptr;
    if (!guide) {
        require(ter_world_create(&params, &made));
        return made;
    }
    for (;;) {
        std::unique_ptr<ter_world, decltype(&ter_world_destroy)> world(nullptr, ter_world_destroy);
        ter_status status = TER_OK;
        std::string detail;
        interruption stop(guide);
        run(
            [&] {
                ter_world *out = nullptr;
                status = ter_world_create(&params, &out);
                detail = ter_error_detail();
                world.reset(out);
            },
            [&] { stop.begin(); });
        if (status != TER_ECANCELLED) {
            require(status, detail);
            return world.release();
        }
        const released_gil released; /* a call of another thread was interrupted and has cancelled this one */
        while (guide->interrupted > 0)
            usleep(1000);
    }
}

static int is_interrupted(void *user)
{
    return *static_cast<const std::atomic<int> *>(user) > 0;
}

/* ---- equal guides ---- */

/** Guides of this process that are in use. Read and changed with the GIL held. */
static std::vector<std::weak_ptr<shared_guide>> &guides_in_use()
{
    static auto *list = new std::vector<std::weak_ptr<shared_guide>>; /* never deleted */
    return *list;
}

/** The guide that was used last. It stays in memory, because worlds are often made again from the same numbers. */
static std::shared_ptr<shared_guide> &last_guide()
{
    static auto *last = new std::shared_ptr<shared_guide>; /* never deleted */
    return *last;
}

static std::string checksum_of(const ter_guide *guide)
{
    char text[TER_GUIDE_CHECKSUM];
    ter_guide_checksum(guide, text);
    return text;
}

/** Checksums of everything in a guide: its heights, rasters and rivers. Checksums of parts that it lacks are empty. */
static std::string checksums_of(const ter_guide *guide)
{
    char text[TER_GUIDE_CHECKSUM];
    std::string all = checksum_of(guide);
    for (int n = 0; n < TER_GUIDE_RASTER_COUNT; n++) {
        ter_guide_raster_checksum(guide, static_cast<ter_guide_raster>(n), text);
        all += ',';
        all += text;
    }
    ter_guide_river_checksum(guide, text);
    return all + ',' + text;
}

/** What checksums_of() returns for a guide that has only heights. checksum: of the heights */
static std::string heights_alone(const std::string &checksum)
{
    return checksum + std::string(TER_GUIDE_RASTER_COUNT + 1, ',');
}

/** Whether a guide has these checksums and the numbers of a request. */
static bool is_equal(const ter_guide *guide, const guide_request &r, const std::string &checksums)
{
    const ter_guide_options *o = ter_guide_options_used(guide);
    return o->x == static_cast<double>(r.at[0]) && o->z == static_cast<double>(r.at[1]) && o->spacing == r.spacing &&
           o->level == r.level && o->lakes == r.lakes && o->endorheic == r.endorheic && o->rim == r.rim &&
           o->rough == r.rough && o->steep == r.steep && static_cast<int>(o->surround) == r.surround &&
           checksums_of(guide) == checksums;
}

/** Share an equal guide that this process has already. Returns false if there is none.
 *
 *  checksums  as checksums_of() returns them
 *  is_read    whether the guide's file has been read. If not, only a guide of the same file is taken, because another
 *             file may lie at another place on the Earth
 */
bool world_guide::take(const std::string &checksums, bool is_read)
{
    auto &list = guides_in_use();
    for (size_t n = 0; n < list.size();) {
        const std::shared_ptr<shared_guide> known = list[n].lock();
        if (!known) {
            list.erase(list.begin() + static_cast<ptrdiff_t>(n));
            continue;
        }
        if ((is_read || known->file == file_name()) && is_equal(known->guide, request_, checksums)) {
            shared_ = last_guide() = known;
            return true;
        }
        n++;
    }
    return false;
}

/* ---- making ---- */

world_guide::world_guide()
{
    guide_request_default(&request_);
}

void world_guide::set_file(const char **file, const std::string &path)
{
    if (path.size() >= GUIDE_PATH)
        throw invalid("guide: the name of the file is too long");
    char *memory = guide_request_path(&request_, file);
    std::memcpy(memory, path.c_str(), path.size() + 1);
    *file = memory;
}

/** Make the name of a file of the guide independent of the working directory, which other processes do not share. */
static void make_absolute(world_guide &guide, const char **file)
{
    char *whole = *file ? realpath(*file, nullptr) : nullptr;
    if (whole)
        guide.set_file(file, whole);
    std::free(whole);
}

#ifdef TER_HAVE_GDAL

static bool has_reader(const char *path)
{
    (void)path;
    return true;
}

#else

static bool has_reader(const char *path)
{
    return !guide_file_needs_gdal(path);
}

#endif

static void read_file(const char *path, guide_raster &out)
{
    result res = result_done();
    if (!has_reader(path))
        return guide_read_by_rasterio(path, out);
    run([&] { res = guide_raster_read(path, &out); }, nullptr);
    require(res);
}

/** Create the guide, or find the one that is equal to it. */
void world_guide::create(guide_raster &raster, const arrays_given &given, int threads, const ter_params &params)
{
    const copied_arrays arrays(given);
    auto made = std::make_shared<shared_guide>();
    const std::string name = request_.file ? "guide '" + std::string(request_.file) + "'" : "guide";
    guide_hooks hooks = {};
    hooks.is_cancelled = is_interrupted;
    hooks.user = &made->interrupted;
    hooks.threads = threads;
    hooks.home[0] = static_cast<int64_t>(START_X * params.spacing);
    hooks.home[1] = static_cast<int64_t>(START_Z * params.spacing);
    hooks.options = "guide_";
    result res = result_done();
    {
        const released_gil released;
        res = guide_create(&request_, name.c_str(), &raster, arrays.get(), &hooks, &made->guide);
    }
    require(res);
    crs_ = made->crs = raster.crs;
    made->file = file_name();
    if (take(checksums_of(made->guide), true))
        return;
    shared_ = last_guide() = made;
    guides_in_use().push_back(made);
}

void world_guide::open(const arrays_given &arrays, const ter_params &params, int threads, const std::string &checksum)
{
    is_array_ = !arrays.heights.is_none();
    are_rivers_array_ = !arrays.rivers.is_none();
    if (is_array_)
        request_.file = nullptr;
    if (are_rivers_array_)
        request_.rivers = nullptr;
    make_absolute(*this, &request_.file);
    make_absolute(*this, &request_.rivers);
    bool is_more = are_rivers_array_ || request_.rivers; /* parts with checksums that are unknown before reading */
    for (int n = 0; n < TER_GUIDE_RASTER_COUNT; n++) {
        is_raster_array_[n] = arrays.rasters.contains(ter_guide_raster_name(static_cast<ter_guide_raster>(n)));
        if (is_raster_array_[n])
            request_.rasters[n] = nullptr;
        make_absolute(*this, &request_.rasters[n]);
        is_more = is_more || is_raster_array_[n] || request_.rasters[n];
    }
    if (!checksum.empty() && !is_more && take(heights_alone(checksum), false)) {
        crs_ = shared_->crs;
        return;
    }
    owned_raster raster;
    if (is_array_)
        guide_read_array(arrays.heights, raster.at);
    else
        read_file(request_.file, raster.at);
    create(raster.at, arrays, threads, params);
    const std::string found = checksum_of(shared_->guide);
    if (!checksum.empty() && found != checksum)
        throw failure("FileError", "the guide '" + std::string(is_array_ ? "array" : request_.file) +
                                       "' has other heights than in the process that sent the world (SHA-256 " +
                                       found.substr(0, 12) + ", expected " + checksum.substr(0, 12) +
                                       "): the land would differ");
}

/* ---- reading ---- */

/** The guide's heights or one of its rasters as an array that cannot be written and keeps the guide. */
static nb::object array_of(const std::shared_ptr<shared_guide> &shared, const float *numbers)
{
    const ter_guide_options *o = ter_guide_options_used(shared->guide);
    const nb::capsule owner(new std::shared_ptr<shared_guide>(shared),
                            [](void *p) noexcept { delete static_cast<std::shared_ptr<shared_guide> *>(p); });
    const size_t shape[2] = {static_cast<size_t>(o->rows), static_cast<size_t>(o->cols)};
    return nb::cast(nb::ndarray<nb::numpy, const float, nb::ndim<2>>(numbers, 2, shape, owner));
}

/** The guide's rivers as a list of (places, width). */
static nb::object rivers_of(const std::shared_ptr<shared_guide> &shared)
{
    const ter_guide_options *o = ter_guide_options_used(shared->guide);
    nb::list rivers;
    for (int n = 0; n < o->n_rivers; n++) {
        const nb::capsule owner(new std::shared_ptr<shared_guide>(shared),
                                [](void *p) noexcept { delete static_cast<std::shared_ptr<shared_guide> *>(p); });
        const size_t shape[2] = {static_cast<size_t>(o->rivers[n].count), 2};
        rivers.append(nb::make_tuple(
            nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<2>>(o->rivers[n].places, 2, shape, owner)),
            o->rivers[n].width));
    }
    return rivers;
}

void world_guide::add_parameters(nb::dict &values) const
{
    if (!shared_)
        return;
    const guide_request &r = request_;
    if (is_array_) /* the heights of the library: metres, so without range and factor */
        values["guide"] = array_of(shared_, ter_guide_options_used(shared_->guide)->heights);
    else
        values["guide"] = nb::str(r.file);
    values["guide_at"] = nb::make_tuple(r.at[0], r.at[1]);
    values["guide_spacing"] = r.spacing;
    if (!is_array_ && !std::isnan(r.range[0]))
        values["guide_range"] = nb::make_tuple(r.range[0], r.range[1]);
    values["guide_vertical"] = is_array_ ? 1.0 : r.vertical;
    values["guide_level"] = r.level;
    values["guide_surround"] = ter_guide_surround_name(static_cast<ter_guide_surround>(r.surround));
    values["guide_lakes"] = r.lakes;
    values["guide_endorheic"] = r.endorheic;
    if (are_rivers_array_)
        values["guide_rivers"] = rivers_of(shared_);
    else if (r.rivers)
        values["guide_rivers"] = nb::str(r.rivers);
    for (int n = 0; n < TER_GUIDE_RASTER_COUNT; n++) {
        const std::string key = std::string("guide_") + ter_guide_raster_name(static_cast<ter_guide_raster>(n));
        if (is_raster_array_[n])
            values[key.c_str()] = array_of(shared_, ter_guide_options_used(shared_->guide)->rasters[n]);
        else if (r.rasters[n])
            values[key.c_str()] = nb::str(r.rasters[n]);
    }
}

nb::object world_guide::place() const
{
    if (!shared_ || crs_.epsg == 0 || crs_.spacing != request_.spacing)
        return nb::none();
    return nb::make_tuple(crs_.epsg, crs_.east, crs_.north, crs_.metres);
}

nb::object world_guide::facts(const ter_world *world) const
{
    if (!shared_)
        return nb::none();
    const ter_guide_options *o = ter_guide_options_used(shared_->guide);
    ter_guide_report report = {};
    report.struct_size = sizeof report;
    require(ter_world_guide_report(world, &report));
    nb::dict values;
    values["file"] = is_array_ ? nb::none() : nb::object(nb::str(request_.file));
    values["shape"] = nb::make_tuple(o->rows, o->cols);
    values["at"] = nb::make_tuple(request_.at[0], request_.at[1]);
    values["spacing"] = o->spacing;
    values["surround"] = ter_guide_surround_name(o->surround);
    values["min_lake_depth"] = o->lakes;
    values["checksum"] = checksum_of(shared_->guide).c_str();
    values["level"] = report.level;
    values["cell_m"] = report.cell_m;
    values["rim_m"] = report.rim_m;
    values["cells"] = report.cells;
    values["lakes"] = report.lakes;
    values["tails"] = report.tails;
    values["rivers"] = o->n_rivers;
    values["river_cells"] = report.river_cells;
    values["river_cut_m"] = report.river_cut_m;
    values["basins"] = report.basins;
    values["detail_m"] = report.detail_m;
    values["place"] = place();
    values["nbytes"] = report.bytes;
    values["tables_checksum"] = static_cast<const char *>(report.checksum);
    return values;
}
