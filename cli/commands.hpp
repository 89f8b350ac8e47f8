#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/ground_states/search.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::cli {

/// Parses the command line and runs the command. @return exit code
int run_command(int argc, char** argv);

/// Replaces this process by larmor-bench from the same folder.
/// @param words command line; its first word `bench` is replaced by the name of that program
/// @throws MachineError if it does not start
[[noreturn]] void become_bench(char** words);

/// @param changes changes of keys of the study, as for study::with_changes
int run(const std::string& study, const std::vector<std::string>& changes,
        const std::string& output, bool force, const std::string& progress,
        const study::DeviceOverrides& device, double checkpoint_every, int points_at_once,
        const std::string& command);
/// @param changes_arithmetic see study::RunOptions
int resume(const std::string& results, bool changes_arithmetic, bool from_start,
           const std::string& progress, const study::DeviceOverrides& device,
           double checkpoint_every, int points_at_once, const std::string& command);
int check(const std::string& study, const std::vector<std::string>& changes,
          const study::DeviceOverrides& device);

enum class ShowForm { words, csv, json };
struct ShowOptions {
  std::string results;
  Index point = -1;  ///< point of a scan; -1: the whole scan
  bool all = false;  ///< also rows that tables omit for brevity
  ShowForm form = ShowForm::words;
};
int show(const ShowOptions& options);

struct ExportOptions {
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
};
int export_spins(const ExportOptions& options);

struct ReweightRequest {
  std::vector<std::string> files;
  std::string temperatures;  ///< "2.2:2.4:41"; empty: from the lowest sampled to the highest
  std::string kappa;         ///< a range like `temperatures`, for fields that have no temperature
  std::string output;        ///< empty: in the folder of the first file
  std::vector<std::string> observables;
  std::string order = "magnetisation";
  Index stage = 0;  ///< from 1; 0: the last stage with series
  Index draws = 200;
  std::uint64_t seed = 1;
  Index threads = 0;
  bool force = false;
  std::string command;
};
int reweight(const ReweightRequest& request);

struct EvaluateOptions {
  std::string structures;
  std::string snap;                   ///< prefix of .snapcoeff and .snapparam
  std::string potential;              ///< alternative to `snap`: an include file of LAMMPS
  std::vector<double> zbl;            ///< inner and outer radius; empty: none
  std::vector<std::string> elements;  ///< elements of the types in a LAMMPS data file
  std::string output;                 ///< empty: in the folder of the structures
  std::string progress = "auto";
  bool bispectrum = false;
  bool force = false;
};
int evaluate(const EvaluateOptions& options, const study::DeviceOverrides& device);

struct SolveOptions {
  std::string problem;
  std::string format;           ///< a name from io::problem_format_names(); empty: detected
  bool ferromagnetic = false;   ///< see io::ProblemFile
  std::optional<Index> sample;  ///< sample of a study
  bool maximise = false;        ///< `search.target` is then a lower limit
  std::string output;           ///< empty: in the folder of the problem
  ground_states::SearchSettings search;
  bool certify = false;
  std::string backend = "auto";  ///< backend of the certificate
  std::string progress = "auto";
  Index threads = 0;
  bool force = false;
  std::string command;
};
int solve(const SolveOptions& options);

/// @param kind empty: prints a list of the kinds
int start_new(const std::string& kind, const std::string& path, bool force);
int explain(const std::vector<std::string>& names);
int devices();
int verify(bool quick, const study::DeviceOverrides& device);

}  // namespace larmor::cli
