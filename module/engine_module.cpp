// The module `_engine` of Python: simulations that a program in Python runs chunk by chunk.
// python/larmor/engine.py is its only caller. No other file includes nanobind.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/study/run/live_session.hpp"
#include "larmor/study/scan/scan.hpp"
#include "larmor_version.hpp"
#include "module/python_errors.hpp"

namespace nb = nanobind;

namespace larmor::module {
namespace {

using Clock = std::chrono::steady_clock;

/// Time between two looks at the signals that Python has caught. Each look waits for the lock of
/// the interpreter.
constexpr std::chrono::milliseconds between_looks{100};

struct Simulation {
  std::unique_ptr<study::LiveSession> session;
  pid_t process = ::getpid();
  std::mutex in_use = {};

  explicit Simulation(std::unique_ptr<study::LiveSession> begun) : session(std::move(begun)) {}
  ~Simulation() {
    // The threads and the files of the engine belong to the process that began the simulation.
    if (is_forked()) static_cast<void>(session.release());
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  bool is_forked() const { return process != ::getpid(); }
};

/// Calls work(session) without the lock of the interpreter.
template <class Work>
auto used(Simulation& simulation, const Work& work) {
  if (simulation.is_forked())
    throw InputError("a forked process cannot use the simulations of its parent",
                     "start the simulation in the process that uses it; with multiprocessing, use "
                     "the method \"spawn\"");
  const nb::gil_scoped_release released;
  const std::unique_lock lock(simulation.in_use, std::try_to_lock);
  if (!lock.owns_lock())
    throw InputError("another thread uses this simulation",
                     "wait until its call returns, or use one simulation for each thread");
  return work(*simulation.session);
}

struct Options {
  std::optional<std::string> output;
  bool replaces;
  std::string backend, precision;
  Index threads;
  double checkpoint_every;

