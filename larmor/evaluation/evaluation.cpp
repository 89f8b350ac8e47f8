#include "larmor/evaluation/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/core/located.hpp"
#include "larmor/core/maths/flattened.hpp"
#include "larmor/io/text_rows.hpp"

namespace larmor::evaluation {
namespace {

using atoms::NeighbourRows;
using io::AtomFrame;

/// Numbers of the elements in the potential [atoms].
std::vector<std::int32_t> kinds_of(const OverlaidPotential& potential, const AtomFrame& frame) {
  const std::vector<std::string>& known = potential.elements();
  std::vector<std::int32_t> number;
  for (const std::string& name : frame.atoms.species) {
    const auto found = std::find(known.begin(), known.end(), name);
    number.push_back(static_cast<std::int32_t>(found - known.begin()));
    if (found != known.end()) continue;
    const auto kind = static_cast<std::int32_t>(number.size()) - 1;
    const auto first = std::find(frame.atoms.types.begin(), frame.atoms.types.end(), kind);
    if (first == frame.atoms.types.end()) continue;  // POSCAR may count none of an element.
    throw InputError("the potential has no element '" + name + "'",
                     frame.where_atom(first - frame.atoms.types.begin()),
                     hint_and_list(name, known));
  }
  std::vector<std::int32_t> kinds;
  for (const std::int32_t kind : frame.atoms.types)
    kinds.push_back(number[static_cast<std::size_t>(kind)]);
  return kinds;
}

void refuse_far_atoms(const AtomFrame& frame) {
  for (Index i = 0; i < frame.atoms.atoms(); ++i)
    if (atoms::is_far_away(frame.atoms.box, frame.atoms.positions[static_cast<std::size_t>(i)]))
      throw InputError("the atom is more than a million boxes away", frame.where_atom(i),
                       "check the position and the cell");
}

NeighbourRows neighbours_of(const AtomFrame& frame, double cutoff) {
  return located(frame.where_box, [&] {
    try {
      return atoms::find_neighbours(frame.atoms.box, frame.atoms.positions, cutoff);
    } catch (const atoms::CoincidentAtoms& pair) {
      const auto [first, second] = std::minmax(pair.first, pair.second, [&](Index a, Index b) {
        return frame.where_atom(a).line < frame.where_atom(b).line;
      });
      throw InputError("the atom is at the place of the one on line " +
                           std::to_string(frame.where_atom(first).line),
                       frame.where_atom(second),
                       "remove one of them; periodic images count as one place");
    }
  });
}

void require_finite(const AtomFrame& frame, const Evaluated& found) {
  for (std::size_t i = 0; i < found.energies.size(); ++i) {
    const Vec3<double>& f = found.forces[i];
    if (std::isfinite(found.energies[i]) && std::isfinite(f.x + f.y + f.z)) continue;
    throw UnphysicalError(frame.where.file + ":" + std::to_string(frame.line[i]) +
                          ": the energy of the atom or the force on it is not a finite number");
  }
}

/// The nine numbers of a symmetric matrix.
std::string matrix_text(const atoms::SymmetricTensor& t, double factor) {
  std::string text;
  for (const std::size_t n : {0, 3, 4, 3, 1, 5, 4, 5, 2})
    io::append_number(text += text.empty() ? "" : " ", factor * t[n]);
  return text;
}

std::vector<Evaluated> evaluate_batch(const OverlaidPotential& potential,
                                      std::span<const AtomFrame> frames, const Request& request) {
  std::vector<Evaluated> found(frames.size());
  std::vector<std::exception_ptr> failure(frames.size());
  const auto evaluate_one = [&](Index n) {
    const auto frame = static_cast<std::size_t>(n);
    try {
      found[frame] = evaluate(potential, frames[frame], request.with_bispectrum);
    } catch (...) {
      failure[frame] = std::current_exception();
    }
  };
  const auto count = static_cast<Index>(frames.size());
  // Of few structures each has all threads.
  if (count < request.device.threads)
    for (Index n = 0; n < count; ++n) evaluate_one(n);
  else
    parallel_for(request.device.threads, count, evaluate_one);
  for (const std::exception_ptr& error : failure)
    if (error) std::rethrow_exception(error);
  return found;
}

class FileEvaluation {
 public:
  explicit FileEvaluation(const Request& request)
      : request_(request),
        file_(request.output, request.if_exists),
        potential_(request.potential, request.device) {}

