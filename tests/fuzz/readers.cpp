#include "tests/fuzz/readers.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>

#include "larmor/core/error.hpp"
#include "larmor/fitting/json_configuration.hpp"
#include "larmor/fitting/settings.hpp"
#include "larmor/io/files/json.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/io/graphs/edge_list.hpp"
#include "larmor/io/graphs/problem_file.hpp"
#include "larmor/io/potentials/lammps_script.hpp"
#include "larmor/io/potentials/snap_files.hpp"
#include "larmor/io/structures/atom_frames.hpp"
#include "larmor/io/structures/extxyz.hpp"
#include "larmor/io/structures/ovf.hpp"
#include "larmor/io/structures/uppasd.hpp"
#include "larmor/study/input/key_path.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/studies.hpp"

namespace larmor::fuzzing {
namespace {

namespace fs = std::filesystem;

template <class Vectors>
void require_finite(const Vectors& vectors) {
  for (const Vec3<double>& v : vectors)
    require(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z),
            "a vector is not finite");
}

std::string file_with(const std::string& path, const char* name) {
  return (fs::path(path).parent_path() / name).string();
}

const std::array<Vec3<double>, 3> cubic{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

void read_posfile(const std::string& path) {
  for (const lattice::BasisAtom& atom : io::read_uppasd_basis(path, "", cubic))
    require_finite(std::vector{atom.fractional});
}

void read_momfile(const std::string& path) {
  require_finite(io::read_uppasd_directions(path, 2));
  for (const lattice::BasisAtom& atom :
       io::read_uppasd_basis(file_with(path, "posfile"), path, cubic))
    require(atom.moment > 0 && std::isfinite(atom.moment), "a moment is not positive");
}

template <int maptype>
void read_jfile(const std::string& path) {
  const lattice::Crystal bcc{
      "given", cubic, {{{0, 0, 0}, "1", 1}, {{0.5, 0.5, 0.5}, "1", 1}}, 3, {}};
  const lattice::Geometry geometry = lattice::make_lattice(bcc, {4, 4, 4}, {true});
  for (const io::UppasdCoupling& coupling : io::read_jfile(path, geometry, "cubic", 1, maptype))
    require(std::isfinite(coupling.J_mRy), "a coupling is not finite");
}

void read_positions(const std::string& path) {
  const lattice::Geometry geometry = io::read_extxyz(path);
  for (Index site = 0; site < geometry.sites(); ++site)
    require_finite(std::vector{geometry.position(site)});
}

void read_spins(const std::string& path) {
  for (const Vec3<double>& e : io::read_extxyz_spins(path, 2))
    require(std::abs(dot(e, e) - 1) < 1e-9, "a spin has another length than 1");
}

/// Reads all frames, writes them, and reads them again.
void read_frames(const std::string& path) {
  const io::StructureFormat format = io::structure_format(path);
  io::StructureReader reader(path, {{}, {"W", "Be", "Fe"}});
  std::string text;
  Index frames = 0, atoms = 0;
  while (const std::optional<io::AtomFrame> frame = reader.next()) {
    for (const Vec3<double>& r : frame->atoms.positions)
      require(std::max({std::abs(r.x), std::abs(r.y), std::abs(r.z)}) <= 1e15 &&
                  !std::isnan(r.x + r.y + r.z),
              "an atom is too far away");
    require_finite(frame->atoms.velocities);
    require(frame->atoms.box.volume() > 0, "the box has no volume");
    for (const double mass : frame->atoms.masses) require(mass > 0, "a mass is not positive");
    text += io::extxyz_text(*frame, "", {});
    ++frames;
    atoms += frame->atoms.atoms();
  }
  require(frames == 1 || io::holds_many_frames(format), "the file has several frames");
  const std::string written = file_with(path, "written.extxyz");
  std::ofstream(written) << text;
  for (io::StructureReader again(written, {}); const auto frame = again.next();) {
    --frames;
    atoms -= frame->atoms.atoms();
  }
  require(frames == 0 && atoms == 0, "the written structures differ");
}

void read_ovf(const std::string& path) {
  const io::OvfField field = io::read_ovf(path);
  require_finite(field.values);
  require(
      static_cast<Index>(field.values.size()) == field.nodes[0] * field.nodes[1] * field.nodes[2],
      "values are missing");
}

void read_snap(const std::string& coefficients, const std::string& parameters) {
  const atoms::snap::SnapPotential snap =
      io::read_snap(coefficients, parameters, io::read_snap_elements(coefficients));
  for (const atoms::snap::SnapElement& element : snap.elements)
    for (const double beta : element.coefficients)
      require(std::isfinite(beta), "a coefficient is not finite");
}

void read_problem(const std::string& path) {
  io::ProblemFile file = io::read_problem(path, "");
  const ground_states::QuadraticProblem& problem = file.problem;
  require(std::isfinite(problem.offset), "the offset is not finite");
  require(file.labels.size() == static_cast<std::size_t>(problem.size()), "labels are missing");
  for (const ground_states::Coupling& c : problem.couplings)
    require(c.i != c.j && c.i < problem.size() && c.j < problem.size(),
            "a coupling has no variables");
  for (const std::string& label : file.labels) io::parse_json("[" + label + "]", "label");
  io::maximise(file);
}

const std::vector<Reader> table{
    {"study", "study.toml", check_study},
    {"toml", "a.toml",
     [](const std::string& path) {
       const std::string text = to_toml(io::read_toml(path));
       require(text == to_toml(io::parse_toml(text, path)),
               "the written document is another document");
     }},
    {"changes", "changes.txt",
     [](const std::string& path) {
       study::with_changes(io::parse_toml("a = 1\n[b]\nc = [1, 2]\n[[d]]\ne = 'f'\n", "a.toml"),
                           {io::read_text(path)});
     }},
    {"json", "a.json", [](const std::string& path) { io::parse_json(io::read_text(path), path); }},
    {"uppasd-posfile", "posfile", read_posfile},
    {"uppasd-momfile", "momfile", read_momfile},
    {"uppasd-jfile", "jfile", read_jfile<1>},
    {"uppasd-jfile-2", "jfile", read_jfile<2>},
    {"extxyz-positions", "a.extxyz", read_positions},
    {"extxyz-spins", "a.extxyz", read_spins},
    {"extxyz", "a.extxyz", read_frames},
    {"lammps-data", "a.data", read_frames},
    {"lammps-dump", "a.dump", read_frames},
    {"poscar", "POSCAR", read_frames},
    {"structure", "structure", read_frames},
    {"ovf", "a.ovf", read_ovf},
    {"snapcoeff", "a.snapcoeff",
     [](const std::string& path) { read_snap(path, file_with(path, "a.snapparam")); }},
    {"snapparam", "a.snapparam",
     [](const std::string& path) { read_snap(file_with(path, "a.snapcoeff"), path); }},
    {"lammps-potential", "a.snap",
     [](const std::string& path) { io::read_lammps_potential(path); }},
    {"fitsnap", "fit.in", [](const std::string& path) { fitting::read_settings(path, ""); }},
    {"fit", "fit.toml", [](const std::string& path) { fitting::read_settings(path, ""); }},
    {"fit-configuration", "a.json",
     [](const std::string& path) { fitting::read_json_configuration(path); }},
    {"bqm", "a.bqm", read_problem},
    {"coo", "a.coo", read_problem},
    {"qubo", "a.qubo", read_problem, true},
    {"sparse", "a.sparse", read_problem, true},
    {"max-cut", "a.mc", read_problem, true},
    {"problem", "problem.txt", read_problem, true},
    {"uppasd-folder", "folder", check_uppasd_folder},
    {"vampire-folder", "folder", check_vampire_folder},
    {"vampire-unit-cell", "a.ucf", check_vampire},
    {"tb2j", "exchange.out", check_tb2j},
    {"cif", "a.cif", check_crystal},
    {"mcif", "a.mcif", check_crystal},
    {"poscar-crystal", "POSCAR", check_crystal},
    {"extxyz-crystal", "a.extxyz", check_crystal},
    {"edges", "edges.txt", [](const std::string& path) { io::read_edge_list(path, 16, 1.0); }},
    {"edges-with-couplings", "edges.txt",
     [](const std::string& path) { io::read_edge_list(path, 16, std::nullopt); }},
};

std::string folder_of_files(const char* kind, const Reader& reader) {
  const char* const moved = std::getenv("LARMOR_FUZZ_FOLDER");
  return std::string(moved != nullptr ? moved : LARMOR_FUZZ_FOLDER) + "/" + kind + "/" +
         reader.name;
}

std::string scratch_folder() {
  std::string name = (fs::temp_directory_path() / "larmor-fuzz-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  return name;
}

}  // namespace

const std::vector<Reader>& readers() { return table; }

const Reader& reader(std::string_view name) {
  for (const Reader& each : table)
    if (name == each.name) return each;
  throw std::out_of_range("no reader is called " + std::string(name));
}

std::string corpus_of(const Reader& reader) { return folder_of_files("corpus", reader); }

Trial::Trial(const Reader& reader) : reader_(reader), folder_(scratch_folder()) {
  const std::string others = folder_of_files("companions", reader);
  if (fs::is_directory(others)) fs::copy(others, folder_, fs::copy_options::recursive);
}

Trial::~Trial() { fs::remove_all(folder_); }

Trial::Outcome Trial::of(std::string_view text) const {
  const std::string path = folder_ + "/" + reader_.file;
  std::ofstream(path, std::ios::binary) << text;
  try {
    reader_.read(path);
    return {End::accepted, ""};
  } catch (const InputError& error) {
    const std::string words = error.what();
    // An error about a whole file, or an option, names it.
    const bool has_place = error.has_position() || words.find(folder_) != std::string::npos ||
                           words.find("--set") != std::string::npos;
    if (!has_place) return {End::defect, std::string("no place: ") + error.what()};
    if (error.remedy().empty()) return {End::defect, std::string("no remedy: ") + error.what()};
    return {End::refused, error.what()};
  } catch (const MachineError& error) {
    return {End::refused, error.what()};
  } catch (const std::exception& error) {
    return {End::defect, error.what()};
  }
}

}  // namespace larmor::fuzzing
