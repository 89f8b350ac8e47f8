#pragma once
// A model kind is what a study is about: vector spins, for instance. It reads tables of its
// own, lists its stages, and makes the system that these act on. All else of a run (portions,
// checkpoints, ranks, scans, results) is the same for every kind.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/input/fields.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/io/results/checkpoint.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/study/model_kind/exact_result.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/model_kind/stage_number.hpp"

namespace larmor::study {

struct Study;
class Stage;

/// What is known of a system before its state is made.
struct SystemSize {
  Index sites = 0;
  Index movable = 0;  ///< of the sites, those that updates visit
  /// Where the sites are; null: they have no places.
  const lattice::Geometry* geometry = nullptr;
  double configuration_bytes = 0;  ///< of one replica, as System::configurations gives it
};

/// Bytes of a system, without what stages need.
struct SystemBytes {
  double state = 0;   ///< of all replicas, where kernels run
  double device = 0;  ///< beside it
  double host = 0;    ///< of the host, while it is made and for files
  double saved = 0;   ///< of all replicas, as System::save gives them
};

using io::Blocks;

/// @throws MachineError where the checkpoint lacks the block, or it holds another type
template <class T>
const std::vector<T>& block(const Blocks& blocks, const std::string& name);

/// Lattice, Hamiltonian, state: whatever stages act on. It stays where it was made.
class System {
 public:
  explicit System(const Device& on) : device(on) {}
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

  virtual SystemSize size() const = 0;
  /// Are replicas unlike each other, by frozen disorder of their own?
  virtual bool replicas_differ() const { return false; }
  /// Replica r is at rung r % rungs of a ladder of couplings; averages are those of a rung.
  virtual Index rungs() const { return 1; }
  /// Puts the state of every replica where the study begins. @throws InputError
  virtual void begin(const Study& study) = 0;
  /// The state of all replicas in one piece, on the root. All ranks come together.
  virtual Blocks save(const Ranks& ranks) const = 0;
  virtual void load(const Blocks& blocks, const Ranks& ranks) = 0;
  /// Of a block of `save`: replicas whose numbers lie side by side, one of each in turn. 1: those
  /// of a replica follow one another; 0: they are not of replicas.
  virtual Index saved_side_by_side(const std::string& block) const {
    static_cast<void>(block);
    return 1;
  }
  /// @throws UnphysicalError naming a number of the state that is not finite
  virtual void require_finite() const = 0;

  /// States of the first replicas in canonical order of sites, (count, sites, ...), on the root.
  /// All ranks come together. @param count at most the study's replicas
  virtual io::DataArray configurations(Index count, const Ranks& ranks) const = 0;
  /// The group /model.
  virtual void write_model(const Study& study, io::ResultsFile& results) const = 0;
  /// What `check` says of it.
  virtual std::vector<std::string> plan(const Study& study) const = 0;
  /// What the user should know about it.
  virtual std::vector<std::string> advice() const { return {}; }
  /// What `check` says of its kernels on a GPU; empty: nothing.
  virtual std::string kernel_advice() const { return ""; }

  /// Bytes of the tables that are there where kernels run.
  virtual double table_bytes() const { return 0; }
  /// Bytes that kernels will have made. @param read do stages read tables of neighbours?
  virtual double table_bytes_to_come(bool read) const {
    static_cast<void>(read);
    return 0;
  }
  /// Of `table_bytes`, those on the host that the forecast of a GPU counts.
  virtual double table_bytes_elsewhere() const { return 0; }

  /// First of all, on all ranks, where these share its sites. @throws MachineError
  virtual void connect() {}
  /// How ranks that share its sites reach one another; empty: they do not.
  virtual std::string exchange_words() const { return ""; }

