#pragma once
// The tables of a study of Ising or Potts spins, and the keys of their sampler.

#include <memory>
#include <optional>
#include <string>

#include "larmor/core/types.hpp"
#include "larmor/lattice/coupled_pair.hpp"
#include "larmor/lattice/exchange_keys.hpp"
#include "larmor/study/lattice/lattice_keys.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

/// Keys of the sampler.
struct DiscreteSamplerKeys {
  std::string sampler = "metropolis";
  std::optional<Index> clusters;
  std::string engine = "automatic";

  bool updates_clusters() const { return sampler == "swendsen-wang" || sampler == "wolff"; }
};

struct SiteLatticeTable : LatticeKeys {
  static constexpr const char* name = "lattice";
  static constexpr const char* doc = "positions and graph of the sites";
  std::optional<Index> sites;
  std::vector<Index> grid;

  static FieldTable<SiteLatticeTable> fields();
};

struct ScalarExchange : lattice::ExchangeKeys {
  static constexpr const char* name = "exchange";
  static constexpr const char* doc =
      "Ising: - J s_i s_j, Potts: - J delta(s_i, s_j), each pair once; J > 0 is ferromagnetic";

  std::optional<std::string> file;
  /// The bonds in the file; null until the file is read.
  mutable std::shared_ptr<const std::vector<lattice::CoupledPair>> listed;

  static FieldTable<ScalarExchange> fields();
};

/// Adds the keys of ScalarExchange to the field table of a table that derives from it.
template <class Table>
FieldTable<Table>& add_scalar_exchange_fields(FieldTable<Table>& table) {
  return lattice::add_exchange_fields(table)
      .optional("file", &ScalarExchange::file, Dimension::none,
                "file of bonds, a row `i j J` for each, or `i j` with the key J; sites are counted "
                "from 0")
      .not_empty();
}

struct ScalarFieldTable {
  static constexpr const char* name = "field";
  static constexpr const char* doc = "Ising: - h s_i, Potts: - h delta(s_i, 0)";
  double h = 0;
  std::vector<double> h_by_site;
  TablePosition where;

  static FieldTable<ScalarFieldTable> fields();
};

struct DiscreteInitialTable {
  static constexpr const char* name = "initial";
  static constexpr const char* doc = "the states of the sites before the first stage";
  std::string state = "random";
  std::optional<Index> value;
  TablePosition where;

  static FieldTable<DiscreteInitialTable> fields();
};

struct PottsTable {
  static constexpr const char* name = "potts";
  static constexpr const char* doc = "the states of a site";
  Index states = 3;

  static FieldTable<PottsTable> fields();
};

struct DiscreteSites;

struct DiscreteTables : ModelTables {
  static constexpr const char* name = "";
  SiteLatticeTable lattice;
  std::vector<ScalarExchange> exchange;
  ScalarFieldTable field;
  DiscreteInitialTable initial;

  ReadContext context;
  std::string folder;                                  ///< folder of the files that the tables name
  mutable std::shared_ptr<const DiscreteSites> sites;  ///< result of sites_of, after its first call

  /// The number q of states of a site; 2 for Ising spins.
  virtual Index states() const = 0;
  virtual bool is_ising() const = 0;
  /// The value of a state in files and for users; states are counted from 0.
  int value_of(std::uint8_t state) const { return is_ising() ? 1 - 2 * state : state; }
  /// @throws InputError if no state has that value
  std::uint8_t state_of(Index value) const;

  std::vector<std::string> files() const override;
  std::unique_ptr<Blueprint> blueprint() const override;
};

struct IsingTables : DiscreteTables {
  static FieldTable<IsingTables> fields();
  Index states() const override { return 2; }
  bool is_ising() const override { return true; }
  std::vector<std::pair<std::string, Value>> completed() const override;
};

struct PottsTables : DiscreteTables {
  PottsTable potts;
  static FieldTable<PottsTables> fields();
  Index states() const override { return potts.states; }
  bool is_ising() const override { return false; }
  std::vector<std::pair<std::string, Value>> completed() const override;
};

/// The tables of a study of Ising or Potts spins. @throws InternalError for any other study
const DiscreteTables& discrete_tables(const Study& study);

/// @throws InputError with the position of the first mistake
template <class Tables>
std::shared_ptr<const ModelTables> read_discrete_tables(const Value& document,
                                                        const ModelContext& context);
extern template std::shared_ptr<const ModelTables> read_discrete_tables<IsingTables>(
    const Value&, const ModelContext&);
extern template std::shared_ptr<const ModelTables> read_discrete_tables<PottsTables>(
    const Value&, const ModelContext&);

}  // namespace larmor::study
