#pragma once
// Samples of a stage, which go into the results as rows while the stage runs: series/NAME. Memory
// has rows that are not in the results yet, and all rows of a point while they are few.

#include <optional>
#include <string>
#include <vector>

#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// The times of the samples of a series.
struct SampleTimes {
  std::vector<double> steps;
  std::optional<Index> point;  ///< point of the stage; nothing: the stage has no points
  std::vector<double> times;   ///< for a stage without points
  std::string time_unit;
};

/// Appends series/NAME/{value, step}, and time for a stage without points, or else point.
/// @param row shape of a sample: replicas, and the numbers of each
void append_series(ResultsGroup& results, const std::string& name, std::vector<double> values,
                   const std::vector<Index>& row, const std::string& unit, const SampleTimes& when);

class StoredSamples {
 public:
  /// A number, a vector or a ratio of every replica.
  struct Column {
    std::string name;  ///< name of its series
    std::string unit;
    Index components = 1;
    bool is_ratio = false;  ///< if it is, `parts` in the results has both components
  };

  /// The limit for the samples of all measurements of a stage. Beyond it, memory keeps only the
  /// samples that the results do not have.
  static constexpr double most_bytes = 16 << 20;

  /// Begins with no samples. @param ranks outlives this @param time_unit for stages without points
  void begin(std::vector<Column> columns, const Ranks& ranks, std::string time_unit);
  /// Notes the time of a sample whose values follow by `add`.
  void announce(double step, double time);
  /// @param values those of one column, [replica][component], in the order of the samples
  void add(std::size_t column, const double* values, std::size_t count);

  /// Bytes of samples in memory, including announced ones. Equal on all ranks.
  double bytes() const;
  /// Appends the samples that the results do not have. A collective operation, when all announced
  /// samples have their values.
  void store(const std::optional<Index>& point, ResultsGroup& results);
  /// After `store`: frees the samples that the results have.
  void free_stored();

  /// BITS: all samples of the point, with equal bits whether memory held them or the results. A
  /// collective operation after `store`. @return [sample][replica][component], of all replicas;
  /// complete on the root
  std::vector<double> all(std::size_t column, const ResultsGroup& results) const;
  /// Begins the next point.
  void clear();

  /// After `store`. Saves the number of samples, but no sample.
  void save(StageMemory& memory) const;
  void load(const StageMemory& memory);

 private:
  Index held() const { return std::ssize(steps_); }

  std::vector<Column> columns_;
  const Ranks* ranks_ = nullptr;  ///< set by `begin`
  std::string time_unit_;
  std::vector<std::vector<double>> values_;  ///< one for each column, [sample][replica][component]
  std::vector<double> steps_, times_;        ///< times of the samples in memory
  Index stored_ = 0;                         ///< number of samples of the point in the results
  Index left_ = 0;  ///< number of samples, from the first of the point, that memory no longer has
};

}  // namespace larmor::study
