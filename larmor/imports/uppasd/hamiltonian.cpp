#include "larmor/imports/uppasd/hamiltonian.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace larmor::imports::uppasd {
namespace {

/// UppASD's constants (CODATA 2014): mRy / k_B in kelvin.
constexpr double kelvin_per_mRy = 2.179872325e-21 / 1.38064852e-23;

/// The largest eigenvalue of a symmetric matrix by power iteration. The shift makes it the largest
/// in size.
double largest_eigenvalue(const std::vector<double>& matrix, std::size_t n) {
  double shift = 0;
  for (std::size_t a = 0; a < n; ++a) {
    double row = 0;
    for (std::size_t b = 0; b < n; ++b) row += std::abs(matrix[n * a + b]);
    shift = std::max(shift, row);
  }
  if (shift == 0) return 0;
  std::vector<double> v(n), w(n);
  for (std::size_t a = 0; a < n; ++a) v[a] = 1 + 0.1 * std::sin(static_cast<double>(a + 1));
  double value = 0;
  for (int step = 0; step < 10000; ++step) {
    double norm = 0;
    for (std::size_t a = 0; a < n; ++a) {
      w[a] = shift * v[a];
      for (std::size_t b = 0; b < n; ++b) w[a] += matrix[n * a + b] * v[b];
      norm += w[a] * w[a];
    }
    norm = std::sqrt(norm);
    if (norm == 0) break;  // all eigenvalues are -shift
    for (std::size_t a = 0; a < n; ++a) v[a] = w[a] / norm;
    if (std::abs(norm - value) < 1e-13 * norm) return norm - shift;
    value = norm;
  }
  return value - shift;
}

void set_dipoles(Value& study, const InputFile& input, const UppasdCrystal& crystal,
                 std::vector<std::string>& notes) {
  const Entry* const do_dip = input.find("do_dip");
  if (do_dip == nullptr || do_dip->whole() == 0) return;
  const lattice::Geometry& geometry = crystal.geometry;
  bool open = true;
  for (const bool periodic : geometry.periodic) open = open && !periodic;
  if (do_dip->whole() != 1 || !open)
    do_dip->refuse("do_dip " + do_dip->word() +
                       " cannot be imported: Larmor's dipoles include all "
                       "periodic images",
                   "set BC 0 0 0 and do_dip 1, or set do_dip 0 and write [dipolar] into the "
                   "converted study");
  if (input.find("alat") == nullptr)
    do_dip->refuse("dipoles need the lattice constant", "write `alat` in metres");
  Value table;
  table.mark(do_dip->mark());
  study.set("dipolar", placed(std::move(table), do_dip->mark()), do_dip->mark());
  notes.emplace_back("do_dip 1: dipoles of all pairs, without periodic images");
}

/// The same bond with an offset from 0 to the size of the lattice, along periodic vectors.
BondEnds folded(BondEnds ends, const lattice::Geometry& geometry) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (!geometry.periodic[d]) continue;
    const auto cells = static_cast<int>(geometry.size[d]);
    ends.bond.offset[d] = (ends.bond.offset[d] % cells + cells) % cells;
  }
  return ends;
}

/// Bonds of an atom with a neighbour that another of its bonds reaches too, around the lattice.
Index bonds_with_common_ends(const std::vector<Coupling>& couplings,
                             const lattice::Geometry& geometry) {
  std::set<BondEnds> all;
  Index common = 0;
  for (const Coupling& c : couplings) {
    // Each of the two atoms has the bond, also if they are of one site of the cell.
    const bool is_new = all.insert(folded(c.ends, geometry)).second;
    const bool is_new_back = all.insert(folded(c.ends.reversed(), geometry)).second;
    if (!is_new || !is_new_back) ++common;
  }
  return common;
}

/// UppASD keeps one bond between two atoms, unless map_multiple is T.
void note_common_ends(const char* keyword, const std::vector<Coupling>& couplings,
                      const InputFile& input, const UppasdCrystal& crystal,
                      std::vector<std::string>& notes) {
  if (input.flag("map_multiple")) return;
  const Index common = bonds_with_common_ends(couplings, crystal.geometry);
  if (common == 0) return;
  notes.push_back(fmt::format(
      "{}: {} bonds of the cell lead around the lattice to an atom that another bond reaches too. "
      "UppASD keeps only the first of them, unless map_multiple is T. Larmor keeps all. A larger "
      "ncell avoids the difference",
      keyword, common));
}

}  // namespace

