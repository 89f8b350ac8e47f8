#pragma once
// The interface of a model kind, such as vector spins. A model kind reads its own tables, lists its
// stages, and makes the system on which they act. All else of a run (blocks, checkpoints, ranks,
// scans, results) does not depend on the kind.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/input/fields.hpp"
#include "larmor/core/types.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/io/results/checkpoint.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/io/results/results_reader.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/study/model_kind/live_arrays.hpp"
#include "larmor/study/model_kind/ranks.hpp"

namespace larmor::study {

struct Measured {
  double value;
  double error;  ///< standard error, or the tolerance of a deterministic result
};

/// An exactly known result that `larmor verify` measures, with the way to measure it on a device.
/// A new result is a new entry of a list.
struct ExactResult {
  std::string name;
  double exact;
  bool statistical;  ///< is the result measured by sampling?
  /// @param samples number of samples of a statistical result
  std::function<Measured(const Device&, Index samples)> measure;
};

/// A number that a stage found in addition to its averages: a barrier, a gap. A stage of several
/// temperatures may have numbers of one name, one for each temperature, in their order.
struct StageNumber {
  std::string name, unit;
  double value, error;  ///< NaN if unknown
};

/// The numbers of the stage at `path` of the results; empty for kinds of stage without any.
std::vector<StageNumber> stage_numbers(const io::ResultsReader& results, const std::string& path);

struct Study;
class Stage;

/// The properties of a system that are known before its state is made.
struct SystemSize {
  Index sites = 0;
  Index movable = 0;  ///< sites that updates visit
  /// The positions of the sites; null if sites have no positions.
  const lattice::Geometry* geometry = nullptr;
  double configuration_bytes = 0;  ///< bytes of one replica, as System::configurations gives it
};

/// Bytes of a system, without the needs of stages.
struct SystemBytes {
  double state = 0;   ///< all replicas, on the device
  double device = 0;  ///< further bytes on the device
  double host = 0;    ///< on the host, during construction and for files
  double saved = 0;   ///< all replicas, as System::save gives them
};

using io::Blocks;

/// @throws MachineError if the checkpoint lacks the block or holds another type
template <class T>
const std::vector<T>& block(const Blocks& blocks, const std::string& name);

/// The lattice, Hamiltonian and state on which stages act. A system cannot be moved.
class System {
 public:
  explicit System(const Device& chosen) : device(chosen) {}
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

  virtual SystemSize size() const = 0;
  /// Do replicas differ by their own quenched disorder?
  virtual bool replicas_differ() const { return false; }
  /// The rungs of a ladder of couplings: replica r is at rung r % rungs, and averages are per rung.
  virtual Index rungs() const { return 1; }
  /// Sets the state of every replica to that at the beginning of the study. @throws InputError
  virtual void begin(const Study& study) = 0;
  /// The state of all replicas, joined on the root. A collective operation of all ranks.
  virtual Blocks save(const Ranks& ranks) const = 0;
  virtual void load(const Blocks& blocks, const Ranks& ranks) = 0;
  /// The number of replicas that the block of `save` interleaves, one value of each in turn. 1: the
  /// values of a replica are contiguous. 0: the block does not hold values of replicas.
  virtual Index saved_side_by_side(const std::string& block) const {
    static_cast<void>(block);
    return 1;
  }
  /// @throws UnphysicalError that names a number of the state that is not finite
  virtual void require_finite() const = 0;

  /// States of the first replicas in canonical order of sites, (count, sites, ...), on the root. A
  /// collective operation of all ranks. @param count at most the study's replicas
  virtual io::DataArray configurations(Index count, const Ranks& ranks) const = 0;
  /// Writes the group /model.
  virtual void write_model(const Study& study, io::ResultsFile& results) const = 0;
  /// The lines that `check` prints about the system.
  virtual std::vector<std::string> plan(const Study& study) const = 0;
  /// Advice to the user.
  virtual std::vector<std::string> advice() const { return {}; }
  /// The line of `check` about the kernels of the system on a GPU; empty: none.
  virtual std::string kernel_advice() const { return ""; }

