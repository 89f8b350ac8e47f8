#include "cli/commands.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "cli/shared/options.hpp"
#include "cli/shared/profile.hpp"
#include "larmor/core/device/gpu_architecture.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/io/graphs/problem_file.hpp"
#include "larmor_version.hpp"

namespace larmor::cli {
namespace {

std::string joined(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i ? " " : "") + std::string(argv[i]);
  return command;
}

/// Limits of a search, because random numbers are keyed by repeat and sweep.
constexpr Index most_repeats = 1'000'000;
constexpr Index most_sweeps = Index{1} << 38;

/// @throws CLI::ParseError if the first word names no command
void require_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return;
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  const bool is_option = word.starts_with("-");
  if (is_option) {
    names.clear();
    for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
    names.push_back("-h");
  }
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  std::string hint = did_you_mean(word, names);
  // There are few names, so a hint is safe for short words too.
  for (const std::string& name : names)
    if (hint.empty() && edit_distance(word, name) == 1) hint = "did you mean '" + name + "'?";
  if (word == "plot") hint = "`python -m larmor plot` draws pictures of results";
  throw CLI::ParseError(
      fmt::format("there is no {} '{}'{}{}; there are {}", is_option ? "option" : "command", word,
                  hint.empty() ? "" : "; ", hint, comma_list(names)),
      CLI::ExitCodes::ExtrasError);
}

constexpr const char* examples = R"(Examples:
  larmor new spin-waves             Write a commented starter study, spin-waves.toml.
  larmor check spin-waves.toml      Print the plan, time and memory; run nothing.
  larmor run spin-waves.toml        Run it; the results are in spin-waves.h5.
  larmor resume spin-waves.h5       Continue after Ctrl-C, a kill or a wall-time limit.
  larmor show spin-waves.h5         Print averages with error bars.
  larmor reweight sizes.h5          Compute curves from samples at several temperatures.
  larmor export spin-waves.h5       Write final spins as extended XYZ, for OVITO and ASE.
  larmor solve problem.json         Find the ground state of an Ising or QUBO problem.
  python -m larmor plot spin-waves.h5
)";

/// Text of `larmor --version`.
std::string version_text() {
  const std::string text = std::string(version) + " (" + commit + ")\n" + build;
  if (!built_with_cuda()) return text;
  return text + "\nkernels for GPUs of compute capability " +
         capabilities_text(kernel_architectures());
}

}  // namespace