UppasdHamiltonian read_hamiltonian(const InputFile& input, const UppasdCrystal& crystal,
                                   std::vector<std::string>& notes) {
  UppasdHamiltonian hamiltonian;
  const bool tensors = input.whole("do_jtensor", 0) == 1;
  if (const Index kind = input.whole("do_jtensor", 0); kind != 0 && kind != 1)
    input.find("do_jtensor")
        ->refuse("there is no do_jtensor " + std::to_string(kind), "write 0 or 1");
  if (tensors && !input.flag("calc_jtensor", true))
    hamiltonian.exchange_kind = CouplingKind::tensor;
  if (tensors && input.flag("calc_jtensor", true))
    notes.emplace_back(
        "do_jtensor 1: without calc_jtensor F, UppASD reads one J a row of the "
        "exchange file and makes isotropic tensors of it; so does Larmor");
  if (crystal.is_alloy && hamiltonian.exchange_kind == CouplingKind::tensor)
    input.find("do_jtensor")
        ->refuse("UppASD has no tensors of random alloys", "set do_jtensor 0, or do_ralloy 0");
  const Entry& exchange = input.require("exchange", "write `exchange ./jfile`");
  hamiltonian.exchange = read_couplings(input, exchange, hamiltonian.exchange_kind, crystal,
                                        input.number("jij_scale", 1), notes);
  if (const Entry* dm = input.find("dm"))
    hamiltonian.dmi =
        read_couplings(input, *dm, CouplingKind::dmi, crystal, input.number("dm_scale", 1), notes);
  if (const Entry* bq = input.find("bq"))
    hamiltonian.biquadratic =
        read_couplings(input, *bq, CouplingKind::biquadratic, crystal, 1, notes);
  note_common_ends("exchange", hamiltonian.exchange, input, crystal, notes);
  note_common_ends("dm", hamiltonian.dmi, input, crystal, notes);
  note_common_ends("bq", hamiltonian.biquadratic, input, crystal, notes);
  hamiltonian.anisotropies = read_anisotropies(input, crystal);
  return hamiltonian;
}

void set_hamiltonian(Value& study, const UppasdHamiltonian& hamiltonian, const InputFile& input,
                     const UppasdCrystal& crystal, const Quantities& quantities,
                     std::vector<std::string>& notes) {
  set_couplings(study, hamiltonian.exchange_kind, hamiltonian.exchange, crystal, quantities);
  set_couplings(study, CouplingKind::dmi, hamiltonian.dmi, crystal, quantities);
  set_couplings(study, CouplingKind::biquadratic, hamiltonian.biquadratic, crystal, quantities);
  set_anisotropies(study, hamiltonian.anisotropies, crystal, quantities, notes);
  set_dipoles(study, input, crystal, notes);
  if (const Entry* hfield = input.find("hfield");
      hfield != nullptr && length(hfield->vector()) > 0) {
    Value field;
    field.mark(hfield->mark());
    field.set("B", placed(quantities.fields(hfield->vector()), hfield->value_mark()),
              hfield->mark());
    study.set("field", placed(std::move(field), hfield->mark()), hfield->mark());
  }
}

std::vector<double> exchange_sums(const UppasdHamiltonian& hamiltonian, std::size_t sites) {
  std::vector<double> sums(sites * sites, 0);
  for (const Coupling& c : hamiltonian.exchange) {
    const CouplingNumbers& n = c.numbers;
    const double J =
        hamiltonian.exchange_kind == CouplingKind::tensor ? (n[0] + n[4] + n[8]) / 3 : n[0];
    // UppASD's J is half of the coupling of a pair.
    const auto from = static_cast<std::size_t>(c.ends.bond.from);
    const auto to = static_cast<std::size_t>(c.ends.bond.to);
    sums[sites * from + to] += J / 2;
    sums[sites * to + from] += J / 2;
  }
  return sums;
}

std::string exchange_note(const UppasdHamiltonian& hamiltonian, const UppasdCrystal& crystal,
                          const Quantities& quantities) {
  if (crystal.is_alloy || hamiltonian.exchange.empty()) return "";
  const std::size_t n = crystal.sites.size();
  const std::vector<double> sums = exchange_sums(hamiltonian, n);
  double total = 0;
  std::string each;
  constexpr std::size_t most_listed = 8;
  for (std::size_t a = 0; a < n; ++a) {
    double J0 = 0;
    for (std::size_t b = 0; b < n; ++b) J0 += sums[n * a + b];
    total += J0;
    if (a < most_listed) each += fmt::format("{}{:.6g}", a == 0 ? "" : ", ", J0);
  }
  if (n > most_listed) each += ", ..";
  const char* const unit = quantities.reduced ? "" : " mRy";
  const double T_c = 2.0 / 3 * largest_eigenvalue(sums, n);
  const std::string temperature = T_c <= 0 ? "is 0: no order with equal cells lowers the energy"
                                  : quantities.reduced
                                      ? fmt::format("is {:.6g}", T_c)
                                      : fmt::format("is {:.1f} K", T_c * kelvin_per_mRy);
  return fmt::format(
      "J0 = sum_j J_0j = {}{} by site, in UppASD's convention, which counts each pair twice. The "
      "ferromagnet has {:.6g}{} per atom by exchange. The mean-field T_c {}",
      each, unit, -total / static_cast<double>(n), unit, temperature);
}

}  // namespace larmor::imports::uppasd