  Device device;
  UpdateCounter step;  ///< checkpoints keep it
};

/// How a system is to be made.
struct SystemChoice {
  Device device;
  ReplicaShare replicas;           ///< of this process
  const Communicator* sharing;     ///< the ranks that share its sites; null: no others
  bool takes_derivatives = false;  ///< do stages, which read neighbours that no bond may reach?
};

/// A system of which the sites are known, but that has no state yet.
class Blueprint {
 public:
  virtual ~Blueprint() = default;
  virtual SystemSize size() const = 0;
  /// @param replicas of this process @param copies whose energies stages take at a time
  /// @throws InputError as `make`
  virtual SystemBytes bytes(const Device& device, Index replicas, Index copies) const = 0;
  /// @throws InputError for what makes no sense, MachineError where there is no memory
  virtual std::unique_ptr<System> make(const SystemChoice& choice) const = 0;
};

/// The tables of a study that its model kind reads.
class ModelTables {
 public:
  virtual ~ModelTables() = default;
  /// With every default, by the key at the top of a study.
  virtual std::vector<std::pair<std::string, Value>> completed() const = 0;
  /// Paths of the files that they name.
  virtual std::vector<std::string> files() const = 0;
  /// These outlive it. @throws InputError for sizes, cells, files that make no sense
  virtual std::unique_ptr<Blueprint> blueprint() const = 0;
};

/// What is read before the tables of a model kind.
struct ModelContext {
  ReadContext read;
  Index replicas = 1;
  std::string folder;            ///< where the files that tables name are looked for
  Index replicas_of_sample = 1;  ///< that share a sample of disorder, side by side
};

/// A table as `explain` tells of it.
struct TableInfo {
  std::string name;
  std::string doc;
  std::vector<FieldInfo> keys;
  std::string matter = {};  ///< the first model kind that has it so; empty: no kind in particular
  bool needs_model_kind = false;  ///< does another kind have one of that name that differs?

  /// After its name, or that of a key of it; empty where names suffice.
  std::string model_kind_words() const {
    return needs_model_kind ? " (of kind \"" + matter + "\")" : "";
  }
  std::string full_name() const { return name + model_kind_words(); }
};

/// Adds a table of a model kind, unless another kind has the same. Tables that share a name
/// and differ are told apart by their kinds.
void add_table(TableInfo table, const std::string& matter, std::vector<TableInfo>& tables);

/// A stage that a model kind has.
struct StageType {
  std::string name;
  std::function<TableInfo()> describe;
  /// @throws InputError for whatever its table has wrong
  std::function<std::unique_ptr<Stage>(const Value& table, const ReadContext& context)> make;
  /// Its table with every default. @throws InputError as `make`
  std::function<Value(const Value& table, const ReadContext& context)> complete;
  /// How many replicas a sample needs, as its table says; empty, or nothing: any number will do.
  std::function<std::optional<Index>(const Value& table, const ReadContext& context)>
      replicas_of_sample = {};
  /// As `stage_numbers`; empty: it has none.
  std::function<std::vector<StageNumber>(const io::ResultsReader& results, const std::string& path)>
      numbers = {};
};

template <class Type>
StageType stage_type() {
  using Table = typename Type::Table;
  StageType type{Table::name,
                 [] {
                   return TableInfo{Table::name, Table::doc, describe<Table>()};
                 },
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
  /// As `kind` of the table [model] has it.
  virtual std::string name() const = 0;
  virtual std::string doc() const = 0;
  /// What rates of it count: "spin updates".
  virtual std::string update_name() const = 0;
  /// What its state consists of: "spins".
  virtual std::string state_name() const = 0;
  /// Its keys at the top of a study.
  virtual std::vector<FieldInfo> keys() const = 0;
  /// Its tables, for `explain`.
  virtual std::vector<TableInfo> tables() const = 0;
  virtual const std::vector<StageType>& stages() const = 0;
  /// Can several ranks share the sites of a replica?
  virtual bool shares_sites() const { return false; }
  /// @param document the keys of a study that are its own
  /// @throws InputError at the first mistake
  virtual std::shared_ptr<const ModelTables> read(const Value& document,
                                                  const ModelContext& context) const = 0;
  /// What `larmor verify` compares.
  virtual std::vector<ExactResult> exact_results() const { return {}; }
};

/// Those of the program, the usual one first; study/models/models.cpp lists them.
std::vector<const ModelKind*> program_model_kinds();
/// Those that there are, the usual one first.
const std::vector<const ModelKind*>& model_kinds();
/// One more, for programs that have kinds of their own. @param kind outlives all studies
void add_model_kind(const ModelKind& kind);
/// @throws InputError that names those that there are
const ModelKind& model_kind(const std::string& name, const SourcePosition& where);

}  // namespace larmor::study
