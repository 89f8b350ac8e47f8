#pragma once
// A study as read: how it runs, the tables of its model kind, and the stages still as tables.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/study/input/run_tables.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

/// What has to be known before anything with a unit is read.
struct StudyHead {
  static constexpr const char* name = "";
  Index replicas = 1;
  std::optional<Index> samples;  ///< of frozen disorder; nothing: each replica has its own
  std::string units = "reduced";
  Index constants = 2018;
  TablePosition where;

  static FieldTable<StudyHead> fields();
  /// @throws InputError for constants of another year
  ReadContext context() const;
  /// Replicas side by side that have the same sample of disorder.
  /// @throws InputError where samples do not share out the replicas
  Index replicas_of_sample() const;
};

/// What the study is about.
struct ModelTable {
  static constexpr const char* name = "model";
  static constexpr const char* doc = "what the study is about";
  std::string kind;  ///< the usual one if left out
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
  const ModelKind* matter = nullptr;
  std::shared_ptr<const ModelTables> tables;  ///< those that the model kind reads
  std::string folder;                         ///< where the files that it names are looked for
  std::string text;                           ///< as read
  std::string file;                           ///< as named by the user

  /// All keys but those of the model kind.
  static FieldTable<Study> fields();
};

/// @throws InputError with the position of the first mistake, and for [[scan]] tables, which make
/// many studies of one: see study/scan/scan.hpp
Study parse_study(const std::string& text, const std::string& file, const std::string& folder);
Study read_study(const std::string& path);
/// The study of a document that `text` would be read as.
Study study_of(const Value& document, const std::string& text, const std::string& file,
               const std::string& folder);

/// The study with every default written out, as TOML.
std::string completed_study(const Study& study);

/// Every table a study may hold, stages by their kind.
std::vector<TableInfo> describe_study();

}  // namespace larmor::study