  Summary run() {
    refuse_own_input();
    // What is wrong with the last structure is told before hours are spent on the others.
    ProgressOptions progress = request_.progress;
    progress.unit = "atoms";
    for (io::StructureReader reader = this->reader(); const auto frame = reader.next();) {
      kinds_of(potential_, *frame);
      refuse_far_atoms(*frame);
      progress.total += frame->atoms.atoms();
    }
    std::optional<Progress> told;
    if (request_.progress_stream != nullptr) told.emplace(*request_.progress_stream, progress);
    io::StructureReader reader = this->reader();
    for (std::vector<AtomFrame> frames; !(frames = batch(reader)).empty();) {
      const Index before = summary_.atoms;
      write(frames);
      if (told) told->advance(summary_.atoms - before);
    }
    file_.finish();
    if (told) told->finish();
    return summary_;
  }

 private:
  void refuse_own_input() const {
    std::vector<std::string> inputs = potential_.files();
    inputs.push_back(request_.structures);
    for (const std::string& input : inputs) {
      std::error_code missing;
      if (std::filesystem::equivalent(request_.output, input, missing))
        throw InputError("the output '" + request_.output + "' is an input itself",
                         "choose another --output");
    }
  }

  io::StructureReader reader() const {
    return {request_.structures, {request_.elements, potential_.types()}};
  }

  /// As many as give all threads work.
  std::vector<AtomFrame> batch(io::StructureReader& reader) const {
    constexpr Index atoms_of_thread = 512;
    std::vector<AtomFrame> frames;
    Index atoms = 0;
    while (atoms < atoms_of_thread * request_.device.threads) {
      std::optional<AtomFrame> frame = reader.next();
      if (!frame) break;
      atoms += frame->atoms.atoms();
      frames.push_back(std::move(*frame));
    }
    return frames;
  }

  void write(std::span<const AtomFrame> frames) {
    const std::vector<Evaluated> found = evaluate_batch(potential_, frames, request_);
    for (std::size_t n = 0; n < frames.size(); ++n) {
      file_.write(evaluated_text(frames[n], found[n]));
      const double energy = found[n].energy / static_cast<double>(frames[n].atoms.atoms());
      const bool is_first = summary_.structures++ == 0;
      summary_.least_energy = is_first ? energy : std::min(summary_.least_energy, energy);
      summary_.greatest_energy = is_first ? energy : std::max(summary_.greatest_energy, energy);
      summary_.atoms += frames[n].atoms.atoms();
      for (const Vec3<double>& f : found[n].forces)
        summary_.largest_force = std::max(summary_.largest_force, length(f));
    }
  }

  const Request& request_;
  io::WholeFile file_;
  OverlaidPotential potential_;
  Summary summary_;
};

}  // namespace

Evaluated evaluate(const OverlaidPotential& potential, const AtomFrame& frame,
                   bool with_bispectrum) {
  const std::vector<std::int32_t> kinds = kinds_of(potential, frame);
  const NeighbourRows rows = neighbours_of(frame, potential.cutoff());
  const atoms::PairGradients pairs = potential.evaluate(rows, kinds);
  Evaluated found;
  found.energy = atoms::total(pairs.energy);
  found.energies = pairs.energy;
  found.forces = atoms::forces(rows, pairs.gradient);
  found.virial = atoms::total(atoms::virials(rows, pairs.gradient));
  require_finite(frame, found);
  if (with_bispectrum) found.bispectrum = potential.snap().bispectrum(rows, kinds);
  return found;
}

std::string evaluated_text(const AtomFrame& frame, const Evaluated& found) {
  std::string keys;
  io::append_number(keys += " energy=", found.energy);
  keys += " virial=\"" + matrix_text(found.virial, 1) + '"';
  if (frame.atoms.has_volume())
    keys += " stress=\"" + matrix_text(found.virial, -1 / frame.atoms.box.volume()) + '"';
  std::vector<io::AtomColumn> columns{{"energies", 1, found.energies.data()}};
  if (!found.bispectrum.empty())
    columns.push_back(
        {"bispectrum", found.bispectrum.size() / found.energies.size(), found.bispectrum.data()});
  const std::vector<double> forces = flattened(found.forces);
  columns.push_back({"forces", 3, forces.data()});
  return io::extxyz_text(frame, keys, columns);
}

Summary evaluate_file(const Request& request) { return FileEvaluation(request).run(); }

}  // namespace larmor::evaluation