  /// Bytes of the tables of the system on the device.
  virtual double table_bytes() const { return 0; }
  /// Bytes of the tables that kernels will add. @param read do stages read tables of neighbours?
  virtual double table_bytes_to_come(bool read) const {
    static_cast<void>(read);
    return 0;
  }
  /// The share of `table_bytes` on the host that the forecast of a GPU counts.
  virtual double table_bytes_elsewhere() const { return 0; }

  /// The arrays that programs may ask for while the system runs, on one rank.
  virtual std::vector<LiveArray> live_arrays() const { return {}; }
  /// One of `live_arrays`, computed or copied, in canonical order.
  virtual io::DataArray live_array(const std::string& name);
  /// One of `live_arrays` that are held, in the order of the system. It stays valid as long as the
  /// system. Other threads may read it after `synchronise`.
  virtual MemoryView live_view(const std::string& name);
  /// Canonical site of each site of a view; empty: views are in canonical order.
  virtual std::vector<std::int32_t> order_of_views() const { return {}; }
  /// Replaces one of `live_arrays` that can be set. @param values in the order of `live_array`
  /// @throws InputError for values that are not a state of the system
  virtual void set_live_array(const std::string& name, std::span<const double> values);

  /// Called before all else, on all ranks, if ranks share the sites of the system. @throws
  /// MachineError
  virtual void connect() {}
  /// How ranks that share the sites exchange data; empty if they do not share sites.
  virtual std::string exchange_text() const { return ""; }

  Device device;
  UpdateCounter step;  ///< the step of the system, which checkpoints keep
};

/// The options with which a system is made.
struct SystemChoice {
  Device device;
  ReplicaShare replicas;        ///< of this process
  const Communicator* sharing;  ///< the ranks that share the sites; null if this rank has all sites
  bool takes_derivatives = false;  ///< do stages read neighbours that no bond may reach?
};

/// A system with known sites, without a state.
class Blueprint {
 public:
  virtual ~Blueprint() = default;
  virtual SystemSize size() const = 0;
  /// @param replicas those of this process
  /// @param copies number of states whose energies stages compute at a time
  /// @throws InputError as `make`
  virtual SystemBytes bytes(const Device& device, Index replicas, Index copies) const = 0;
  /// @throws InputError for a contradiction in the tables, MachineError if memory is short
  virtual std::unique_ptr<System> make(const SystemChoice& choice) const = 0;
};

/// The tables of a study that its model kind reads.
class ModelTables {
 public:
  virtual ~ModelTables() = default;
  /// All tables with their defaults written out, by their keys at the top of a study.
  virtual std::vector<std::pair<std::string, Value>> completed() const = 0;
  /// Paths of the files that the tables name.
  virtual std::vector<std::string> files() const = 0;
  /// The tables must outlive the blueprint. @throws InputError for wrong sizes, cells or files
  virtual std::unique_ptr<Blueprint> blueprint() const = 0;
};

/// The values that are read before the tables of a model kind.
struct ModelContext {
  ReadContext read;
  Index replicas = 1;
  std::string folder;            ///< folder of the files that tables name
  Index replicas_of_sample = 1;  ///< consecutive replicas that share a disorder sample
};

/// A table as `explain` describes it.
struct TableInfo {
  std::string name;
  std::string doc;
  std::vector<FieldInfo> keys;
  std::vector<std::string> model_kinds = {};  ///< those with this table; empty: all studies
  bool needs_model_kind = false;  ///< does another kind have a different table of this name?

