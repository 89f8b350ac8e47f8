// larmor export: writes configurations of a results file in formats that other programs read.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/results_table.hpp"
#include "cli/shared/options.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/results/results_model.hpp"
#include "larmor/io/structures/atom_frames.hpp"
#include "larmor/io/structures/extxyz.hpp"
#include "larmor/io/structures/ovf.hpp"

namespace larmor::cli {
namespace {

namespace fs = std::filesystem;

struct Export final : Command {
  std::string results;
  int stage = 0;  ///< from 1; 0: the last stage with the requested data
  Index replica = 0;
  Index point = -1;    ///< point of a scan; -1: not given
  std::string frame;   ///< frame of the trajectory: a number, "last" or "all"; empty: final
                       ///< configuration
  std::string format;  ///< "extxyz", "ovf" or "ovf-text"; empty: from the ending of `output`
  std::string output;  ///< empty: in the folder of the results
  bool moments = false;
  bool force = false;
  std::vector<std::string> what;  ///< curves to write as CSV instead of configurations

  Export();
  void add_options(CLI::App& app) override;
  int run() override;

 private:
  [[noreturn]] void write_curves() const;
};

/// Number of a stage. The stage "01-anneal" has number 1.
int number_of(const std::string& stage) {
  int number = 0;
  std::from_chars(stage.data(), stage.data() + stage.size(), number);
  return number;
}

/// Finds the requested stage, or by default the last stage with `dataset`. @returns the group of
/// the stage
std::string find_stage(const io::ResultsReader& file, const Export& options,
                       const std::string& dataset, const std::string& kind) {
  const std::vector<std::string> stages =
      file.exists("/stages") ? file.list("/stages") : std::vector<std::string>{};
  const std::string remedy =
      options.frame.empty()
          ? "every completed stage stores its final configuration, unless its keep_configurations "
            "is 0"
          : "add a trajectory to the study, or leave --frame out for the final configuration";
  if (options.stage > 0) {
    const auto found = std::find_if(stages.begin(), stages.end(), [&](const std::string& stage) {
      return number_of(stage) == options.stage;
    });
    if (found == stages.end())
      throw InputError(fmt::format("there is no stage {} in '{}'", options.stage, options.results),
                       stages.empty() ? "no stage has begun" : "there are " + comma_list(stages));
    const std::string group = "/stages/" + *found;
    if (!file.exists(group + "/" + dataset))
      throw InputError(fmt::format("stage {} of '{}' holds no {}", *found, options.results, kind),
                       remedy);
    return group;
  }
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
    if (file.exists("/stages/" + *stage + "/" + dataset)) return "/stages/" + *stage;
  throw InputError(fmt::format("no stage of '{}' holds a {}", options.results, kind), remedy);
}

/// First frame and number of frames of a trajectory.
struct FrameRange {
  Index first, count;
};

FrameRange frames_asked_for(const std::string& words, Index frames) {
  if (frames == 0) throw InputError("the trajectory has no frames yet", "wait, or resume the run");
  if (words == "all") return {0, frames};
  if (words == "last") return {frames - 1, 1};
  Index frame = 0;
  const char* end = words.data() + words.size();
  const auto [stop, error] = std::from_chars(words.data(), end, frame);
  if (error != std::errc{} || stop != end)
    throw InputError("--frame is '" + words + "', not a number",
                     "give the number of a frame, last or all");
  if (frame < 0 || frame >= frames)
    throw InputError(fmt::format("there is no frame {}", frame),
                     fmt::format("the trajectory has the frames 0 to {}", frames - 1));
  return {frame, 1};
}

/// Spins of one replica, from values of the shape (kept replicas, sites, 3).
std::vector<Vec3<double>> spins_of(const io::StoredValues<double>& values, Index kept,
                                   Index replica) {
  const std::size_t size = values.size() / static_cast<std::size_t>(kept);
  const std::size_t first = static_cast<std::size_t>(replica) * size;
  std::vector<Vec3<double>> spins;
  for (std::size_t i = first; i < first + size; i += 3)
    spins.push_back({values[i], values[i + 1], values[i + 2]});
  return spins;
}

/// @param key key of the study that sets the number of kept replicas
void require_replica(Index replica, Index kept, const std::string& key) {
  if (replica < kept) return;
  throw InputError(fmt::format("the results do not hold replica {}", replica),
                   (kept == 1 ? "the results hold only replica 0"
                              : fmt::format("the results hold replicas 0 to {}", kept - 1)) +
                       "; the key " + key + " in the study sets this number of replicas");
}

/// Whole numbers of one replica, from values of the shape (kept replicas, sites).
std::vector<std::int64_t> states_of(const std::vector<std::int64_t>& values, Index kept,
                                    Index replica) {
  const auto sites = static_cast<Index>(values.size()) / kept;
  const auto first = values.begin() + replica * sites;
  return {first, first + sites};
}

/// Numbers of one replica, from values of the shape (kept replicas, ...).
std::vector<double> replica_numbers(const std::vector<double>& values, Index kept, Index replica) {
  const auto size = static_cast<Index>(values.size()) / kept;
  const auto first = values.begin() + replica * size;
  return {first, first + size};
}

struct Selection {
  std::string stage;
  std::string dataset;  ///< path of the dataset
  std::vector<io::ExtxyzFrame> frames;
  std::vector<std::vector<std::int64_t>> states;  ///< used instead of vectors if sites have states
  std::vector<io::AtomFrame> atoms;               ///< used instead of vectors and states for atoms

