#pragma once
// A study as read: how it runs, the tables of its model kind, and its stages as tables.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/study/input/run_tables.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

/// The keys that must be read before any quantity with a unit.
struct StudyHead {
  static constexpr const char* name = "";
  Index replicas = 1;
  std::optional<Index> samples;  ///< number of disorder samples; nothing: each replica has one
  std::string units = "reduced";
  Index constants = 2018;
  TablePosition where;

  static FieldTable<StudyHead> fields();
  /// @throws InputError for constants of another year
  ReadContext context() const;
  /// The number of consecutive replicas that share a disorder sample.
  /// @throws InputError if `replicas` is not a multiple of `samples`
  Index replicas_of_sample() const;
};

/// The table [model].
struct ModelTable {
  static constexpr const char* name = "model";
  static constexpr const char* doc = "the system that is simulated";
  std::string kind;  ///< the default kind if left out
  TablePosition where;

  ModelTable();
  static FieldTable<ModelTable> fields();
};

struct Study : StudyHead {
  std::string title;
  std::uint64_t seed = 1;
  ModelTable model;
  DeviceTable device;
  CheckpointTable checkpoint;
  std::vector<Value> stage;

  ReadContext context;
  const ModelKind* model_kind = nullptr;
  std::shared_ptr<const ModelTables> tables;  ///< the tables that the model kind reads
  std::string folder;                         ///< folder of the files that the study names
  std::string text;                           ///< as read
  std::string file;                           ///< as named by the user

  /// All keys except those of the model kind.
  static FieldTable<Study> fields();
};

/// @throws InputError with the position of the first mistake, and for [[scan]] tables, which define
/// many studies (study/scan/scan.hpp)
Study parse_study(const std::string& text, const std::string& file, const std::string& folder);
Study read_study(const std::string& path);
/// The study of a document that was read from `text`.
Study study_of(const Value& document, const std::string& text, const std::string& file,
               const std::string& folder);

/// The study with every default written out, as TOML.
std::string completed_study(const Study& study);

/// Every table that a study may have, with stages by their kind.
std::vector<TableInfo> describe_study();

}  // namespace larmor::study