  /// Text with the first model kind, to follow the name in messages; empty if the name suffices.
  std::string model_kind_text() const {
    return needs_model_kind ? " (of kind \"" + model_kinds.front() + "\")" : "";
  }
  std::string full_name() const { return name + model_kind_text(); }
};

template <class Table>
TableInfo table_info() {
  return {Table::name, Table::doc, describe<Table>()};
}

/// Adds a table of a model kind. If another kind has an equal table, that one also gets this kind.
/// Tables that share a name and differ are named with their kinds.
void add_table(TableInfo table, const std::string& model_kind, std::vector<TableInfo>& tables);

/// A kind of stage that a model kind has.
struct StageType {
  std::string name;
  std::function<TableInfo()> describe;
  /// @throws InputError for any mistake in the table of the stage
  std::function<std::unique_ptr<Stage>(const Value& table, const ReadContext& context)> make;
  /// The table of the stage with every default. @throws InputError as `make`
  std::function<Value(const Value& table, const ReadContext& context)> complete;
  /// The number of replicas of each sample that the table asks for. Empty, or a result of nothing:
  /// any number.
  std::function<std::optional<Index>(const Value& table, const ReadContext& context)>
      replicas_of_sample = {};
  /// The function that `stage_numbers` calls; empty if the stage has no such numbers.
  std::function<std::vector<StageNumber>(const io::ResultsReader& results, const std::string& path)>
      numbers = {};
};

template <class Type>
StageType stage_type() {
  using Table = typename Type::Table;
  StageType type{Table::name, table_info<Table>,
                 [](const Value& table, const ReadContext& context) -> std::unique_ptr<Stage> {
                   return std::make_unique<Type>(larmor::read<Table>(table, context), context);
                 },
                 [](const Value& table, const ReadContext& context) {
                   return Type(larmor::read<Table>(table, context), context).completed();
                 }};
  if constexpr (requires { &Type::replicas_of_sample; })
    type.replicas_of_sample = [](const Value& table, const ReadContext& context) {
      return Type::replicas_of_sample(larmor::read<Table>(table, context), context);
    };
  if constexpr (requires { &Type::numbers; }) type.numbers = &Type::numbers;
  return type;
}

class ModelKind {
 public:
  virtual ~ModelKind() = default;
  /// The name, as the key `kind` of the table [model] gives it.
  virtual std::string name() const = 0;
  virtual std::string doc() const = 0;
  /// Name of the updates that are counted in rates: "spin updates".
  virtual std::string update_name() const = 0;
  /// Name of the elements of the state: "spins".
  virtual std::string state_name() const = 0;
  /// The keys of this model kind at the top of a study.
  virtual std::vector<FieldInfo> keys() const = 0;
  /// The tables of this model kind, for `explain`.
  virtual std::vector<TableInfo> tables() const = 0;
  virtual const std::vector<StageType>& stages() const = 0;
  /// Can several ranks share the sites of a replica?
  virtual bool shares_sites() const { return false; }
  /// @param document the keys of a study that belong to this model kind
  /// @throws InputError at the first mistake
  virtual std::shared_ptr<const ModelTables> read(const Value& document,
                                                  const ModelContext& context) const = 0;
  /// The results that `larmor verify` compares.
  virtual std::vector<ExactResult> exact_results() const { return {}; }
};

/// The model kinds of the program, the default first; study/models/models.cpp lists them.
std::vector<const ModelKind*> program_model_kinds();
/// All model kinds, the default first.
const std::vector<const ModelKind*>& model_kinds();
/// Adds a model kind of another program. @param kind outlives all studies
void add_model_kind(const ModelKind& kind);
/// @throws InputError that names the known kinds
const ModelKind& model_kind(const std::string& name, const SourcePosition& where);

/// Tables with every default, key by key, as ModelTables::completed gives them.
template <class Tables>
std::vector<std::pair<std::string, Value>> completed_entries(const Tables& tables,
                                                             const ReadContext& context) {
  std::vector<std::pair<std::string, Value>> entries;
  const Value whole = complete(tables, context);
  for (const Value::Entry& entry : whole.as_table()) entries.emplace_back(entry.key, entry.value);
  return entries;
}

/// The type of stage that a table asks for. @throws InputError for a missing or unknown kind
const StageType& stage_type_of(const ModelKind& model_kind, const Value& table,
                               const ReadContext& context);

/// The key that names the kind of a stage.
FieldInfo describe_stage_kind();

/// Kind, doc and keys of every stage, once for each model kind that has a different one.
std::vector<TableInfo> describe_stages();

}  // namespace larmor::study
