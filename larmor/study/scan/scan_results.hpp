#pragma once
// FORMAT: the results file of a scan. An HDF5 file has one writer. So every point writes its own
// file while it runs, in a folder next to the results. The root moves finished points into the
// results, one group for each point.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "larmor/io/results/results_file.hpp"
#include "larmor/study/run/run.hpp"
#include "larmor/study/scan/scan.hpp"
#include "larmor/study/scan/scan_summary.hpp"

namespace larmor::study {

/// "results.h5" -> "results.h5.points", a folder.
std::string points_folder(const std::string& results);
/// The results of a point while it runs: "results.h5.points/0003.h5".
std::string point_file(const std::string& results, Index point);
/// For a study that replaces results: a note about the folder of points, if this folder exists.
std::string note_of_left_points(const std::string& results);
/// The group of a point after it is done: "/points/0003".
std::string point_group(Index point);
/// FORMAT: the attribute of /provenance of a point that holds the identifier of its scan.
constexpr const char* scan_attribute = "scan";

/// @throws InputError if the file of a point exists and is not of the scan with this identifier
void require_point_of(std::uint64_t scan, const std::string& file);

class ScanResults {
 public:
  /// Makes a new file, and the folder for the points. Points of a replaced scan are removed.
  /// @param work updates of each point
  /// @throws InputError if the file exists and is not to be replaced, or if a file that no scan
  /// wrote has the name of a point
  static ScanResults create(const Scan& scan, const std::vector<double>& work,
                            const RunOptions& options);
  /// Opens results to go on. Points that were done when the run ended are moved in first.
  /// @throws InputError if a file that the study names has changed, if the folder of the points is
  ///         lost, or if a point in it is of another scan
  static ScanResults open(const Scan& scan, const RunOptions& options);

  /// Updates of each point.
  const std::vector<double>& work() const { return work_; }
  /// Points that are not done, in the order in which to run them: first those that have begun, then
  /// the others from the most to the least expensive.
  std::vector<Index> unfinished() const;
  Index done() const;
  double work_done() const;

  /// Adds points that are done and have files of their own.
  void add(const std::vector<Index>& points);
  /// Moves waiting points into the file if enough points wait, because each move rewrites the file.
  void copy_in_if_due();
  void copy_in();
  /// Ends the scan. @return a note about files in the folder that are not of the scan; or empty
  std::string complete();

 private:
  ScanResults(const Scan& scan, std::string output, io::ResultsFile file);
  void write_beginning(const RunOptions& options);
  void begin_leg(const RunOptions& options);
  void write_axes();
  void write_points();
  bool is_begun(Index point) const;
  /// Links to the model of another point, if that model is already in the file.
  io::Links links_of(Index point);

  const Scan* scan_;
  std::string output_;
  io::ResultsFile file_;
  std::uint64_t run_ = 0;  ///< identifier of the scan
  ScanSummary summary_;
  std::string leg_;  ///< group of this run in the provenance
  std::vector<double> work_;
  std::vector<bool> done_;                 ///< by point: in the results, or waiting
  std::vector<std::int64_t> rank_;         ///< by point: the rank that ran it; -1: none yet
  std::vector<double> seconds_;            ///< by point
  std::vector<Index> waiting_;             ///< points that are done and have files of their own
  std::map<std::string, Index> model_of_;  ///< point whose model is in the file, by system text
  double last_copy_ = 0;                   ///< time of the last move, seconds of the steady clock
  double cost_ = 0;                        ///< seconds of the last move
};

}  // namespace larmor::study
