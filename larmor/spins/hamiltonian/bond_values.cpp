#include "larmor/spins/hamiltonian/bond_values.hpp"

#include "larmor/core/device/parallel.hpp"

namespace larmor::spins {

std::vector<double> bond_values(const BondTable& table, BondClass c, std::size_t first_term,
                                std::size_t last_term, bool& present) {
  const int width = table.bonds_per_site() * components(c);
  std::vector<double> value(static_cast<std::size_t>(table.rows() * width));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int bond, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      add_numbers(c, v.bilinear, value.data() + row * width + bond * components(c));
      present = present || !(v.bilinear == Mat3<double>{});
    });
  }
  return value;
}

std::vector<double> biquadratic_values(const BondTable& table, std::size_t first_term,
                                       std::size_t last_term, bool& present) {
  std::vector<double> value(static_cast<std::size_t>(table.rows() * table.bonds_per_site()));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int bond, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      value[static_cast<std::size_t>(row * table.bonds_per_site() + bond)] += v.biquadratic;
      present = present || v.biquadratic != 0;
    });
  }
  return value;
}

std::vector<double> bond_values_by_replica(const BondTable& table, BondClass c,
                                           const std::vector<LoweredTerm>& terms,
                                           std::size_t first_term, std::size_t last_term,
                                           const SpinLayout& layout, int threads) {
  const Index width = table.bonds_per_site() * components(c);
  const Index block = table.rows() * width * lane_count;
  std::vector<double> value(static_cast<std::size_t>(layout.blocks() * block));
  parallel_for(threads, table.rows(), [&](Index row) {
    table.for_each_value(row, [&](int bond, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      const auto& more = terms[v.term].exchange_of_replica;
      for (Index replica = 0; replica < layout.padded_replicas(); ++replica) {
        const double J = more && v.pair ? more(v.pair->bond.i, v.pair->bond.j, replica) : 0;
        double numbers[components(BondClass::tensor)] = {};
        add_numbers(c, v.bilinear + isotropic(J), numbers);
        double* to = value.data() + replica / lane_count * block +
                     (row * width + bond * components(c)) * lane_count + replica % lane_count;
        for (int n = 0; n < components(c); ++n) to[n * lane_count] += numbers[n];
      }
    });
  });
  return value;
}

}  // namespace larmor::spins
