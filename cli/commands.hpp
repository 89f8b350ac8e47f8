#pragma once
// The commands of the larmor program.

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/ground_states/search.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::cli {

/// Parses the command line and runs the command. @return exit code
int run_command(int argc, char** argv);

/// Becomes the program larmor-bench, which lies beside this one.
/// @param words of its command line; in place of the first, `bench`, comes its own name
/// @throws MachineError where it cannot
[[noreturn]] void become_bench(char** words);

/// @param changes of keys of the study, as study::with_changes takes them
int run(const std::string& study, const std::vector<std::string>& changes,
        const std::string& output, bool force, const std::string& progress,
        const study::DeviceOverrides& device, double checkpoint_every, int points_at_once,
        const std::string& command);
/// @param changes_arithmetic as study::RunOptions has it
int resume(const std::string& results, bool changes_arithmetic, bool from_start,
           const std::string& progress, const study::DeviceOverrides& device,
           double checkpoint_every, int points_at_once, const std::string& command);
int check(const std::string& study, const std::vector<std::string>& changes,
          const study::DeviceOverrides& device);

enum class ShowForm { words, csv, json };
struct ShowOptions {
  std::string results;
  Index point = -1;  ///< of a scan; -1: all of it
  bool all = false;  ///< also what tables leave out to be short
  ShowForm form = ShowForm::words;
};
int show(const ShowOptions& options);

struct ExportOptions {
  std::string results;
  int stage = 0;  ///< from 1; 0: the last one that has what is asked for
  Index replica = 0;
  Index point = -1;    ///< of a scan; -1: none was
  std::string frame;   ///< of the trajectory: a number, "last" or "all"; empty: final configuration
  std::string format;  ///< "extxyz", "ovf" or "ovf-text"; empty: by the ending of the output
  std::string output;  ///< empty: beside the results
  bool moments = false;
  bool force = false;
};
int export_spins(const ExportOptions& options);

struct ReweightRequest {
  std::vector<std::string> files;
  std::string temperatures;  ///< "2.2:2.4:41"; empty: from the lowest sampled to the highest
  std::string kappa;         ///< likewise, of fields that have no temperature
  std::string output;        ///< empty: beside the first file
  std::vector<std::string> observables;
  std::string order = "magnetisation";
  Index stage = 0;  ///< from 1; 0: the last one that has series
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
  std::string potential;              ///< or an include file of LAMMPS
  std::vector<double> zbl;            ///< inner and outer radius; empty: none
  std::vector<std::string> elements;  ///< of the types of a LAMMPS data file
  std::string output;                 ///< empty: beside the structures
  std::string progress = "auto";
  bool bispectrum = false;
  bool force = false;
};
int evaluate(const EvaluateOptions& options, const study::DeviceOverrides& device);

struct SolveOptions {
  std::string problem;
  std::string format;           ///< a name of io::problem_format_names(); empty: found out
  bool ferromagnetic = false;   ///< see io::ProblemFile
  std::optional<Index> sample;  ///< of a study
  bool maximise = false;        ///< `search.target` is then a least value
  std::string output;           ///< empty: beside the problem
  ground_states::SearchSettings search;
  bool certify = false;
  std::string backend = "auto";  ///< of the certificate
  std::string progress = "auto";
  Index threads = 0;
  bool force = false;
  std::string command;
};
int solve(const SolveOptions& options);

/// @param kind empty: lists the kinds
int start_new(const std::string& kind, const std::string& path, bool force);
int explain(const std::vector<std::string>& names);
int devices();
int verify(bool quick, const study::DeviceOverrides& device);

}  // namespace larmor::cli
