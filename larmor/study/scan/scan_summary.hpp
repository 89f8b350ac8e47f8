#pragma once
// Collects the results of all points as grids of the scan's shape, so that M(H, T) can be drawn
// from one dataset. A stage of several temperatures or fields adds its own axis, the last.

#include <map>
#include <string>
#include <vector>

#include "larmor/io/results/results_file.hpp"
#include "larmor/study/scan/scan.hpp"

namespace larmor::study {

class ScanSummary {
 public:
  explicit ScanSummary(const Scan& scan);

  /// Adds the results of the stages of a point.
  void add(Index point, const io::ResultsReader& results);
  /// Writes, with NaN for missing values:
  ///   /scan/summary/STAGE/NAME/{value, error, autocorrelation_time, reliable} (shape [, P])
  ///   /scan/stages/STAGE/{temperature | field | kappa} (shape [, P])
  ///   /scan/stages/STAGE/binder_crossings, see `write_crossings`
  void write(io::ResultsFile& results) const;

 private:
  using Rows = std::vector<std::vector<double>>;  ///< [points][P of the stage there]
  struct Quantity {
    Rows value, error, autocorrelation_time, reliable;
    std::string unit;
  };
  struct StageSummary {
    std::map<std::string, Quantity> quantities;
    std::string points_name;  ///< "temperature", "field" or "kappa"; empty: the stage has no points
    std::string points_unit;
    Rows points;
  };
  /// Two lattices whose Binder cumulants cross, by their indices on the axes of the scan; -1 on an
  /// axis of temperatures.
  struct Crossing {
    std::vector<Index> first, second;
    double temperature, error;
  };

  void add_stage(std::size_t point, const std::string& name, const io::ResultsReader& results);
  Quantity& quantity(StageSummary& stage, const std::string& name, const std::string& unit);
  void write_rows(io::ResultsFile& results, const std::string& path, const Rows& rows,
                  const std::string& unit) const;
  std::vector<Crossing> crossings(const std::string& stage, const StageSummary& summary) const;
  /// binder_crossings/{first, second [n, A], value, error [n]}
  void write_crossings(io::ResultsFile& results, const std::string& stage,
                       const StageSummary& summary) const;

  std::vector<Index> shape_;
  std::vector<std::vector<Index>> indices_;     ///< [points][axes]
  std::vector<std::vector<std::string>> keys_;  ///< keys of each axis
  std::vector<Index> cells_;                    ///< [points] cells of the lattice; 0: not known
                                                ///< (yet)
  std::map<std::string, StageSummary> stages_;
};

}  // namespace larmor::study
