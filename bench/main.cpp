// larmor-bench, started by `larmor bench`: main program. Its exit codes are those of larmor.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "bench/command.hpp"
#include "cli/shared/exit.hpp"
#include "cli/shared/options.hpp"
#include "cli/shared/profile.hpp"
#include "cli/shared/ranks.hpp"
#include "larmor/core/error.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::bench {
namespace {

int run_command(int argc, char** argv) {
  // Users call this program by the name `larmor bench`.
  CLI::App app("Measure speed and compare with the least possible time", "larmor bench");
  std::string name, only;
  bool profiled = false;
  study::DeviceOverrides device;
  app.add_option(
         "name", name,
         "mc, llg, dipoles, ising, samples, clusters, phi4, transfer-matrix, lanczos, trotter, "
         "landscape, tempering, glass, snap, correlations or scaling")
      ->required();
  app.add_option("--only", only,
                 "part of the names of the systems to measure, such as '64^3 x 8'; correlations on "
                 "a GPU take methods, variants or amplitudes; default: all");
  BenchOptions options;
  CorrelationBenchOptions& correlations = options.correlations;
  auto* of_correlations = app.add_option_group("correlations");
  of_correlations->add_option("--L", correlations.lengths,
                              "edges of the square lattices: ranges from:to:step and numbers "
                              "(100:200:10,420 on a GPU and 60,80,100 on a CPU)");
  of_correlations->add_option("--M", correlations.configurations, "number of configurations")
      ->check(cli::whole_number(2, 2000));
  SnapBenchOptions& snap_options = options.snap;
  auto* of_snap = app.add_option_group("snap");
  of_snap
      ->add_option("--cells", snap_options.cells,
                   "edges of the boxes, in bcc cells of two atoms, such as 6,8 (6 on a CPU and "
                   "10,20 on a GPU)")
      ->delimiter(',')
      ->check(cli::whole_number(1, 200));
  of_snap
      ->add_option("--twojmax", snap_options.twojmax,
                   "twojmax of the made-up potential, one or several numbers: twice the largest "
                   "angular momentum (8,14)")
      ->delimiter(',')
      ->check(cli::whole_number(0, 14));
  of_snap->add_option("--snap", snap_options.prefix,
                      "PREFIX of the files PREFIX.snapcoeff and PREFIX.snapparam (made-up "
                      "coefficients)");
  auto* of_both = app.add_option_group("correlations and snap");
  of_both
      ->add_option("--methods", correlations.methods,
                   "names of methods, such as fused,cublas-eq5 or adjoint; correlations have "
                   "methods only on a GPU (all)")
      ->delimiter(',');
  app.add_option(
      "--json", correlations.json,
      "file for the results; only for tempering, glass, snap, and correlations on a GPU");
  bool force = false;
  app.add_flag("-f,--force", force, "replace an existing file");
  cli::add_device_options(app, device, false);
  cli::add_profile_option(app, profiled);
  app.footer(
      "A benchmark runs on one CPU thread in double precision by default.\nCorrelations run on a "
      "GPU by default if the machine has one.\n"
      "Examples:\n  larmor bench llg\n  larmor bench mc --backend cuda --precision single\n"
      "  larmor bench llg --only '16^3 x 8'         Only this system.\n"
      "  mpirun -n 4 larmor bench scaling --backend cuda\n"
      "  larmor bench correlations --L 100:190:10,420 --M 50 --json correlations.json\n"
      "  larmor bench correlations --backend cuda --L 200,420 --only amplitudes   Only this "
      "table.\n"
      "  larmor bench correlations --backend cpu --threads 8 --L 60,80 --only '60^2'\n"
      "  larmor bench snap --twojmax 8 --methods adjoint,generators --json snap.json   Write a "
      "file.\n"
      "  larmor bench tempering --only Edwards --json tempering.json\n"
      "  larmor bench glass --backend cuda --only 16^3 --json glass.json\n");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return cli::end_of_parsing(app, error);
  }
  if (!correlations.json.empty()) {
    io::check_output(correlations.json);
    if (std::filesystem::exists(correlations.json) && !force)
      throw InputError("the output '" + correlations.json + "' exists",
                       "replace it with --force, or name another file with --json");
  }
  snap_options.methods = correlations.methods;
  snap_options.json = correlations.json;
  options.tempering.json = correlations.json;
  options.glass.json = correlations.json;
  return cli::run_profiled(
      profiled, [&] { return run_benchmark(name, only, device, options, cli::on_all_ranks); });
}

}  // namespace
}  // namespace larmor::bench

int main(int argc, char** argv) {
  return larmor::cli::run_program([&] { return larmor::bench::run_command(argc, argv); });
}