int run_command(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "bench") become_bench(argv + 1);
  CLI::App app("Larmor: classical spins on lattices, from Monte Carlo to spin waves.", "larmor");
  app.footer(examples);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  const std::string command = joined(argc, argv);

  std::string file, output, progress = "auto", kind, path;
  std::vector<std::string> names, changes;
  bool force = false, quick = false, profiled = false;
  study::DeviceOverrides device;
  double checkpoint_every = 0;
  int points_at_once = 1;
  const auto run_flags = [&](CLI::App* sub) {
    sub->add_option("--progress", progress, "how to show progress")
        ->check(CLI::IsMember({"auto", "terminal", "plain", "json", "quiet"}));
    add_device_options(*sub, device, true);
    sub->add_option("--checkpoint-every", checkpoint_every, "seconds between checkpoints")
        ->check(positive_number());
    add_profile_option(*sub, profiled);
    sub->add_option(
           "--points-at-once", points_at_once,
           "number of points of a scan that run concurrently; they share the CPU threads and the "
           "GPUs; results do not depend on it (1)")
        ->check(whole_number(1, 1024))
        ->excludes("--profile");
  };

  const auto set_option = [&](CLI::App* sub) {
    sub->add_option("--set", changes,
                    "KEY=VALUE, a change of a key of the study; dots join names, and entries of "
                    "lists are numbered from 1; may be given several times")
        ->allow_extra_args(false);
  };

  CLI::App* run_app = app.add_subcommand("run", "Run every stage of a study");
  run_app->add_option("study", file, "study file (TOML)")->required();
  run_app->add_option("-o,--output", output, "results file to write (STUDY.h5)");
  run_app->add_flag("-f,--force", force, "replace existing results");
  set_option(run_app);
  run_flags(run_app);
  run_app->footer(
      "Examples:\n  larmor run study.toml\n"
      "  larmor run study.toml -o hot.h5 --force    Replace hot.h5.\n"
      "  larmor run study.toml --backend cuda --precision mixed    Run on a GPU.\n"
      "  larmor run study.toml --set replicas=8 --set 'stage.1.temperature=[0.5, 1.0]' -o few.h5\n"
      "  larmor run scan.toml --backend cuda --points-at-once 8    Run 8 points at once.\n"
      "  larmor run study.toml --profile            Print where the time went.\n");

  CLI::App* resume_app = app.add_subcommand("resume", "Continue an interrupted run");
  resume_app->add_option("results", file, "results file of the run")->required();
  run_flags(resume_app);
  bool changes_arithmetic = false;
  resume_app->add_flag("--change-arithmetic", changes_arithmetic,
                       "permission to change the backend, precision, GPU or instruction set of the "
                       "run; results then differ by rounding from those of an uninterrupted run");
  bool from_start = false;
  resume_app->add_flag(
      "--from-start", from_start,
      "restart of the study if its checkpoint is lost or damaged, or of points of a scan if "
      "their folder is; their stored results are deleted");
  resume_app->footer(
      "Examples:\n"
      "  larmor resume study.h5                      on the same kind of machine\n"
      "  larmor resume study.h5 --change-arithmetic  on any other machine\n");

  CLI::App* check_app = app.add_subcommand("check", "Read and validate a study; print the plan");
  check_app->add_option("study", file, "study file")->required();
  set_option(check_app);
  add_device_options(*check_app, device, true);

  CLI::App* show_app = app.add_subcommand("show", "Print the contents of a results file");
  ShowOptions shown;
  show_app->add_option("results", shown.results, "results file")->required();
  show_app->add_option("--point", shown.point, "number of a point of a scan, from 0")
      ->check(whole_number(0));
  show_app->add_flag("--all", shown.all,
                     "every temperature, average and stage, and autocorrelation times; without it "
                     "tables list their omissions");
  bool as_csv = false, as_json = false;
  CLI::Option* csv_flag = show_app->add_flag(
      "--csv", as_csv,
      "all averages as CSV: a row for each point and temperature, values in full precision, their "
      "errors and units in separate columns; a blank cell is an unknown value");
  show_app->add_flag("--json", as_json, "all averages as JSON; null is an unknown value")
      ->excludes(csv_flag);
  show_app->footer(
      "Examples:\n"
      "  larmor show study.h5                   Averages by temperature, or by point of a scan.\n"
      "  larmor show study.h5 --point 5         All results of one point of a scan.\n"
      "  larmor show study.h5 --csv > study.csv\n");

  ReweightRequest reweighting;
  CLI::App* reweight_app = app.add_subcommand(
      "reweight", "Averages as functions of temperature or kappa, from samples at several values");
  reweight_app
      ->add_option(
          "results", reweighting.files,
          "one or several results files with monte-carlo stages at several temperatures or values "
          "of kappa, or with scans")
      ->required();
  reweight_app->add_option("--temperatures", reweighting.temperatures,
                           "lowest:highest:number, in the unit of the results, or one temperature "
                           "(101 from the lowest to the highest sampled)");
  reweight_app
      ->add_option(
          "--kappa", reweighting.kappa,
          "lowest:highest:number or one kappa, for phi^4 fields, which have no temperature")
      ->excludes("--temperatures");
  reweight_app
      ->add_option("--observables", reweighting.observables,
                   "names of further series in the results, which `measure` of the stage has "
                   "stored; separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  reweight_app->add_option("--order", reweighting.order, "series of the order parameter");
  reweight_app
      ->add_option("--stage", reweighting.stage,
                   "number of the stage, from 1 (the last with series)")
      ->check(whole_number(1, 9999));
  reweight_app
      ->add_option("--draws", reweighting.draws, "number of bootstrap draws for the errors (200)")
      ->check(whole_number(20, 10000));
  reweight_app->add_option("--seed", reweighting.seed, "of these draws (1)")
      ->check(whole_number(0));
  reweight_app
      ->add_option("--threads", reweighting.threads, "CPU threads; results do not depend on it")
      ->check(whole_number(1, 4096));
  reweight_app->add_option("-o,--output", reweighting.output,
                           "results file to write (RESULTS-reweighted.h5)");
  reweight_app->add_flag("-f,--force", reweighting.force, "replace an existing file");
  reweight_app->footer(
      "Examples:\n"
      "  larmor reweight study.h5                               Write study-reweighted.h5.\n"
      "  larmor reweight L8.h5 L16.h5 --temperatures 4.49:4.53:81 -o sizes.h5\n"
      "  larmor reweight study.h5 --observables topological_charge\n"
      "  larmor reweight fields.h5 --kappa 0.108:0.114:61       Curves of phi^4 fields.\n"
      "  larmor show study-reweighted.h5 --csv > curves.csv\n"
      "  python -m larmor scaling study-reweighted.h5           T_c or kappa_c, exponents.\n");

  ExportOptions chosen;
  CLI::App* export_app =
      app.add_subcommand("export", "Write spins of a results file as extended XYZ or OVF");
  export_app->add_option("results", chosen.results, "results file")->required();
  export_app->add_option("--stage", chosen.stage, "number of the stage, from 1 (the last one)")
      ->check(whole_number(1, 9999));
  export_app->add_option("--replica", chosen.replica, "number of the replica, from 0")
      ->check(whole_number(0));
  export_app->add_option("--point", chosen.point, "number of a point of a scan, from 0")
      ->check(whole_number(0));
  export_app->add_option("--frame", chosen.frame,
                         "frame of the trajectory: a number from 0, last or all "
                         "(the final configuration)");
  export_app
      ->add_option("--format", chosen.format,
                   "extxyz, ovf (Binary 8) or ovf-text (from the ending of --output, "
                   "otherwise extxyz)")
      ->check(CLI::IsMember({"extxyz", "ovf", "ovf-text"}));
  export_app->add_option("-o,--output", chosen.output,
                         "file to write (results.extxyz or results.ovf). "
                         "OVF of all frames: one file for each frame, NAME-000000.ovf");
  export_app->add_flag("--moments", chosen.moments,
                       "OVF: spins times their moments instead of unit vectors");
  export_app->add_flag("-f,--force", chosen.force, "replace existing files");
  export_app->footer(
      "Examples:\n"
      "  larmor export study.h5                         Final spins of replica 0, study.extxyz.\n"
      "  larmor export study.h5 --frame all             The trajectory, as one file.\n"
      "  larmor export study.h5 --stage 1 --replica 3 -o hot.ovf\n"
      "  larmor export study.h5 --frame last --format ovf-text --moments\n");

  EvaluateOptions evaluated;
  CLI::App* evaluate_app = app.add_subcommand(
      "evaluate", "Energies, forces and descriptors of structures by a SNAP potential");
  evaluate_app
      ->add_option(
          "structures", evaluated.structures,
          "extended XYZ or a LAMMPS dump file (all frames), a LAMMPS data file, or a POSCAR")
      ->required();
  auto* of_potential = evaluate_app->add_option_group("potential");
  CLI::Option* snap_option = of_potential->add_option(
      "--snap", evaluated.snap, "PREFIX of the files PREFIX.snapcoeff and PREFIX.snapparam");
  of_potential->add_option("--potential", evaluated.potential,
                           "an include file of LAMMPS (.snap) that names SNAP, and ZBL over it");
  of_potential->require_option(1);
  evaluate_app
      ->add_option("--zbl", evaluated.zbl,
                   "INNER OUTER: adds ZBL between all elements, its radii in Angstrom")
      ->expected(2)
      ->type_name("FLOAT FLOAT")
      ->needs(snap_option);
  evaluate_app
      ->add_option("--elements", evaluated.elements,
                   "elements of the types 1, 2, .. in a LAMMPS file, separated by commas (from "
                   "names or masses in the file)")
      ->delimiter(',')
      ->allow_extra_args(false);
  evaluate_app->add_flag("--bispectrum", evaluated.bispectrum,
                         "descriptors of every atom, each in a separate column");
  add_device_options(*evaluate_app, device, false);
  evaluate_app->add_option("--progress", evaluated.progress, "how to show progress")
      ->check(CLI::IsMember({"auto", "terminal", "plain", "json", "quiet"}));
  evaluate_app->add_option("-o,--output", evaluated.output,
                           "file to write, extended XYZ (STRUCTURES-evaluated.extxyz)");
  evaluate_app->add_flag("-f,--force", evaluated.force, "replace an existing file");
  evaluate_app->footer(
      "Energies are in eV, forces in eV/Angstrom; virial = -dE/d(strain) in eV and stress = \n"
      "-virial/volume in eV/Angstrom^3 have the signs of ASE, which reads the output.\n"
      "The default is the CPU in double precision.\n"
      "Examples:\n"
      "  larmor evaluate cells.extxyz --snap W_2940_2017_2 --zbl 4 4.8 -o out.extxyz\n"
      "  larmor evaluate data.alloy --potential WBe_Wood_PRB2019.snap\n"
      "  larmor evaluate POSCAR --snap Ta06A --bispectrum -o Ta.extxyz --force  Replace it.\n"
      "  larmor evaluate many.extxyz --snap Ta06A --backend cuda\n");

  SolveOptions solved;
  ground_states::SearchSettings& search = solved.search;
  bool anneals = false;
  double target = 0, coldest = 0, hottest = 0;
  Index sample = 0;
  CLI::App* solve_app =
      app.add_subcommand("solve", "Find the ground state of an Ising or QUBO problem");
  solve_app->add_option("problem", solved.problem, "file of the problem, or a study of Ising spins")
      ->required();
  CLI::Option* sample_option =
      solve_app->add_option("--sample", sample, "number of the sample of a study, from 0");
  sample_option->check(whole_number(0));
  solve_app
      ->add_option("--format", solved.format, "format of the file (from its ending or first line)")
      ->check(CLI::IsMember(io::problem_format_names()));
  solve_app->add_flag("--anneal", anneals,
                      "simulated annealing instead of parallel tempering; every repeat cools once");
  CLI::Option* repeats_option =
      solve_app->add_option("--repeats", search.repeats, "independent searches (16)");
  repeats_option->check(whole_number(1, most_repeats));
  CLI::Option* sweeps_option = solve_app->add_option(
      "--sweeps", search.sweeps,
      "number of sweeps of every rung or annealing (4000; with --seconds, until that time)");
  sweeps_option->check(whole_number(1, most_sweeps));
  solve_app
      ->add_option("--seconds", search.seconds,
                   "time limit of the search; results then depend on the machine")
      ->check(positive_number());
  CLI::Option* target_option = solve_app->add_option(
      "--target-energy", target,
      "energy at or below which a repeat ends (with --maximise: at or above)");
  target_option->check(finite_number());
  CLI::Option* coldest_option =
      solve_app->add_option("--coldest", coldest, "lowest temperature, in the unit of the energy");
  coldest_option->check(positive_number());
  CLI::Option* hottest_option =
      solve_app->add_option("--hottest", hottest, "highest temperature (both from the problem)");
  hottest_option->check(positive_number());
  solve_app->add_option("--rungs", search.rungs, "temperatures of a ladder (from the problem)")
      ->check(whole_number(2, 1000));
  solve_app->add_flag("--ferromagnetic", solved.ferromagnetic,
                      "sign of rows i j J between spins: J > 0 is ferromagnetic, as in a study");
  solve_app->add_flag("--maximise,--maximize", solved.maximise,
                      "search for the largest value of the file's function, for a graph the "
                      "largest cut; all energies are given as these values");
  solve_app->add_flag("--certify", solved.certify,
                      "proof and number of ground states, for up to 40 variables or larger sparse "
                      "problems (strips, trees, grids of 20 x 20)");
  solve_app->add_option("--backend", solved.backend, "processor for the certificate (auto)")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  solve_app->add_option("--seed", search.seed, "seed of random numbers (1)")
      ->check(whole_number(0));
  solve_app->add_option("--threads", solved.threads, "CPU threads; results do not depend on it")
      ->check(whole_number(1, 4096));
  solve_app->add_option("--progress", solved.progress, "how to show progress")
      ->check(CLI::IsMember({"auto", "terminal", "plain", "json", "quiet"}));
  solve_app->add_option("-o,--output", solved.output,
                        "file to write, JSON (PROBLEM-solution.json)");
  solve_app->add_flag("-f,--force", solved.force, "replace an existing file");
  solve_app->footer(
      "Formats: bqm (dimod, JSON or to_file()), coo (rows i j value), qubo (qbsolv), sparse (QUBO "
      "of\n"
      "Biq Mac) and maxcut (graphs of rudy, Biq Mac and Gset). Energies are minimised, for\n"
      "graphs minus the cut, unless --maximise is given.\n"
      "Examples:\n"
      "  larmor solve glass.txt                     Write glass-solution.json.\n"
      "  larmor solve bonds.txt --ferromagnetic     H = - sum J s s, as in a study.\n"
      "  larmor solve glass.toml --sample 3         Couplings that a study draws.\n"
      "  larmor solve portfolio.json --certify      Proof, up to 40 variables or if sparse.\n"
      "  larmor solve profit.qubo --maximise        The largest value.\n"
      "  larmor solve G1 --format maxcut --target-energy -11624 --seconds 60\n"
      "  larmor solve dense.qubo --anneal --sweeps 1000 --repeats 500 -o dense.json --force\n");

  CLI::App* new_app = app.add_subcommand("new", "Write a commented starter study");
  new_app->add_option("kind", kind, "kind of study; without it the kinds are listed");
  new_app->add_option("path", path, "file to write (KIND.toml)");
  new_app->add_flag("-f,--force", force, "replace an existing file");

  CLI::App* explain_app = app.add_subcommand("explain", "Explain a table, key or value of studies");
  explain_app->add_option("name", names,
                          "tables, keys or values of keys, such as exchange, exchange.J, "
                          "structure-factor; stages; units");
  explain_app->footer(
      "Examples:\n  larmor explain exchange.J\n  larmor explain stages\n"
      "  larmor explain dynamics.measure.every\n  larmor explain structure-factor\n"
      "  larmor explain units\n  larmor explain lattice.type lattice.size\n");

  app.add_subcommand("devices", "List processors and features of this build");

  CLI::App* verify_app = app.add_subcommand("verify", "Compare with exact results, in sigmas");
  verify_app->add_flag("--quick", quick, "fewer samples");
  add_device_options(*verify_app, device, false);
  verify_app->footer(
      "The default is the CPU in double precision.\n"
      "Examples:\n  larmor verify --quick\n  larmor verify --backend cuda --precision mixed\n");

  // Only for the list of commands: larmor-bench parses its words.
  app.add_subcommand("bench", "Measure speed and compare with the least possible time");

  try {
    require_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
  }
  if (app.got_subcommand("run"))
    return watched(profiled, [&] {
      return run(file, changes, output, force, progress, device, checkpoint_every, points_at_once,
                 command);
    });
  if (app.got_subcommand("resume"))
    return watched(profiled, [&] {
      return resume(file, changes_arithmetic, from_start, progress, device, checkpoint_every,
                    points_at_once, command);
    });
  if (app.got_subcommand("check")) return check(file, changes, device);
  if (app.got_subcommand("show")) {
    shown.form = as_csv ? ShowForm::csv : as_json ? ShowForm::json : ShowForm::words;
    return show(shown);
  }
  if (app.got_subcommand("export")) return export_spins(chosen);
  if (app.got_subcommand("reweight")) {
    reweighting.command = command;
    return reweight(reweighting);
  }
  if (app.got_subcommand("evaluate")) return evaluate(evaluated, device);
  if (app.got_subcommand("solve")) {
    if (anneals) search.method = ground_states::SearchMethod::annealing;
    const bool is_timed = std::isfinite(search.seconds);
    if (is_timed && anneals && repeats_option->count() == 0) search.repeats = most_repeats;
    search.open_ended = is_timed && !anneals && sweeps_option->count() == 0;
    if (search.open_ended) search.sweeps = most_sweeps;
    if (sample_option->count() > 0) solved.sample = sample;
    if (target_option->count() > 0) search.target = target;
    if (coldest_option->count() > 0) search.coldest = coldest;
    if (hottest_option->count() > 0) search.hottest = hottest;
    solved.command = command;
    return solve(solved);
  }
  if (app.got_subcommand("new")) return start_new(kind, path, force);
  if (app.got_subcommand("explain")) return explain(names);
  if (app.got_subcommand("devices")) return devices();
  return verify(quick, device);
}

}  // namespace larmor::cli
