#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/lattice/quenched_disorder.hpp"
#include "larmor/study/models/discrete/discrete_model_kind.hpp"
#include "larmor/transfer/strip.hpp"

namespace larmor::study {
namespace {

using transfer::RowModel;
using transfer::Sector;

constexpr double strip_tolerance = 1e-10;

/// A ring or torus of equal couplings across an infinite strip. @param lengths each 3 or more
RowModel uniform_row(const std::vector<int>& lengths, double K) {
  RowModel row;
  row.sites = 1;
  for (const int length : lengths) row.sites *= length;
  int stride = 1;
  for (const int length : lengths) {
    for (int site = 0; site < row.sites; ++site) {
      const int place = site / stride % length;
      row.bonds.push_back({site, site + ((place + 1) % length - place) * stride, K});
    }
    stride *= length;
  }
  row.h.assign(static_cast<std::size_t>(row.sites), 0);
  row.K_next.assign(static_cast<std::size_t>(row.sites), K);
  return row;
}

/// The largest eigenvalue of a sector of a ring, by the free fermions of B. Kaufman, Phys. Rev. 76,
/// 1232 (1949): cosh gamma(q) = cosh 2K coth 2K - cos q, with q = 2 pi n / L in the odd sector.
double ln_of_kaufman(int L, double K, Sector sector) {
  const bool is_odd = sector == Sector::odd;
  double ln = 0.5 * L * std::log(2 * std::sinh(2 * K));
  for (int n = 0; n < L; ++n) {
    const double q = (2 * n + (is_odd ? 0 : 1)) * std::numbers::pi / L;
    // The gap of q = 0 has a sign: it is positive in the ordered phase.
    const double gamma = is_odd && n == 0
                             ? 2 * K + std::log(std::tanh(K))
                             : std::acosh(std::cosh(2 * K) / std::tanh(2 * K) - std::cos(q));
    ln += 0.5 * gamma;
  }
  return ln;
}

/// Bonds and fields within a row in one of its states. A set bit is a spin up.
double exponent_of_row(const RowModel& row, unsigned state) {
  const auto spin = [state](int site) { return (state >> site & 1) != 0 ? 1.0 : -1.0; };
  double sum = 0;
  for (const transfer::RowBond& bond : row.bonds) sum += bond.K * spin(bond.i) * spin(bond.j);
  for (int site = 0; site < row.sites; ++site)
    sum += row.h[static_cast<std::size_t>(site)] * spin(site);
  return sum;
}

/// Bonds between two rows.
double exponent_between(const RowModel& row, unsigned state, unsigned next) {
  double sum = 0;
  for (int site = 0; site < row.sites; ++site)
    sum += row.K_next[static_cast<std::size_t>(site)] *
           (((state ^ next) >> site & 1) != 0 ? -1.0 : 1.0);
  return sum;
}

/// The largest eigenvalue of the matrix of all elements, by the power method.
double ln_by_elements(const RowModel& row) {
  constexpr int products = 60;
  const unsigned states = 1u << row.sites;
  std::vector<double> weight(states), between(states), v(states, 1), next(states);
  for (unsigned x = 0; x < states; ++x) {
    weight[x] = std::exp(exponent_of_row(row, x));
    between[x] = std::exp(exponent_between(row, x, 0));
  }
  double length = 1;
  for (int product = 0; product < products; ++product) {
    length = 0;
    for (unsigned x = 0; x < states; ++x) {
      double sum = 0;
      for (unsigned y = 0; y < states; ++y) sum += between[x ^ y] * weight[y] * v[y];
      next[x] = sum;
      length = std::max(length, sum);
    }
    for (unsigned x = 0; x < states; ++x) v[x] = next[x] / length;
  }
  return std::log(length);
}

constexpr int random_rows = 4;
constexpr int random_sites = 4;

/// Rows of a strip with random bonds and a field, from a normal distribution.
std::vector<RowModel> random_strip() {
  constexpr std::uint64_t seed = 20241119;
  const auto coupling = [](int i, int j) { return 0.6 * lattice::pair_deviate(seed, i, j); };
  std::vector<RowModel> rows;
  for (int r = 0; r < random_rows; ++r) {
    RowModel row;
    row.sites = random_sites;
    const int first = r * random_sites;
    for (int site = 0; site < random_sites; ++site) {
      const int right = (site + 1) % random_sites;
      row.bonds.push_back({site, right, coupling(first + site, first + right)});
      row.K_next.push_back(coupling(first + site, first + site + random_sites));
      row.h.push_back(0.2);
    }
    rows.push_back(row);
  }
  return rows;
}

/// ln Z as the sum over all states of all sites.
double ln_by_enumeration(const std::vector<RowModel>& rows) {
  const unsigned states = 1u << random_sites;
  double Z = 0;
  for (unsigned all = 0; all < 1u << (random_sites * random_rows); ++all) {
    double exponent = 0;
    for (unsigned r = 0; r < random_rows; ++r) {
      const unsigned state = all >> (r * random_sites) & (states - 1);
      exponent += exponent_of_row(rows[r], state);
      if (r + 1 < random_rows)
        exponent +=
            exponent_between(rows[r], state, all >> ((r + 1) * random_sites) & (states - 1));
    }
    Z += std::exp(exponent);
  }
  return std::log(Z);
}

Measured ln_of_strip(const RowModel& row, Sector sector, const Device& device) {
  transfer::StripSpectrum spectrum(device, row, sector, {});
  while (!spectrum.step()) {
  }
  return {spectrum.levels().front().ln_value, strip_tolerance};
}

/// Energy per site of an infinite strip with the coupling J = 1.
Measured energy_of_strip(const RowModel& row, const Device& device) {
  transfer::StripSpectrum spectrum(device, row, Sector::even, {});
  while (!spectrum.step()) {
  }
  const transfer::RowAverages averages = spectrum.averages();
  return {-(averages.bonds + averages.next) / (row.K_next.front() * row.sites), strip_tolerance};
}

/// ln Z of rows with all their bonds to the next row.
Measured ln_of_rows(const std::vector<RowModel>& rows, const Device& device) {
  transfer::StripProduct product(device, rows.front(), rows.front());
  for (std::size_t r = 1; r < rows.size(); ++r) product.add(rows[r], rows[r - 1].K_next);
  return {product.ln_Z(), strip_tolerance};
}

}  // namespace

std::vector<ExactResult> exact_strips() {
  constexpr int L = 8;
  constexpr double hot = 1.0 / 6;
  const double critical = std::log(1 + std::sqrt(2.0)) / 2;
  const RowModel ring = uniform_row({L}, critical), torus = uniform_row({3, 3}, hot);
  const std::vector<RowModel> rows = random_strip();
  std::vector<ExactResult> results;
  for (const Sector sector : {Sector::even, Sector::odd})
    results.push_back(
        {sector == Sector::even ? "critical Ising strip, even level, Kaufman (transfer matrix)"
                                : "critical Ising strip, odd level, Kaufman (transfer matrix)",
         ln_of_kaufman(L, critical, sector), false,
         [=](const Device& device, Index) { return ln_of_strip(ring, sector, device); }});
  // The critical strip is its own dual, whatever its width.
  results.push_back({"energy of the critical Ising strip (transfer matrix)", -std::sqrt(2.0), false,
                     [=](const Device& device, Index) { return energy_of_strip(ring, device); }});
  results.push_back(
      {"Ising bar of 3 x 3 sites, all elements (transfer matrix)", ln_by_elements(torus), false,
       [=](const Device& device, Index) { return ln_of_strip(torus, Sector::all, device); }});
  results.push_back({"random Ising strip, enumeration (transfer matrix)", ln_by_enumeration(rows),
                     false, [=](const Device& device, Index) { return ln_of_rows(rows, device); }});
  return results;
}

}  // namespace larmor::study
