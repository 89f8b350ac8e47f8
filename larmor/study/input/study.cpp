#include "larmor/study/input/study.hpp"

#include <filesystem>

#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/study/input/scan_values.hpp"
#include "larmor/study/input/study_document.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {
namespace {

/// Adds the keys of StudyHead after the keys of `fields`.
constexpr Index most_replicas = 16777215;

template <class Head>
FieldTable<Head> with_head_fields(FieldTable<Head> fields) {
  return fields
      .optional("replicas", &Head::replicas, Dimension::none,
                "number of independent copies, which are simulated together. If left out, samples "
                "and ladders decide the number")
      .at_least(1)
      .at_most(static_cast<double>(most_replicas))
      .optional("samples", &Head::samples, Dimension::none,
                "number of disorder samples. In order, replicas / samples replicas share each "
                "sample. If left out, each replica has a sample of its own")
      .at_least(1)
      .optional("units", &Head::units, Dimension::none,
                "reduced: k_B = hbar = gamma = mu_B = 1; material: quantities carry units")
      .one_of({"reduced", "material"})
      .optional("constants", &Head::constants, Dimension::none,
                "CODATA year of the constants of material units: 2018 or 2014");
}

/// The keys of a document, sorted by their owner.
struct SharedOut {
  Value own;         ///< the study's keys
  Value model_kind;  ///< the model kind's keys
};

/// @throws InputError for a key that neither the study nor the model kind has
SharedOut share_out(const Value& document, const std::vector<FieldInfo>& own,
                    const ModelKind& model_kind) {
  if (const Value* const scan = document.find(ScanTable::name))
    throw InputError(
        "[[scan]] tables define many studies, but only one study is allowed here", scan->where(),
        "remove the [[scan]] tables, or use `larmor run`, which runs all studies of a scan");
  const std::vector<FieldInfo> of_model_kind = model_kind.keys();
  const auto has = [](const std::vector<FieldInfo>& keys, const std::string& key) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const FieldInfo& known) { return known.key == key; });
  };
  SharedOut shared;
  shared.own.mark(document.source_mark());
  shared.model_kind.mark(document.source_mark());
  for (const Value::Entry& entry : document.as_table()) {
    if (has(own, entry.key)) {
      shared.own.set(entry.key, entry.value, entry.key_mark);
      continue;
    }
    if (!has(of_model_kind, entry.key)) {
      std::vector<std::string> known;
      for (const auto& keys : {of_model_kind, own})
        for (const FieldInfo& key : keys) known.push_back(key.key);
      known.emplace_back(ScanTable::name);
      throw InputError("unknown key '" + entry.key + "'", entry.key_mark.position(),
                       hint_and_list(entry.key, known, "a study may have"));
    }
    shared.model_kind.set(entry.key, entry.value, entry.key_mark);
  }
  return shared;
}

/// The unit system, which must be read before any quantity with a unit.
ReadContext context_of(const Value& document) {
  Value only;
  for (const char* key : {"units", "constants"})
    if (const Value* value = document.find(key)) only.set(key, *value);
  return read<StudyHead>(only, ReadContext::reduced()).context();
}

/// The model kind, which decides which other tables the study may have.
const ModelKind& model_kind_of(const Value& document) {
  ModelTable model;
  if (const Value* table = document.find(ModelTable::name))
    model =
        read_value<ModelTable>(*table, ModelTable::name, Dimension::none, ReadContext::reduced());
  return model_kind(model.kind, model.where.of("kind"));
}

/// The number of replicas of each sample that stages ask for; nothing if no stage asks for a
/// number.
/// @throws InputError if two stages ask for different numbers
std::optional<Index> replicas_of_sample(const Value& stages, const ModelKind& model_kind,
                                        const ReadContext& context) {
  std::optional<Index> asked;
  for (const Value& table : stages.as_array()) {
    const StageType& type = stage_type_of(model_kind, table, context);
    if (!type.replicas_of_sample) continue;
    const std::optional<Index> own = type.replicas_of_sample(table, context);
    if (own && asked && *own != *asked)
      throw InputError("one stage needs " + std::to_string(*asked) +
                           " replicas of each sample, and another stage needs " +
                           std::to_string(*own),
                       table.where(), "set `replicas` at the top of the study");
    if (own) asked = own;
  }
  return asked;
}

/// If a study leaves `replicas` out, adds the number that its samples and ladders need.
void add_replicas(Value& own, const ModelKind& model_kind, const ReadContext& context) {
  const Value* const stages = own.find("stage");
  if (own.find("replicas") != nullptr || stages == nullptr || !stages->is_array()) return;
  const std::optional<Index> of_sample = replicas_of_sample(*stages, model_kind, context);
  Value only;
  if (const Value* const samples = own.find("samples")) only.set("samples", *samples);
  const Index samples = read<StudyHead>(only, context).samples.value_or(1);
  const Index each = of_sample.value_or(1);
  if (each > 0 && samples > most_replicas / each)
    throw InputError("the samples, rungs and copies of the study need more than " +
                         std::to_string(most_replicas) + " replicas",
                     stages->where(), "give fewer samples, or fewer copies of each");
  own.set("replicas", Value(samples * each));
}

}  // namespace

FieldTable<StudyHead> StudyHead::fields() { return with_head_fields(FieldTable<StudyHead>()); }

