#pragma once
// FORMAT: the results file of a scan. HDF5 files have one writer, so every point writes a file of
// its own, in a folder beside the results, while it runs; those that are done are taken into the
// results by the root, one group a point, and removed.

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
/// For a study that replaces results: tells of the folder, if there is one.
std::string note_of_left_points(const std::string& results);
/// The same once it is done: "/points/0003".
std::string point_group(Index point);
/// FORMAT: the attribute of /provenance of a point that holds the identifier of its scan.
constexpr const char* scan_attribute = "scan";

/// @throws InputError where there is a file of a point that is not of the scan with this identifier
void require_point_of(std::uint64_t scan, const std::string& file);

class ScanResults {
 public:
  /// A new file, and the folder for the points; those of a scan that is replaced are removed.
  /// @param work updates of each point
  /// @throws InputError where there is one already that is not to be replaced, or a file that no
  ///         scan wrote has the name of a point
  static ScanResults create(const Scan& scan, const std::vector<double>& work,
                            const RunOptions& options);
  /// To go on with: points that were done when the run ended are taken in first.
  /// @throws InputError where a file that the study names has changed, the folder of the points is
  ///         lost, or a point in it is another scan's
  static ScanResults open(const Scan& scan, const RunOptions& options);

  /// Spin updates of each point.
  const std::vector<double>& work() const { return work_; }
  /// Points that are not done, in the order in which they should be begun: those that have begun
  /// already, then the dearest.
  std::vector<Index> to_do() const;
  Index done() const;
  double work_done() const;

  /// Points that are done and have a file of their own.
  void add(const std::vector<Index>& points);
  /// Takes those in, if they are worth it: the file is written anew each time.
  void take_in_if_due();
  void take_in();
  /// All points are there. @return a note of files in the folder that are not the scan's; or empty
  std::string complete();

 private:
  ScanResults(const Scan& scan, std::string output, io::ResultsFile file);
  void write_beginning(const RunOptions& options);
  void begin_leg(const RunOptions& options);
  void write_axes();
  void write_points();
  bool is_begun(Index point) const;
  /// A model that another point has written already.
  io::Links links_of(Index point);

  const Scan* scan_;
  std::string output_;
  io::ResultsFile file_;
  std::uint64_t run_ = 0;  ///< identifier of the scan
  ScanSummary summary_;
  std::string leg_;  ///< this run's place in the provenance
  std::vector<double> work_;
  std::vector<bool> done_;                 ///< by point: taken in, or waiting to be
  std::vector<std::int64_t> rank_;         ///< by point: that ran it; -1: none has yet
  std::vector<double> seconds_;            ///< by point
  std::vector<Index> waiting_;             ///< done, with a file of their own
  std::map<std::string, Index> model_of_;  ///< point whose model is in the file, by system text
  double last_taken_in_ = 0;               ///< when, seconds of the steady clock
  double cost_ = 0;                        ///< seconds it took
};

}  // namespace larmor::study