  std::size_t size() const { return std::max({frames.size(), states.size(), atoms.size()}); }
};

std::string model_kind(const io::ResultsReader& file) {
  return file.attributes("/model").at("kind").text();
}

bool holds_atoms(const io::ResultsReader& file) { return model_kind(file) == "atoms"; }

/// The structure of a replica, and where its atoms are in lists of all replicas.
struct ReplicaOfAtoms {
  atoms::NamedStructure atoms;
  std::vector<Index> first_atoms;  ///< as read_first_atoms gives them
  Index kept, replica;

  ReplicaOfAtoms(const io::ResultsReader& file, Index stored, Index chosen)
      : atoms(io::read_atoms(file, chosen)),
        first_atoms(io::read_first_atoms(file)),
        kept(stored),
        replica(chosen) {}

  /// @param values (atoms of the kept replicas, 3)
  std::vector<double> of_atoms(const std::vector<double>& values, const std::string& place) const {
    if (first_atoms.empty()) return replica_numbers(values, kept, replica);
    const auto first = [&](Index r) { return 3 * first_atoms[static_cast<std::size_t>(r)]; };
    if (std::ssize(values) != first(kept))
      io::refuse_count(place, values.size(), static_cast<std::size_t>(first(kept)));
    return {values.begin() + first(replica), values.begin() + first(replica + 1)};
  }
};

/// @param place name of the frame for messages
/// @param read reads (kept replicas, ...) of the frame from a dataset
template <class Read>
io::AtomFrame atoms_of(const ReplicaOfAtoms& of, const std::string& place,
                       const std::string& positions, const Read& read) {
  io::AtomFrame frame;
  frame.atoms =
      io::placed(of.atoms,
                 {of.of_atoms(read(positions), place), of.of_atoms(read("velocities"), place),
                  replica_numbers(read("box"), of.kept, of.replica)},
                 place);
  return frame;
}

Selection read_selection(const io::ResultsReader& file, const Export& options) {
  if (options.frame.empty()) {
    const std::string stage = find_stage(file, options, "configuration", "final configuration");
    const std::string path = stage + "/configuration";
    // Replicas of atoms may have unequal numbers of atoms, but each has a box.
    const Index kept = file.shape(file.exists("/model/first_atom") ? stage + "/box" : path)[0];
    require_replica(options.replica, kept, "keep_configurations");
    if (holds_atoms(file)) {
      const auto read = [&](const std::string& name) {
        return file.read<double>(stage + "/" + name);
      };
      return {stage,
              path,
              {},
              {},
              {atoms_of(ReplicaOfAtoms(file, kept, options.replica), file.place(stage),
                        "configuration", read)}};
    }
    if (file.shape(path).size() == 2)
      return {
          stage, path, {}, {states_of(file.read<std::int64_t>(path), kept, options.replica)}, {}};
    const auto spins = spins_of(file.read<double>(path), kept, options.replica);
    return {stage, path, {{spins, std::nullopt}}, {}, {}};
  }
  Selection selection{find_stage(file, options, "trajectory/value", "trajectory"), "", {}, {}, {}};
  const std::string path = selection.stage + "/trajectory/value";
  selection.dataset = path;
  const auto shape = file.shape(path);
  // A Monte Carlo stage counts sweeps instead of time.
  const std::string kind = file.attributes(selection.stage).at("kind").text();
  const bool dynamics = kind == "dynamics" || kind == "md";
  const Index kept = file.exists("/model/first_atom")
                         ? file.shape(selection.stage + "/trajectory/box")[1]
                         : shape[1];
  require_replica(options.replica, kept, dynamics ? "replicas" : "keep_configurations");
  const FrameRange range = frames_asked_for(options.frame, shape[0]);
  const auto time =
      file.read_rows<double>(selection.stage + "/trajectory/time", range.first, range.count);
  if (holds_atoms(file)) {
    const ReplicaOfAtoms atoms(file, kept, options.replica);
    for (Index f = 0; f < range.count; ++f) {
      const auto read = [&](const std::string& name) {
        return file.read_rows<double>(selection.stage + "/trajectory/" + name, range.first + f, 1);
      };
      selection.atoms.push_back(atoms_of(atoms, file.place(path), "value", read));
      io::append_number(selection.atoms.back().further_keys += " Time=",
                        time[static_cast<std::size_t>(f)]);
    }
    return selection;
  }
  if (shape.size() == 3) {
    for (Index f = 0; f < range.count; ++f)
      selection.states.push_back(states_of(file.read_rows<std::int64_t>(path, range.first + f, 1),
                                           shape[1], options.replica));
    return selection;
  }
  for (Index f = 0; f < range.count; ++f)
    selection.frames.push_back(
        {spins_of(file.read_rows<double>(path, range.first + f, 1), shape[1], options.replica),
         dynamics ? std::optional(time[static_cast<std::size_t>(f)]) : std::nullopt});
  return selection;
}

/// @throws MachineError if frames and lattice have different numbers of sites
void require_sites(const io::ResultsReader& file, const Selection& selection, Index sites) {
  const auto require = [&](std::size_t found) {
    if (static_cast<Index>(found) != sites)
      io::refuse_count(file.place(selection.dataset), found, static_cast<std::size_t>(sites));
  };
  for (const io::ExtxyzFrame& frame : selection.frames) require(frame.spins.size());
  for (const std::vector<std::int64_t>& states : selection.states) require(states.size());
}

/// Name of the file of one frame, such as out-000012.ovf: an OVF file holds only one configuration.
std::string numbered(const std::string& path, std::size_t frame) {
  const fs::path whole(path);
  return (whole.parent_path() /
          fmt::format("{}-{:06}{}", whole.stem().string(), frame, whole.extension().string()))
      .string();
}

bool ends_with_ovf(const std::string& path) {
  const fs::path extension = fs::path(path).extension();
  return extension == ".ovf" || extension == ".omf";
}

void write_atoms(const std::string& path, const std::vector<io::AtomFrame>& frames,
                 io::IfExists if_exists) {
  const io::StructureFormat format = io::format_of_name(path).value_or(io::StructureFormat::extxyz);
  if (frames.size() > 1 && !io::holds_many_frames(format))
    throw InputError(
        "'" + path + "' can hold only one frame, but the number of frames is " +
            std::to_string(frames.size()),
        "choose one frame with --frame, or give an --output that ends in .extxyz or .dump");
  std::vector<std::string> texts;
  for (std::size_t n = 0; n < frames.size(); ++n)
    texts.push_back(io::structure_text(format, frames[n], static_cast<Index>(n)));
  io::WholeFile file(path, if_exists);
  for (const std::string& text : texts) file.write(text);
  file.finish();
}

/// @throws InputError if an output is the results file, or exists and `force` is not given
void require_free(const std::vector<std::string>& outputs, const Export& options) {
  for (const std::string& output : outputs) {
    std::error_code missing;
    if (fs::equivalent(output, options.results, missing))
      throw InputError("the output '" + output + "' is the results file itself",
                       "choose another --output");
    if (!options.force && fs::exists(output))
      throw InputError("the output '" + output + "' exists",
                       "give --force to replace this file, or name another --output");
  }
}

Export::Export()
    : Command(
          "export", "Write spins or atoms of a results file for other programs",
          "Spins: extended XYZ or OVF. Atoms: extended XYZ, LAMMPS dump, LAMMPS data or POSCAR.\n"
          "Examples:\n"
          "  larmor export study.h5                         Final spins of replica 0, "
          "study.extxyz.\n"
          "  larmor export study.h5 --frame all             The trajectory, as one file.\n"
          "  larmor export study.h5 --stage 1 --replica 3 -o hot.ovf\n"
          "  larmor export study.h5 --frame last --format ovf-text --moments\n"
          "  larmor curves study.h5 --stage 1               The numbers of pictures, as CSV.\n") {}

void Export::add_options(CLI::App& app) {
  app.add_option("results", results, "results file")->required();
  app.add_option("--stage", stage,
                 "number of the stage, counted from 1. If left out, the last stage that holds a "
                 "configuration or trajectory is taken")
      ->check(whole_number(1, 9999));
  app.add_option("--replica", replica, "number of the replica, from 0")->check(whole_number(0));
  app.add_option("--point", point, "number of a point of a scan, from 0")->check(whole_number(0));
  app.add_option("--frame", frame,
                 "frame of the trajectory: a number from 0, last or all. If left out, the final "
                 "configuration is written");
  app.add_option(
         "--format", format,
         "format of spins: extxyz, ovf (Binary 8) or ovf-text. If left out, the ending of --output "
         "decides. For atoms, --output may end in .extxyz, .dump, .data or .poscar, among others")
      ->check(CLI::IsMember({"extxyz", "ovf", "ovf-text"}));
  app.add_option("-o,--output", output,
                 "file to write (RESULTS.extxyz or RESULTS.ovf). All frames as OVF need one file "
                 "for each frame, NAME-000000.ovf");
  app.add_flag("--moments", moments,
               "in OVF, write spins times their moments instead of unit vectors");
  app.add_flag("-f,--force", force, "replace existing files");
  app.add_option("--what", what,
                 "write curves as CSV instead of configurations, for example averages or series. "
                 "`larmor curves --help` lists them. --stage, --point and --output apply")
      ->allow_extra_args(false);
  for (const char* other : {"--replica", "--frame", "--format", "--moments"})
    app.get_option("--what")->excludes(app.get_option(other));
}

/// Continues as `larmor curves`.
void Export::write_curves() const {
  std::vector<std::string> arguments{"curves", results};
  const auto add = [&](const char* option, const std::string& value) {
    arguments.insert(arguments.end(), {option, value});
  };
  for (const std::string& one : what) add("--what", one);
  if (stage > 0) add("--stage", std::to_string(stage));
  if (point >= 0) add("--point", std::to_string(point));
  if (!output.empty()) add("--output", output);
  if (force) arguments.emplace_back("--force");
  exec_python(std::move(arguments));
}

int Export::run() {
  if (!what.empty()) write_curves();
  if (format.empty()) format = ends_with_ovf(output) ? "ovf" : "extxyz";
  const bool ovf = format != "extxyz";
  if (moments && !ovf)
    throw InputError("--moments is only for OVF",
                     "leave --moments out: extended XYZ already has a column of moments");
  const io::ResultsReader file = results_of_point(results, point);
  if (file.exists("/reweighted"))
    throw InputError("'" + results + "' holds reweighted curves and no spins",
                     "name the results from which they were computed");
  if (file.exists("/scan"))
    throw InputError("'" + results + "' is a scan of many points", "choose one point: --point N");
  if (!file.exists("/model/cell"))
    throw InputError("configurations of " + model_kind(file) + " in '" + results +
                         "' have no positions, which OVF and extended XYZ need",
                     "read the results with `larmor show` or the Python package");
  const Selection selection = read_selection(file, *this);
  if (ovf && selection.frames.empty())
    throw InputError(
        "configurations of " + model_kind(file) + " have no vectors on a lattice, which OVF needs",
        "leave --format out: extended XYZ has columns for such configurations");
  const lattice::Geometry geometry =
      holds_atoms(file) ? lattice::Geometry{} : io::read_geometry(file);
  if (!holds_atoms(file)) require_sites(file, selection, geometry.sites());

  if (output.empty())
    output = fs::path(results).replace_extension(ovf ? ".ovf" : ".extxyz").string();
  require_no_study(output);
  std::vector<std::string> outputs{output};
  if (ovf && frame == "all") {
    outputs.clear();
    for (std::size_t f = 0; f < selection.frames.size(); ++f)
      outputs.push_back(numbered(output, f));
  }
  require_free(outputs, *this);
  const io::IfExists if_exists = force ? io::IfExists::replace : io::IfExists::refuse;
  if (ovf) {
    io::OvfOptions form;
    form.data = format == "ovf-text" ? io::OvfData::text : io::OvfData::binary_8;
    form.moments = moments;
    const io::Attributes top = file.attributes("/");
    const std::string title = top.at("title").text();
    form.title = fmt::format("{}{}{}, replica {}", title, title.empty() ? "" : ", ",
                             fs::path(selection.stage).filename().string(), replica);
    form.units = top.at("units").text() == "material" ? UnitSystem::material : UnitSystem::reduced;
    for (std::size_t f = 0; f < outputs.size(); ++f) {
      form.time = selection.frames[f].time;
      io::write_ovf(outputs[f], geometry, selection.frames[f].spins, form, if_exists);
    }
  } else if (!selection.atoms.empty()) {
    write_atoms(output, selection.atoms, if_exists);
  } else if (!selection.states.empty()) {
    const bool spins = model_kind(file) == "ising";
    io::write_extxyz_states(output, geometry, spins ? "spin" : "state", selection.states,
                            if_exists);
  } else {
    io::write_extxyz(output, geometry, selection.frames, if_exists);
  }
  const std::string what = frame.empty()    ? "final configuration"
                           : frame == "all" ? fmt::format("all {} frames", selection.size())
                                            : "frame " + frame;
  fmt::print("{}{}: {} of {}, replica {}\n", outputs.front(),
             outputs.size() > 1 ? " to " + outputs.back() : "", what,
             fs::path(selection.stage).filename().string(), replica);
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_export() { return std::make_unique<Export>(); }

}  // namespace larmor::cli
