#include "larmor/evaluation/evaluation.hpp"

#include <algorithm>
#include <filesystem>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::evaluation {
namespace {

using io::AtomFrame;

void refuse_far_atoms(const AtomFrame& frame) {
  for (Index i = 0; i < frame.atoms.atoms(); ++i)
    if (atoms::is_far_away(frame.atoms.box, frame.atoms.positions[static_cast<std::size_t>(i)]))
      throw InputError("the atom is more than a million boxes away", frame.where_atom(i),
                       "check the position and the cell");
}

/// Text of the nine elements of a symmetric matrix.
std::string matrix_text(const atoms::SymmetricTensor& t, double factor) {
  std::string text;
  for (const std::size_t n : {0, 3, 4, 3, 1, 5, 4, 5, 2})
    io::append_number(text += text.empty() ? "" : " ", factor * t[n]);
  return text;
}

class FileEvaluation {
 public:
  explicit FileEvaluation(const Request& request)
      : request_(request),
        file_(request.output, request.if_exists),
        potential_(request.potential, request.device),
        evaluator_(evaluator_on(request.device, potential_, request.with_bispectrum)) {}

  Summary run() {
    io::require_no_pipe(
        request_.structures,
        "write the atoms into a file and name this file, because Larmor reads it twice");
    refuse_own_input();
    // Report errors in any structure before the evaluation, which may take hours.
    ProgressOptions progress = request_.progress;
    progress.unit = "atoms";
    for (io::StructureReader reader = this->reader(); const auto frame = reader.next();) {
      kinds_of(potential_, *frame);
      refuse_far_atoms(*frame);
      progress.total += frame->atoms.atoms();
    }
    std::optional<Progress> display;
    if (request_.progress_stream != nullptr) display.emplace(*request_.progress_stream, progress);
    io::StructureReader reader = this->reader();
    for (std::vector<AtomFrame> frames; !(frames = batch(reader)).empty();) {
      const Index before = summary_.atoms;
      write(frames);
      if (display) display->advance(summary_.atoms - before);
    }
    file_.finish();
    if (display) display->finish();
    return summary_;
  }

 private:
  void refuse_own_input() const {
    std::vector<std::string> inputs = potential_.files();
    inputs.push_back(request_.structures);
    for (const std::string& input : inputs) {
      std::error_code missing;
      if (std::filesystem::equivalent(request_.output, input, missing))
        throw InputError("the output '" + request_.output + "' is also an input",
                         "choose another --output");
    }
  }

  io::StructureReader reader() const {
    return {request_.structures, {request_.elements, potential_.types()}};
  }

  /// Reads enough structures to keep the device busy.
  std::vector<AtomFrame> batch(io::StructureReader& reader) const {
    std::vector<AtomFrame> frames;
    Index atoms = 0;
    while (atoms < evaluator_->atoms_of_batch()) {
      std::optional<AtomFrame> frame = reader.next();
      if (!frame) break;
      atoms += frame->atoms.atoms();
      frames.push_back(std::move(*frame));
    }
    return frames;
  }

  void write(std::span<const AtomFrame> frames) {
    const std::vector<Evaluated> found = evaluator_->evaluate(frames);
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
  std::unique_ptr<Evaluator> evaluator_;
  Summary summary_;
};

}  // namespace

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
