// larmor fit: coefficients of a SNAP potential from configurations with energies, forces, stresses.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <optional>

#include "cli/commands.hpp"
#include "cli/fit_table.hpp"
#include "cli/output.hpp"
#include "cli/shared/options.hpp"
#include "larmor/fitting/fit_results.hpp"
#include "larmor/fitting/potential_files.hpp"
#include "larmor/study/run/provenance.hpp"
#include "larmor_version.hpp"

namespace larmor::cli {
namespace {

struct Fit final : Command {
  std::string input, data, output, progress = "auto";
  study::DeviceOverrides device;
  std::optional<Index> folds;
  bool leaves_out_groups = false, force = false;

  Fit();
  void add_options(CLI::App& app) override;
  int run() override;
  std::string prefix_of(const fitting::Settings& settings) const;
  void write_results(io::ResultsFile& file, const fitting::Settings& settings,
                     const fitting::Fit& found) const;
};

Fit::Fit()
    : Command("fit", "Fit a SNAP potential to energies, forces and stresses",
              "The input is a TOML file, or FitSNAP's input file as it stands. Extended XYZ and "
              "FitSNAP's JSON\n"
              "files have the configurations. The output is PREFIX.snapcoeff, PREFIX.snapparam and "
              "PREFIX.mod\n"
              "for LAMMPS and `larmor evaluate`, and the results PREFIX.h5.\n"
              "Examples:\n"
              "  larmor fit tungsten.toml                    Write the files that [output] names.\n"
              "  larmor fit Ta-example.in --data JSON -o Ta  FitSNAP's input; write Ta.snapcoeff, "
              "..\n"
              "  larmor fit Ta-example.in --folds 5 -o Ta    With cross-validation.\n"
              "  larmor fit tungsten.toml --backend cuda     On a GPU.\n"
              "  larmor show Ta.h5                           Errors by group.\n"
              "  larmor plot Ta.h5                           Pictures of predictions and errors.\n"
              "  larmor evaluate cells.extxyz --potential Ta.mod\n") {}

void Fit::add_options(CLI::App& app) {
  app.add_option("input", input, "TOML file (.toml), or FitSNAP's input file")->required();
  app.add_option("--data", data,
                 "folder of the groups, in place of the folder that the input names");
  app.add_option("-o,--output", output, "PREFIX of the files to write (as the input says)");
  app.add_option("--folds", folds,
                 "number of folds of a cross-validation; configuration n of a group is in fold n "
                 "modulo this number (as the input says)")
      ->check(whole_number(2));
  app.add_flag("--leave-one-group-out", leaves_out_groups,
               "also fit without each group, and print the errors for this group");
  add_device_options(app, device, false);
  add_progress_option(app, progress);
  app.add_flag("-f,--force", force, "replace existing files");
}

std::string Fit::prefix_of(const fitting::Settings& settings) const {
  if (!output.empty()) return output;
  const std::filesystem::path here = std::filesystem::path(input).parent_path();
  if (!settings.potential.empty()) return (here / settings.potential).string();
  return default_output(input, "-fit");
}

void Fit::write_results(io::ResultsFile& file, const fitting::Settings& settings,
                        const fitting::Fit& found) const {
  file.set_attribute("/", "title", std::filesystem::path(input).filename().string());
  file.set_attribute("/", "units", "material");
  study::begin_provenance(file, 0, {});
  const std::string leg = study::begin_leg(file, command_line, {});
  fitting::write_fit(file, settings, found);
  study::finish_provenance(file, leg);
  file.set_attribute("/", "completed", Index{1});
  file.commit();
}

int Fit::run() {
  const io::IfExists if_exists = force ? io::IfExists::replace : io::IfExists::refuse;
  fitting::Settings settings = fitting::read_settings(input, data);
  if (folds) settings.solver.folds = *folds;
  if (leaves_out_groups) settings.solver.leaves_out_groups = true;
  const std::string prefix = prefix_of(settings);
  // All files are opened before the computation, which may take long.
  io::WholeFile coefficients(prefix + ".snapcoeff", if_exists);
  io::WholeFile parameters(prefix + ".snapparam", if_exists);
  io::WholeFile script(prefix + ".mod", if_exists);
  io::ResultsFile results = io::ResultsFile::create(prefix + ".h5", if_exists);

  const std::vector<fitting::Configuration> set = fitting::read_training_set(settings);
  ProgressOptions shown = progress_options(progress);
  shown.unit = "atoms";
  for (const fitting::Configuration& configuration : set) shown.total += configuration.atoms();
  Progress display(std::cerr, shown);
  const fitting::Fit found = fitting::fit(settings, set, study::whole_device_of(device),
                                          [&](Index atoms) { display.advance(atoms); });
  display.finish();

  const fitting::PotentialTexts texts = fitting::potential_texts(
      settings, found.potential, fmt::format("larmor {} ({})", version, commit), prefix);
  coefficients.write(texts.coefficients);
  parameters.write(texts.parameters);
  script.write(texts.script);
  write_results(results, settings, found);
  coefficients.finish();
  parameters.finish();
  script.finish();

  if (!settings.ignored.empty()) {
    std::string keys;
    for (const std::string& key : settings.ignored) keys += (keys.empty() ? "" : ", ") + key;
    print_text("without effect here: {}\n", keys);
  }
  print_fit(io::ResultsReader(prefix + ".h5"));
  print_text("{0}.snapcoeff, {0}.snapparam, {0}.mod, {0}.h5\n", prefix);
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_fit() { return std::make_unique<Fit>(); }

}  // namespace larmor::cli
