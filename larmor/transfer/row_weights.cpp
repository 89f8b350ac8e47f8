#include "larmor/transfer/row_weights.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"

namespace larmor::transfer {
namespace {

/// Energies as sums over bits of an index: fields of bits, and bonds of two bits.
struct BitEnergies {
  struct Bond {
    int i, j;
    double K;
  };
  double constant = 0;
  std::vector<double> field;
  std::vector<Bond> bonds;

  double operator()(Index x) const {
    const auto spin = [&](int bit) { return (x >> bit & 1) != 0 ? 1.0 : -1.0; };
    double sum = constant;
    for (std::size_t bit = 0; bit < field.size(); ++bit)
      sum += field[bit] * spin(static_cast<int>(bit));
    for (const Bond& bond : bonds) sum += bond.K * spin(bond.i) * spin(bond.j);
    return sum;
  }
};

/// e^(energy / 2), divided by the largest. @param largest is raised by the largest energy
std::vector<double> square_roots(const BitEnergies& energies, double& largest) {
  std::vector<double> table(std::size_t{1} << energies.field.size());
  for (std::size_t x = 0; x < table.size(); ++x) table[x] = energies(static_cast<Index>(x));
  const double most = *std::max_element(table.begin(), table.end());
  largest += most;
  for (double& value : table) value = std::exp(0.5 * (value - most));
  return table;
}

}  // namespace

bool RowModel::has_field() const {
  return std::any_of(h.begin(), h.end(), [](double field) { return field != 0; });
}

SiteBits::SiteBits(const RowModel& model, Sector sector)
    : sector_(sector),
      bits_(sector == Sector::all ? model.sites : model.sites - 1),
      bit_of_(static_cast<std::size_t>(model.sites), -1) {
  if (model.sites < 1) throw InputError("a row has no site");
  if (sector != Sector::all && model.has_field())
    throw InputError("a row in a field has no even and odd states", "use all states");
  low_bits_ = std::min(bits_, tile_bits);
  const auto crosses = [&](int site) {
    return std::any_of(model.bonds.begin(), model.bonds.end(), [&](const RowBond& bond) {
      const auto leads = [&](int from, int to) {
        return from == site && to >= low_bits_ && to < bits_;
      };
      return bond.K != 0 && (leads(bond.i, bond.j) || leads(bond.j, bond.i));
    });
  };
  // Low sites with bonds to high sites have the highest of the low bits.
  int next = 0;
  for (int site = 0; site < low_bits_; ++site)
    if (!crosses(site)) bit_of_[static_cast<std::size_t>(site)] = next++;
  plain_bits_ = next;
  for (int site = 0; site < low_bits_; ++site)
    if (crosses(site)) bit_of_[static_cast<std::size_t>(site)] = next++;
  for (int site = low_bits_; site < bits_; ++site) bit_of_[static_cast<std::size_t>(site)] = site;
}

RowWeights::RowWeights(const Device& device, const RowModel& model, const SiteBits& bits)
    : low_bits_(bits.low_bits()), plain_bits_(bits.plain_bits()) {
  BitEnergies low, rest;
  low.field.resize(static_cast<std::size_t>(low_bits_));
  rest.field.resize(static_cast<std::size_t>(bits.bits() - plain_bits_));
  const auto add_field = [&](int bit, double h) {
    if (bit < 0)
      low.constant -= h;
    else if (bit < low_bits_)
      low.field[static_cast<std::size_t>(bit)] += h;
    else
      rest.field[static_cast<std::size_t>(bit - plain_bits_)] += h;
  };
  for (int site = 0; site < model.sites; ++site) {
    const double h = model.h.empty() ? 0 : model.h[static_cast<std::size_t>(site)];
    add_field(bits.bit_of(site), h);
  }
  for (const RowBond& bond : model.bonds) {
    if (bond.K == 0) continue;
    const auto [i, j] = std::minmax({bits.bit_of(bond.i), bits.bit_of(bond.j)});
    if (bond.i == bond.j)
      low.constant += bond.K;
    else if (i < 0)
      add_field(j, -bond.K);
    else if (j < low_bits_)
      low.bonds.push_back({i, j, bond.K});
    else
      rest.bonds.push_back({i - plain_bits_, j - plain_bits_, bond.K});
  }
  low_ = Array<double>(device, square_roots(low, ln_bound_));
  rest_ = Array<double>(device, square_roots(rest, ln_bound_));
}

void fill_weights(Array<double>& v, const WeightView& weights) {
#if defined(LARMOR_HAS_CUDA)
  if (v.device().backend == Backend::cuda) return detail::fill_weights_on_gpu(v, weights);
#endif
  double* const to = v.data();
  parallel_blocks(v.device().threads, v.size(), 1, [&](Index first, Index last) {
    for (Index x = first; x < last; ++x) to[x] = weights(x);
  });
}

double RowWeights::bytes(const SiteBits& bits) {
  // The tables on the device, and their copies on the host.
  return 16 * (std::exp2(bits.low_bits()) + std::exp2(bits.bits() - bits.plain_bits()));
}

}  // namespace larmor::transfer
