// larmor evaluate: energies, forces and descriptors of structures by a SNAP potential.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/shared/options.hpp"
#include "larmor/core/error.hpp"
#include "larmor/evaluation/evaluation.hpp"

namespace larmor::cli {
namespace {

struct Evaluate final : Command {
  evaluation::Request request;
  std::vector<double> zbl;  ///< inner and outer radius of ZBL; empty: no ZBL
  study::DeviceOverrides device;
  std::string progress = "auto";
  bool force = false;

  Evaluate();
  void add_options(CLI::App& app) override;
  int run() override;
};

Evaluate::Evaluate()
    : Command("evaluate", "Energies, forces and descriptors of structures by a SNAP potential",
              "Energies are in eV and forces in eV/Angstrom. The virial is -dE/d(strain) in eV. "
              "The stress is\n"
              "-virial/volume in eV/Angstrom^3. Both signs are those of ASE, which can read the "
              "output.\n"
              "The default is the CPU in double precision.\n"
              "Examples:\n"
              "  larmor evaluate cells.extxyz --snap W_2940_2017_2 --zbl 4 4.8 -o out.extxyz\n"
              "  larmor evaluate data.alloy --potential WBe_Wood_PRB2019.snap\n"
              "  larmor evaluate POSCAR --snap Ta06A --bispectrum -o Ta.extxyz --force  Replace "
              "Ta.extxyz.\n"
              "  larmor evaluate many.extxyz --snap Ta06A --backend cuda\n") {}

void Evaluate::add_options(CLI::App& app) {
  app.add_option("structures", request.structures,
                 "extended XYZ or a LAMMPS dump file (all frames), a LAMMPS data file, or a POSCAR")
      ->required();
  auto* of_potential = app.add_option_group("potential");
  CLI::Option* snap_option =
      of_potential->add_option("--snap", request.potential.prefix,
                               "PREFIX of the files PREFIX.snapcoeff and PREFIX.snapparam");
  of_potential->add_option("--potential", request.potential.script,
                           "an include file of LAMMPS (.snap) for SNAP, or for SNAP and ZBL");
  of_potential->require_option(1);
  app.add_option("--zbl", zbl,
                 "INNER OUTER: adds the ZBL repulsion between all elements. It is switched off "
                 "between the distances INNER and OUTER in Angstrom")
      ->expected(2)
      ->type_name("FLOAT FLOAT")
      ->needs(snap_option);
  app.add_option("--elements", request.elements,
                 "elements of the types 1, 2, .. in a LAMMPS file, separated by commas. If left "
                 "out, the names or masses in the file decide the elements")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--bispectrum", request.with_bispectrum,
               "also write the descriptors of every atom, each in a separate column");
  add_device_options(app, device, false);
  add_progress_option(app, progress);
  app.add_option("-o,--output", request.output,
                 "file to write, extended XYZ (STRUCTURES-evaluated.extxyz)");
  app.add_flag("-f,--force", force, "replace an existing file");
}

int Evaluate::run() {
  if (request.output.empty())
    request.output = default_output(request.structures, "-evaluated.extxyz");
  require_no_study(request.output);
  if (!zbl.empty()) request.potential.zbl = {zbl[0], zbl[1]};
  request.if_exists = force ? io::IfExists::replace : io::IfExists::refuse;
  request.device = study::whole_device_of(device);
  request.progress_stream = &std::cerr;
  request.progress = progress_options(progress);
  const evaluation::Summary done = evaluation::evaluate_file(request);
  fmt::print("{}: {} structure{} of {} atom{}, {} eV an atom, forces up to {:.6g} eV/Angstrom\n",
             request.output, done.structures, done.structures == 1 ? "" : "s", done.atoms,
             done.atoms == 1 ? "" : "s",
             done.structures == 1
                 ? fmt::format("{:.10g}", done.least_energy)
                 : fmt::format("{:.10g} to {:.10g}", done.least_energy, done.greatest_energy),
             done.largest_force);
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_evaluate() { return std::make_unique<Evaluate>(); }

}  // namespace larmor::cli
