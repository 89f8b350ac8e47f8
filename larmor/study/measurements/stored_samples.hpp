#pragma once
// Samples of a stage, which go into the results as rows while the stage runs: series/NAME. Memory
// has those that are not there yet, and all of a point while they are few.

#include <optional>
#include <string>
#include <vector>

#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// When the samples of a series were taken.
struct SampledAt {
  std::vector<double> steps;
  std::optional<Index> point;  ///< of the stage; nothing: it has none
  std::vector<double> times;   ///< of a stage without points
  std::string time_unit;
};

/// Appends series/NAME/{value, step} and time or, of a stage with points, point.
/// @param row of a sample: replicas, and what each has
void append_series(ResultsGroup& results, const std::string& name, std::vector<double> values,
                   const std::vector<Index>& row, const std::string& unit, const SampledAt& when);

class StoredSamples {
 public:
  /// A number, a vector or a ratio of every replica.
  struct Column {
    std::string name;  ///< of its series
    std::string unit;
    Index components = 1;
    bool is_ratio = false;  ///< of its two components; these have a dataset of their own
  };

  /// Samples in memory beyond so many bytes, of all that a stage measures, are left to the file.
  static constexpr double most_bytes = 16 << 20;

  /// Forgets what it has. @param ranks outlives this @param time_unit of stages without points
  void begin(std::vector<Column> columns, const Ranks& ranks, std::string time_unit);
  /// Takes note of a sample whose values come later, by `add`.
  void announce(double step, double time);
  /// @param values of a column, [replica][component], in the order of the samples
  void add(std::size_t column, const double* values, std::size_t count);

  /// Of samples in memory, those that were announced included. The same on all ranks.
  double bytes() const;
  /// Appends what the results do not have. All ranks come together, when each sample that was
  /// announced has its values.
  void store(const std::optional<Index>& point, ResultsGroup& results);
  /// After `store`: leaves the samples so far to the results.
  void make_room();

  /// BITS: all samples of the point, as if they had never left memory. After `store`; all ranks
  /// come together. @return [sample][replica][component], of all replicas; complete on the root
  std::vector<double> all(std::size_t column, const ResultsGroup& results) const;
  /// The next point begins.
  void clear();

  /// After `store`. Names a number of samples, none of them.
  void save(StageMemory& memory) const;
  void load(const StageMemory& memory);

 private:
  Index held() const { return std::ssize(steps_); }

  std::vector<Column> columns_;
  const Ranks* ranks_ = nullptr;  ///< since `begin`
  std::string time_unit_;
  std::vector<std::vector<double>> values_;  ///< of each column, [sample][replica][component]
  std::vector<double> steps_, times_;        ///< of the samples in memory
  Index stored_ = 0;                         ///< samples of the point that results have
  Index left_ = 0;                           ///< of these, the first, which memory has no more
};

}  // namespace larmor::study