  study::RunOptions of_run() const {
    study::RunOptions options;
    options.output = output.value_or("");
    options.force = replaces;
    options.device.backend = backend;
    options.device.precision = precision;
    options.device.threads = threads;
    options.checkpoint_every = checkpoint_every;
    options.command = "larmor.start in Python";
    return options;
  }
};

std::unique_ptr<Simulation> begin_study(const study::Scan& scan, const Options& options) {
  return with_keys(scan.text(), scan.file(), [&] {
    if (scan.is_scan())
      throw InputError("a scan is many studies, and a simulation is one",
                       "leave [[scan]] out, or use larmor.run for all points of the scan");
    const nb::gil_scoped_release released;
    return std::make_unique<Simulation>(
        std::make_unique<study::LiveSession>(scan.study(0), options.of_run()));
  });
}

std::unique_ptr<Simulation> begin_file(const std::string& path,
                                       const std::vector<std::string>& changes,
                                       const std::optional<std::string>& output, bool replaces,
                                       const std::string& backend, const std::string& precision,
                                       Index threads, double checkpoint_every) {
  return begin_study(study::Scan::read(path, changes),
                     {output, replaces, backend, precision, threads, checkpoint_every});
}

std::unique_ptr<Simulation> begin_text(const std::string& text, const std::string& file,
                                       const std::string& folder,
                                       const std::vector<std::string>& changes,
                                       const std::optional<std::string>& output, bool replaces,
                                       const std::string& backend, const std::string& precision,
                                       Index threads, double checkpoint_every) {
  return with_keys(text, file, [&] {
    return begin_study(study::Scan(text, file, folder, changes),
                       {output, replaces, backend, precision, threads, checkpoint_every});
  });
}

std::unique_ptr<Simulation> resume(const std::string& output, const std::string& backend,
                                   const std::string& precision, Index threads,
                                   double checkpoint_every, bool changes_arithmetic,
                                   bool from_start) {
  study::RunOptions options =
      Options{output, false, backend, precision, threads, checkpoint_every}.of_run();
  options.command = "larmor.resume in Python";
  options.changes_arithmetic = changes_arithmetic;
  options.from_start = from_start;
  const nb::gil_scoped_release released;
  return std::make_unique<Simulation>(std::make_unique<study::LiveSession>(options));
}

/// Runs a chunk. @param steps nothing: to the end of the stage
/// @param looks_at_signals is this the main thread, whose signals interrupt the run?
/// @return (steps, updates)
nb::tuple run(Simulation& simulation, const std::optional<Index>& steps, bool looks_at_signals) {
  std::exception_ptr interrupt;
  Clock::time_point looked = Clock::now();
  const auto wants_stop = [&] {
    if (!looks_at_signals || Clock::now() - looked < between_looks) return false;
    looked = Clock::now();
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() == 0) return false;
    try {
      throw nb::python_error();
    } catch (...) {
      interrupt = std::current_exception();
    }
    return true;
  };
  const study::Chunk chunk = used(simulation, [&](study::LiveSession& session) {
    study::Chunk made = session.run(steps.value_or(study::any_number_of_steps), wants_stop);
    if (made.was_stopped && session.has_output()) session.save();
    return made;
  });
  if (interrupt) std::rethrow_exception(interrupt);
  return nb::make_tuple(chunk.steps, chunk.updates);
}

/// An array of NumPy that takes over the numbers.
template <class T>
nb::object array_of(std::vector<T> numbers, const io::Shape& shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(numbers));
  T* const first = kept->data();
  const nb::capsule owner(kept.get(),
                          [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  static_cast<void>(kept.release());
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  return nb::cast(nb::ndarray<nb::numpy, const T>(first, extents.size(), extents.data(), owner),
                  nb::rv_policy::reference);
}

nb::object array(Simulation& simulation, const std::string& name) {
  io::DataArray numbers =
      used(simulation, [&](study::LiveSession& session) { return session.array(name); });
  const io::Shape shape = numbers.shape();
  return std::visit(
      [&]<class T>(const std::vector<T>&) -> nb::object {
        if constexpr (std::is_same_v<T, std::string>)
          throw InternalError("an array of a system has texts");
        else
          return array_of(std::move(numbers).convert<T>(), shape);
      },
      numbers.elements());
}

/// The numbers in the memory of the engine: an array of NumPy, or an object with __dlpack__ for
/// numbers on a GPU. The array keeps the simulation alive.
nb::object view(const nb::object& self, const std::string& name) {
  const study::MemoryView memory = used(
      nb::cast<Simulation&>(self), [&](study::LiveSession& session) { return session.view(name); });
  const std::vector<std::size_t> shape(memory.shape.begin(), memory.shape.end());
  const nb::dlpack::dtype type = memory.is_single ? nb::dtype<float>() : nb::dtype<double>();
  if (memory.device.backend == Backend::cpu)
    return nb::cast(nb::ndarray<nb::numpy, nb::ro>(memory.numbers, shape.size(), shape.data(), self,
                                                   memory.strides.data(), type),
                    nb::rv_policy::reference);
  // Libraries for GPUs refuse arrays that may only be read.
  return nb::cast(
      nb::ndarray<>(const_cast<void*>(memory.numbers), shape.size(), shape.data(), self,
                    memory.strides.data(), type, nb::device::cuda::value, memory.device.ordinal),
      nb::rv_policy::reference);
}

void set_array(Simulation& simulation, const std::string& name,
               const nb::ndarray<const double, nb::c_contig, nb::device::cpu>& values) {
  io::Shape shape;
  for (std::size_t axis = 0; axis < values.ndim(); ++axis)
    shape.push_back(static_cast<Index>(values.shape(axis)));
  used(simulation, [&](study::LiveSession& session) {
    session.set_array(name, {values.data(), values.size()}, shape);
  });
}

/// (name, unit, axes, is_held, can_be_set) of each array.
std::vector<nb::tuple> arrays(Simulation& simulation) {
  const std::vector<study::LiveArray> all =
      used(simulation, [](study::LiveSession& session) { return session.arrays(); });
  std::vector<nb::tuple> rows;
  for (const study::LiveArray& a : all)
    rows.push_back(nb::make_tuple(a.name, a.unit, a.axes, a.is_held, a.can_be_set));
  return rows;
}

/// (step or None, time or None, unit of time)
nb::tuple place(Simulation& simulation) {
  const std::optional<study::StagePlace> at =
      used(simulation, [](study::LiveSession& session) { return session.place(); });
  if (!at) return nb::make_tuple(nb::none(), nb::none(), "");
  return nb::make_tuple(at->step, at->time, at->time_unit);
}

/// A function that reads the session.
template <class Read>
auto reader(const Read& read) {
  return [read](Simulation& simulation) {
    return used(simulation, [&](study::LiveSession& session) { return read(session); });
  };
}

}  // namespace
}  // namespace larmor::module

NB_MODULE(_engine, m) {
  using namespace larmor;
  using study::LiveSession;
  // Views may live as long as the interpreter.
  nb::set_leak_warnings(false);
  module::translate_errors();
  m.attr("version") = version;
  m.attr("commit") = commit;
  m.attr("has_cuda") = built_with_cuda();
  m.def("begin_file", &module::begin_file);
  m.def("begin_text", &module::begin_text);
  m.def("resume", &module::resume);
  nb::class_<module::Simulation>(m, "Simulation")
      .def("run", &module::run, nb::arg("steps").none(), nb::arg("looks_at_signals"))
      .def("save", module::reader([](LiveSession& s) { s.save(); }))
      .def("close", module::reader([](LiveSession& s) { s.close(); }))
      .def("is_open", module::reader([](LiveSession& s) { return s.is_open(); }))
      .def("is_complete", module::reader([](LiveSession& s) { return s.is_complete(); }))
      .def("is_forked", &module::Simulation::is_forked)
      .def("has_output", module::reader([](LiveSession& s) { return s.has_output(); }))
      .def("stage_number", module::reader([](LiveSession& s) { return s.stage_number(); }))
      .def("stages", module::reader([](LiveSession& s) { return s.stages(); }))
      .def("stage_kind", module::reader([](LiveSession& s) { return s.stage_kind(); }))
      .def("fraction_done", module::reader([](LiveSession& s) { return s.fraction_done(); }))
      .def("replicas", module::reader([](LiveSession& s) { return s.study().replicas; }))
      .def("model", module::reader([](LiveSession& s) { return s.study().model_kind->name(); }))
      .def("device", module::reader([](LiveSession& s) { return study::device_text(s.device()); }))
      .def("notes", module::reader([](LiveSession& s) { return s.take_notes(); }))
      .def("place", &module::place)
      .def("arrays", &module::arrays)
      .def("array", &module::array)
      .def("view", &module::view)
      .def("order_of_views",
           [](module::Simulation& simulation) {
             std::vector<std::int32_t> order = module::used(
                 simulation, [](LiveSession& session) { return session.order_of_views(); });
             const io::Shape shape{std::ssize(order)};
             return module::array_of(std::move(order), shape);
           })
      .def("set_array", &module::set_array);
}
