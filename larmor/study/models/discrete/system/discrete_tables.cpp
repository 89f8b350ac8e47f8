#include "larmor/study/models/discrete/system/discrete_tables.hpp"

#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/models/discrete/system/discrete_system.hpp"

namespace larmor::study {
namespace {

template <class Tables>
FieldTable<Tables>& add_discrete_fields(FieldTable<Tables>& table) {
  return table.required("lattice", &DiscreteTables::lattice, Dimension::none, SiteLatticeTable::doc)
      .required("exchange", &DiscreteTables::exchange, Dimension::none, ScalarExchange::doc)
      .not_empty()
      .optional("field", &DiscreteTables::field, Dimension::none, ScalarFieldTable::doc)
      .optional("initial", &DiscreteTables::initial, Dimension::none, DiscreteInitialTable::doc);
}

}  // namespace

FieldTable<SiteLatticeTable> SiteLatticeTable::fields() {
  FieldTable<SiteLatticeTable> table;
  return add_lattice_fields(table)
      .optional("file", &SiteLatticeTable::file, Dimension::none,
                "extended XYZ file with positions")
      .not_empty()
      .optional("sites", &SiteLatticeTable::sites, Dimension::none,
                "number of sites of a graph, instead of type, cell and file. [[exchange]] gives "
                "the bonds of the graph")
      .at_least(1)
      .at_most(1e9)
      .optional("grid", &SiteLatticeTable::grid, Dimension::none,
                "number of sites along each of one to four axes, instead of type and size. The "
                "lattice is a chain, square, simple cubic or four-dimensional grid")
      .at_least(1);
}

FieldTable<ScalarExchange> ScalarExchange::fields() {
  FieldTable<ScalarExchange> table;
  return add_scalar_exchange_fields(table);
}

FieldTable<ScalarFieldTable> ScalarFieldTable::fields() {
  return FieldTable<ScalarFieldTable>()
      .optional("h", &ScalarFieldTable::h, Dimension::energy, "energy of a site in the field")
      .optional("h_by_site", &ScalarFieldTable::h_by_site, Dimension::energy,
                "field of each site of Ising spins, instead of h; for exact strips and ground "
                "states");
}

FieldTable<DiscreteInitialTable> DiscreteInitialTable::fields() {
  return FieldTable<DiscreteInitialTable>()
      .optional("state", &DiscreteInitialTable::state, Dimension::none,
                "random: each site has a random state; aligned: all sites have the state `value`")
      .one_of({"random", "aligned"})
      .optional("value", &DiscreteInitialTable::value, Dimension::none,
                "state of all sites. Ising spins are 1 or -1, and the default is 1. Potts states "
                "are 0 to states - 1, and the default is 0");
}

FieldTable<PottsTable> PottsTable::fields() {
  return FieldTable<PottsTable>()
      .optional("states", &PottsTable::states, Dimension::none, "number q of states of a site")
      .at_least(2)
      .at_most(255);
}

FieldTable<IsingTables> IsingTables::fields() {
  FieldTable<IsingTables> table;
  return add_discrete_fields(table);
}

FieldTable<PottsTables> PottsTables::fields() {
  FieldTable<PottsTables> table;
  return add_discrete_fields(table).optional("potts", &PottsTables::potts, Dimension::none,
                                             PottsTable::doc);
}

std::vector<std::pair<std::string, Value>> IsingTables::completed() const {
  return completed_entries(*this, context);
}

std::vector<std::pair<std::string, Value>> PottsTables::completed() const {
  return completed_entries(*this, context);
}

std::vector<std::string> DiscreteTables::files() const {
  std::vector<std::string> files;
  if (lattice.file) files.push_back(path_in(folder, *lattice.file));
  for (const ScalarExchange& table : exchange)
    if (table.file) files.push_back(path_in(folder, *table.file));
  return files;
}

std::unique_ptr<Blueprint> DiscreteTables::blueprint() const {
  return std::make_unique<DiscreteBlueprint>(*this);
}

std::uint8_t DiscreteTables::state_of(Index value) const {
  if (is_ising() && (value == 1 || value == -1)) return value == 1 ? 0 : 1;
  if (!is_ising() && value >= 0 && value < states()) return static_cast<std::uint8_t>(value);
  throw InputError(
      "no state has the value " + std::to_string(value), initial.where.of("value"),
      is_ising() ? "Ising spins are 1 or -1" : "states are 0 to " + std::to_string(states() - 1));
}

const DiscreteTables& discrete_tables(const Study& study) {
  const auto* const tables = dynamic_cast<const DiscreteTables*>(study.tables.get());
  if (tables == nullptr) throw InternalError("the study is not about discrete spins");
  return *tables;
}

template <class Tables>
std::shared_ptr<const ModelTables> read_discrete_tables(const Value& document,
                                                        const ModelContext& context) {
  if (context.read.units == UnitSystem::material)
    throw InputError("Ising and Potts models have reduced units", document.where(),
                     "remove units = \"material\"; a temperature is then k_B T in the unit of J");
  auto tables = std::make_shared<Tables>(larmor::read<Tables>(document, context.read));
  tables->context = context.read;
  tables->folder = context.folder;
  for (ScalarExchange& exchange : tables->exchange)
    exchange.replicas_of_sample = context.replicas_of_sample;
  if (tables->initial.value) {
    tables->state_of(*tables->initial.value);
    if (tables->initial.state == "random")
      throw InputError("initial has a value, but states are random",
                       tables->initial.where.of("value"), "add state = \"aligned\"");
  }
  return tables;
}

template std::shared_ptr<const ModelTables> read_discrete_tables<IsingTables>(const Value&,
                                                                              const ModelContext&);
template std::shared_ptr<const ModelTables> read_discrete_tables<PottsTables>(const Value&,
                                                                              const ModelContext&);

}  // namespace larmor::study