ReadContext StudyHead::context() const {
  if (constants != 2018 && constants != 2014)
    throw InputError("constants = " + std::to_string(constants) + " is not known",
                     where.of("constants"), "use 2018 or 2014 (CODATA)");
  if (units == "reduced") return ReadContext::reduced();
  return ReadContext::material(constants == 2014 ? codata_2014 : codata_2018);
}

Index StudyHead::replicas_of_sample() const {
  if (!samples) return 1;
  if (replicas % *samples != 0)
    throw InputError("replicas = " + std::to_string(replicas) +
                         " is not a multiple of samples = " + std::to_string(*samples),
                     where.of("samples"), "give each sample the same number of replicas");
  return replicas / *samples;
}

ModelTable::ModelTable() : kind(model_kinds().front()->name()) {}

FieldTable<ModelTable> ModelTable::fields() {
  std::string doc = "model kind, which decides the other tables of the study";
  for (const ModelKind* kind : model_kinds()) doc += "; " + kind->name() + ": " + kind->doc();
  return FieldTable<ModelTable>().optional("kind", &ModelTable::kind, Dimension::none, doc);
}

FieldTable<Study> Study::fields() {
  const FieldTable<Study> head =
      FieldTable<Study>()
          .optional("title", &Study::title, Dimension::none, "one line for readers and plots")
          .optional("seed", &Study::seed, Dimension::none, "seed of all random numbers");
  return with_head_fields(head)
      .optional("model", &Study::model, Dimension::none, ModelTable::doc)
      .optional("device", &Study::device, Dimension::none, DeviceTable::doc)
      .optional("checkpoint", &Study::checkpoint, Dimension::none, CheckpointTable::doc)
      .required("stage", &Study::stage, Dimension::none,
                "steps of the study, in order: [[stage]] tables with a `kind`")
      .not_empty();
}

namespace {

/// @throws InputError for any mistake in the tables of stages
Value::Array completed_stages(const Study& study) {
  Value::Array stages;
  for (const Value& table : study.stage)
    stages.push_back(
        stage_type_of(*study.model_kind, table, study.context).complete(table, study.context));
  return stages;
}

}  // namespace

Study parse_study(const std::string& text, const std::string& file, const std::string& folder) {
  return study_of(io::parse_toml(text, file), text, file, folder);
}

Study study_of(const Value& document, const std::string& text, const std::string& file,
               const std::string& folder) {
  const ModelKind& model_kind = model_kind_of(document);
  const ReadContext context = context_of(document);
  SharedOut shared = share_out(document, describe<Study>(), model_kind);
  add_replicas(shared.own, model_kind, context);
  auto study = read<Study>(shared.own, context);
  study.context = context;
  study.model_kind = &model_kind;
  study.tables = model_kind.read(shared.model_kind,
                                 {context, study.replicas, folder, study.replicas_of_sample()});
  study.folder = folder;
  study.text = text;
  study.file = file;
  completed_stages(study);  // throws
  return study;
}

Study read_study(const std::string& path) {
  const StudyDocument document = read_document(path);
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  return study_of(document.value, document.text, path, folder.string());
}

std::string completed_study(const Study& study) {
  const Value own = complete(study, study.context);
  Value document;
  for (const Value::Entry& entry : own.as_table())
    if (!entry.value.is_table() && entry.key != "stage") document.set(entry.key, entry.value);
  document.set(ModelTable::name, *own.find(ModelTable::name));
  for (const auto& [key, value] : study.tables->completed()) document.set(key, value);
  for (const Value::Entry& entry : own.as_table())
    if (entry.value.is_table()) document.set(entry.key, entry.value);
  document.set("stage", Value(completed_stages(study)));
  return to_toml(document);
}

namespace {

/// Adds the keys of model kinds at the top of a study. If only some kinds have a key, the key lists
/// these kinds.
void add_keys_of_model_kinds(std::vector<FieldInfo>& keys) {
  std::vector<FieldInfo> of_model_kind;
  for (const ModelKind* kind : model_kinds())
    for (FieldInfo& key : kind->keys()) {
      auto known = std::find_if(of_model_kind.begin(), of_model_kind.end(),
                                [&](const FieldInfo& other) { return other.key == key.key; });
      if (known == of_model_kind.end()) known = of_model_kind.insert(known, std::move(key));
      known->kinds.push_back(kind->name());
    }
  for (FieldInfo& key : of_model_kind) {
    if (key.kinds.size() == model_kinds().size()) key.kinds.clear();
    keys.push_back(std::move(key));
  }
}

}  // namespace

std::vector<TableInfo> describe_study() {
  std::vector<TableInfo> tables;
  tables.push_back({"study", "the top of a study", describe<Study>()});
  add_keys_of_model_kinds(tables.back().keys);
  // The tables of stages are described only by their key `kind`.
  for (FieldInfo& key : tables.back().keys)
    if (key.key == "stage") key.children = {describe_stage_kind()};
  const auto add = [&](auto* type) {
    using Table = std::remove_pointer_t<decltype(type)>;
    tables.push_back(table_info<Table>());
  };
  add(static_cast<ModelTable*>(nullptr));
  add(static_cast<DeviceTable*>(nullptr));
  for (const ModelKind* kind : model_kinds())
    for (TableInfo& table : kind->tables()) add_table(std::move(table), kind->name(), tables);
  add(static_cast<CheckpointTable*>(nullptr));
  add(static_cast<ScanTable*>(nullptr));
  for (const TableInfo& stage : describe_stages()) tables.push_back(stage);
  return tables;
}

}  // namespace larmor::study
