#pragma once
// The tables of a study of quantum spins 1/2. Sites and bonds are those of Ising spins.

#include "larmor/quantum/spin_model.hpp"
#include "larmor/study/models/discrete/system/discrete_tables.hpp"

namespace larmor::study {

struct QuantumExchange : ScalarExchange {
  static constexpr const char* name = "exchange";
  static constexpr const char* doc =
      "- J sz_i sz_j - Jxy (sx_i sx_j + sy_i sy_j), each pair once; J > 0 is ferromagnetic";
  double Jxy = 0;
  bool isotropic = false;

  static FieldTable<QuantumExchange> fields();
};

struct QuantumFieldTable {
  static constexpr const char* name = "field";
  static constexpr const char* doc = "- h sz_i - Gamma sx_i at each site";
  double h = 0;
  double Gamma = 0;
  std::vector<double> h_by_site, Gamma_by_site;
  double h_disorder = 0, Gamma_disorder = 0;
  std::string disorder_distribution = "normal";
  std::uint64_t disorder_seed = 1;
  bool disorder_by_replica = false;
  Index replicas_of_sample = 1;  ///< consecutive replicas that share a disorder sample; not a key
  TablePosition where;

  static FieldTable<QuantumFieldTable> fields();
};

struct QuantumTable {
  static constexpr const char* name = "quantum";
  static constexpr const char* doc = "the operators of the Hamiltonian";
  std::string operators = "pauli";

  static FieldTable<QuantumTable> fields();
};

struct QuantumTables : ModelTables {
  static constexpr const char* name = "";
  SiteLatticeTable lattice;
  std::vector<QuantumExchange> exchange;
  QuantumFieldTable field;
  QuantumTable quantum;

  ReadContext context;
  IsingTables z;   ///< the lattice, and the bonds of sz
  IsingTables xy;  ///< the same bonds with Jxy in place of J

  static FieldTable<QuantumTables> fields();
  std::vector<std::pair<std::string, Value>> completed() const override;
  std::vector<std::string> files() const override { return z.files(); }
  std::unique_ptr<Blueprint> blueprint() const override;
};

/// @throws InputError with the position of the first mistake
std::shared_ptr<const ModelTables> read_quantum_tables(const Value& document,
                                                       const ModelContext& context);

/// The tables of a study of quantum spins. @throws InternalError for any other study
const QuantumTables& quantum_tables(const Study& study);

/// Do couplings or fields differ from sample to sample?
bool samples_differ(const QuantumTables& tables);

/// The factor from fields of the study to those of Pauli matrices.
double field_scale(const QuantumTables& tables);

/// Disorder samples of the study; 1 if replicas have equal couplings and fields.
Index samples_of(const Study& study);

/// The Hamiltonian of a sample. @throws InputError for invalid sites, bonds and lists of fields
quantum::SpinModel quantum_model(const Study& study, Index sample);

/// @throws InputError if a vector of all states would be too large
void check_state_vectors(const QuantumTables& tables);

/// @throws InputError for invalid lattices, bonds and lists of fields
void check_quantum_tables(const QuantumTables& tables);

}  // namespace larmor::study
