// Quantum spin models: products against explicit matrices of Kronecker products, spectra against
// free fermions and known rings, averages against traces, typicality against the full spectrum.
// Rooms: quantum

#include <gtest/gtest.h>

#include <Eigen/Sparse>
#include <cmath>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/quantum/full_spectrum.hpp"
#include "larmor/quantum/low_levels.hpp"
#include "larmor/quantum/typicality.hpp"

namespace larmor::quantum_tests {

using namespace larmor::quantum;
using Kind = Sector::Kind;
using Matrix = Eigen::MatrixXd;

/// Numbers in (-1, 1) that differ.
double number_of(int n) { return std::sin(12.9898 * n + 1.7) * 0.97; }

struct Terms {
  bool Jxy, hz, Gamma;
};

/// A ring with a chord; bonds and fields differ.
SpinModel uneven_model(int sites, const Terms& terms) {
  SpinModel model;
  model.sites = sites;
  model.constant = 0.3;
  const auto add_bond = [&](int i, int j) {
    const int n = static_cast<int>(model.bonds.size());
    model.bonds.push_back({i, j, number_of(n), terms.Jxy ? number_of(50 + n) : 0});
  };
  for (int i = 0; i < sites && sites > 1; ++i) add_bond(i, (i + 1) % sites);
  if (sites > 4) add_bond(1, sites - 2);
  if (sites > 12) add_bond(sites - 1, 2);
  if (sites > 2) add_bond(2, 2);
  for (int i = 0; i < sites; ++i) {
    model.hz.push_back(terms.hz ? number_of(100 + i) : 0);
    model.Gamma.push_back(terms.Gamma ? number_of(200 + i) : 0);
  }
  return model;
}

using Sparse = Eigen::SparseMatrix<std::complex<double>>;

/// The Kronecker product of a matrix of one site and ones of the others. Bit i of an index is 1 if
/// site i is up.
Sparse of_site(const Eigen::Matrix2cd& matrix, int site, int sites) {
  std::vector<Eigen::Triplet<std::complex<double>>> elements;
  for (int x = 0; x < 1 << sites; ++x)
    for (int a = 0; a < 2; ++a)
      elements.emplace_back((x & ~(1 << site)) | a << site, x, matrix(a, x >> site & 1));
  Sparse found(1 << sites, 1 << sites);
  found.setFromTriplets(elements.begin(), elements.end());
  return found;
}

struct Pauli {
  std::vector<Sparse> x, y, z;

  explicit Pauli(int sites) {
    Eigen::Matrix2cd sx, sy, sz;
    const std::complex<double> i(0, 1);
    sx << 0, 1, 1, 0;
    sy << 0, i, -i, 0;
    sz << -1, 0, 0, 1;
    for (int site = 0; site < sites; ++site) {
      x.push_back(of_site(sx, site, sites));
      y.push_back(of_site(sy, site, sites));
      z.push_back(of_site(sz, site, sites));
    }
  }
};

Matrix explicit_matrix(const SpinModel& model) {
  const Pauli s(model.sites);
  Sparse H(Index{1} << model.sites, Index{1} << model.sites);
  H.setIdentity();
  H *= model.constant;
  for (const SpinBond& bond : model.bonds) {
    const auto i = static_cast<std::size_t>(bond.i), j = static_cast<std::size_t>(bond.j);
    H -= bond.Jz * Sparse(s.z[i] * s.z[j]);
    H -= bond.Jxy * (Sparse(s.x[i] * s.x[j]) + Sparse(s.y[i] * s.y[j]));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(model.sites); ++i)
    H -= model.hz[i] * s.z[i] + model.Gamma[i] * s.x[i];
  const Eigen::MatrixXcd dense(H);
  EXPECT_LT(dense.imag().norm(), 1e-14);
  return dense.real();
}

/// Columns: the states of a sector in terms of all states.
Matrix basis_of(const SpinModel& model, const Sector& sector) {
  const Index all = (Index{1} << model.sites) - 1;
  std::vector<Eigen::VectorXd> columns;
  const auto unit = [&](Index word) { return Eigen::VectorXd::Unit(all + 1, word); };
  if (sector.kind == Kind::magnetisation) {
    // Ascending high bits, then ascending low bits.
    for (Index word = 0; word <= all; ++word)
      if (count_up(word) == sector.up) columns.push_back(unit(word));
  } else if (sector.kind == Kind::all) {
    for (Index word = 0; word <= all; ++word) columns.push_back(unit(word));
  } else {
    const double sign = sector.kind == Kind::even ? 1 : -1;
    for (Index word = 0; word <= all / 2; ++word)
      columns.push_back((unit(word) + sign * unit(word ^ all)) / std::numbers::sqrt2);
  }
  Matrix basis(all + 1, std::ssize(columns));
  for (Index n = 0; n < std::ssize(columns); ++n)
    basis.col(n) = columns[static_cast<std::size_t>(n)];
  return basis;
}

Eigen::VectorXd product(const SpinModel& model, const Sector& sector, int threads,
                        const Eigen::VectorXd& in) {
  const Device device = Device::cpu(threads);
  const Hamiltonian H(device, model, sector);
  EXPECT_EQ(H.states(), in.size());
  const Vector v(device, std::span(in.data(), static_cast<std::size_t>(in.size())));
  Vector w(device, in.size());
  H.multiply(v, w);
  const std::vector<double> out = w.to_host();
  return Eigen::Map<const Eigen::VectorXd>(out.data(), in.size());
}

Eigen::VectorXd random_vector(Index size) {
  Eigen::VectorXd v(size);
  for (Index i = 0; i < size; ++i) v(i) = number_of(static_cast<int>(i) + 3);
  return v;
}

void expect_explicit_products(const SpinModel& model, const std::vector<Sector>& sectors,
                              int threads) {
  const Matrix H = explicit_matrix(model);
  for (const Sector& sector : sectors) {
    const Matrix basis = basis_of(model, sector);
    const Eigen::VectorXd v = random_vector(basis.cols());
    const Eigen::VectorXd exact = basis.transpose() * (H * (basis * v));
    const Eigen::VectorXd found = product(model, sector, threads, v);
    EXPECT_LT((found - exact).norm(), 1e-14 * model.sites * v.norm())
        << model.sites << " sites, sector " << static_cast<int>(sector.kind) << ", " << sector.up;
  }
}

TEST(QuantumProduct, IsThatOfTheExplicitMatrix) {
  for (int sites = 1; sites <= 8; ++sites)
    for (const bool Jxy : {false, true}) {
      expect_explicit_products(uneven_model(sites, {Jxy, true, true}), {{Kind::all}}, 1);
      expect_explicit_products(uneven_model(sites, {Jxy, false, true}),
                               {{Kind::all}, {Kind::even}, {Kind::odd}}, 2);
      const SpinModel conserving = uneven_model(sites, {Jxy, true, false});
      EXPECT_EQ(sectors_of(conserving).size(), static_cast<std::size_t>(sites + 1));
      expect_explicit_products(conserving, sectors_of(conserving), 3);
    }
}

/// H v, element by element.
Eigen::VectorXd slow_product(const SpinModel& model, const Eigen::VectorXd& v) {
  Eigen::VectorXd w(v.size());
  for (Index x = 0; x < v.size(); ++x) {
    double sum = model.energy(x) * v(x);
    for (int i = 0; i < model.sites; ++i)
      sum -= model.Gamma[static_cast<std::size_t>(i)] * v(x ^ (Index{1} << i));
    for (const SpinBond& bond : model.bonds)
      if (bond.i != bond.j && ((x >> bond.i ^ x >> bond.j) & 1) != 0)
        sum -= 2 * bond.Jxy * v(x ^ (Index{1} << bond.i) ^ (Index{1} << bond.j));
    w(x) = sum;
  }
  return w;
}

TEST(QuantumProduct, OfManyPassesIsThatOfTheElements) {
  for (const int sites : {9, 12, 13, 14, 17, 21}) {
    const SpinModel model = uneven_model(sites, {true, false, true});
    const Index all = (Index{1} << sites) - 1;
    for (const Kind kind : {Kind::all, Kind::even, Kind::odd}) {
      const Index size = kind == Kind::all ? all + 1 : (all + 1) / 2;
      const Eigen::VectorXd v = random_vector(size);
      Eigen::VectorXd whole(all + 1);
      for (Index x = 0; x <= all; ++x)
        whole(x) = x < size ? v(x) : (kind == Kind::odd ? -1 : 1) * v(x ^ all);
      const Eigen::VectorXd exact = slow_product(model, whole);
      const Eigen::VectorXd found = product(model, {kind}, 2, v);
      EXPECT_LT((found - exact.head(size)).norm(), 1e-14 * sites * v.norm()) << sites;
    }
  }
}

TEST(QuantumProduct, WithGivenMagnetisationIsThatOfTheElements) {
  const int sites = 15;
  const SpinModel model = uneven_model(sites, {true, true, false});
  for (const int up : {0, 1, 7, 11, 15}) {
    std::vector<Index> words;
    for (Index x = 0; x < Index{1} << sites; ++x)
      if (count_up(x) == up) words.push_back(x);
    const Eigen::VectorXd v = random_vector(std::ssize(words));
    Eigen::VectorXd whole = Eigen::VectorXd::Zero(Index{1} << sites);
    for (std::size_t n = 0; n < words.size(); ++n) whole(words[n]) = v(static_cast<Index>(n));
    const Eigen::VectorXd exact = slow_product(model, whole);
    const Eigen::VectorXd found = product(model, {Kind::magnetisation, up}, 3, v);
    for (std::size_t n = 0; n < words.size(); ++n)
      ASSERT_NEAR(found(static_cast<Index>(n)), exact(words[n]), 1e-13);
  }
}

TEST(QuantumProduct, HasNoOtherSectorsThanTheModel) {
  EXPECT_THROW(Hamiltonian(Device{}, uneven_model(4, {true, true, true}), {Kind::even}),
               InputError);
  EXPECT_THROW(
      Hamiltonian(Device{}, uneven_model(4, {true, false, true}), {Kind::magnetisation, 2}),
      InputError);
  EXPECT_THROW(
      Hamiltonian(Device{}, uneven_model(4, {true, false, false}), {Kind::magnetisation, 5}),
      InputError);
}

SpinModel ring(int sites, double Jz, double Jxy, double Gamma, bool is_periodic = true) {
  SpinModel model;
  model.sites = sites;
  for (int i = 0; i < (is_periodic ? sites : sites - 1); ++i)
    model.bonds.push_back({i, (i + 1) % sites, Jz, Jxy});
  model.hz.assign(static_cast<std::size_t>(sites), 0);
  model.Gamma.assign(static_cast<std::size_t>(sites), Gamma);
  return model;
}

std::vector<double> lowest(const SpinModel& model, const Sector& sector, Index wanted) {
  LowLevels search(Device{}, model, sector, {.wanted = wanted});
  while (!search.step()) {
  }
  std::vector<double> energies;
  for (const EnergyLevel& level : search.levels()) energies.push_back(level.energy);
  return energies;
}

double ground_energy(const SpinModel& model) {
  double least = 1e300;
  for (const Sector& sector : sectors_of(model))
    least = std::min(least, lowest(model, sector, 1).front());
  return least;
}

/// P. Pfeuty, Ann. Phys. 57, 79 (1970), with J = 1.
double mode_energy(double Gamma, double k) {
  return 2 * std::sqrt(1 + Gamma * Gamma - 2 * Gamma * std::cos(k));
}

TEST(LowLevels, OfPeriodicChainsAreThoseOfFreeFermions) {
  for (const double Gamma : {0.5, 1.0, 1.5})
    for (const int L : {2, 3, 6, 11, 16}) {
      double even = 0, odd = -(Gamma - 1) + 2 * (Gamma - 1);
      for (int n = 0; n < L; ++n) {
        even -= mode_energy(Gamma, (2 * n + 1) * std::numbers::pi / L) / 2;
        // The mode of k = 0 has the energy 2 (Gamma - 1) and is occupied.
        if (n > 0) odd -= mode_energy(Gamma, 2 * n * std::numbers::pi / L) / 2;
      }
      const SpinModel model = ring(L, 1, 0, Gamma);
      EXPECT_NEAR(lowest(model, {Kind::even}, 1)[0], even, 1e-11 * L) << L << ", " << Gamma;
      EXPECT_NEAR(lowest(model, {Kind::odd}, 1)[0], odd, 1e-11 * L) << L << ", " << Gamma;
    }
}

TEST(LowLevels, OfRandomFreeChainsAreThoseOfFreeFermions) {
  const int L = 13;
  SpinModel model = ring(L, 0, 0, 0, false);
  Matrix B = Matrix::Zero(L, L);
  for (int i = 0; i < L; ++i) {
    B(i, i) = model.Gamma[static_cast<std::size_t>(i)] = 0.2 + std::abs(number_of(i));
    if (i + 1 < L) B(i, i + 1) = model.bonds[static_cast<std::size_t>(i)].Jz = number_of(70 + i);
  }
  // The energies of the modes are twice the singular values.
  const Eigen::VectorXd s = singular_values(B, false).values;
  const std::vector<double> even = lowest(model, {Kind::even}, 2);
  EXPECT_NEAR(even[0], -s.sum(), 1e-11);
  EXPECT_NEAR(even[1], -s.sum() + 2 * (s(L - 1) + s(L - 2)), 1e-11);
  EXPECT_NEAR(lowest(model, {Kind::odd}, 1)[0], -s.sum() + 2 * s(L - 1), 1e-11);
}

TEST(LowLevels, OfHeisenbergRings) {
  // S.S = (s.s) / 4; energies of H = J sum S.S with J = 1.
  EXPECT_NEAR(ground_energy(ring(4, -0.25, -0.25, 0)), -2, 1e-12);
  EXPECT_NEAR(ground_energy(ring(6, -0.25, -0.25, 0)), -2.8027756377319946, 1e-12);
  // Ten spins: the Bethe ansatz gives -0.4515446354 a spin.
  EXPECT_NEAR(ground_energy(ring(10, -0.25, -0.25, 0)), -4.515446354, 1e-8);
  // The ferromagnet: each sector of the magnetisation contains the ground state.
  for (const Sector& sector : sectors_of(ring(6, 0.25, 0.25, 0)))
    EXPECT_NEAR(lowest(ring(6, 0.25, 0.25, 0), sector, 1)[0], -1.5, 1e-12);
}

TEST(LowLevels, OfTheXXChainAreThoseOfFreeFermions) {
  // E. Lieb, T. Schultz, D. Mattis, Ann. Phys. 16, 407 (1961): hopping 2 Jxy, one fermion for each
  // spin up.
  const int L = 11;
  const SpinModel model = ring(L, 0, 0.7, 0, false);
  for (const int up : {1, 3, 5, 8}) {
    double exact = 0;
    for (int n = 1; n <= up; ++n) exact -= 4 * 0.7 * std::cos(n * std::numbers::pi / (L + 1));
    EXPECT_NEAR(lowest(model, {Kind::magnetisation, up}, 1)[0], exact, 1e-11) << up;
  }
}

TEST(LowLevels, FindAllCopiesOfADegenerateLevel) {
  // The first excited odd states of a ring have momenta q and -q.
  const std::vector<double> odd = lowest(ring(8, 1, 0, 1), {Kind::odd}, 4);
  EXPECT_NEAR(odd[1], odd[2], 1e-11);
  EXPECT_LT(odd[0], odd[1] - 0.1);
  EXPECT_LT(odd[2], odd[3] - 0.1);
}

TEST(LowLevels, BeginLongChainsAgain) {
  const SpinModel model = uneven_model(9, {true, false, true});
  const Matrix basis = basis_of(model, {Kind::even});
  const Matrix H = basis.transpose() * explicit_matrix(model) * basis;
  const Eigensystem<Matrix> exact = eigensystem(H);
  LowLevels search(Device{}, model, {Kind::even}, {.wanted = 3, .longest_chain = 12});
  while (!search.step()) {
  }
  for (std::size_t n = 0; n < 3; ++n) {
    const EnergyLevel level = search.levels()[n];
    EXPECT_NEAR(level.energy, exact.values(static_cast<Index>(n)), 1e-11) << n;
    EXPECT_LT(level.residual, 1e-11 * (model.upper_bound() - level.energy));
  }
}

TEST(LowLevels, OfTwoSpinsCountEachBond) {
  // sz sz = 1 and sx sx + sy sy = 2 in the triplet state without magnetisation.
  SpinModel two = ring(2, 0.4, 0.3, 0);
  EXPECT_EQ(two.bonds.size(), 2U);
  EXPECT_NEAR(lowest(two, {Kind::magnetisation, 1}, 1)[0], -2 * (-0.4 + 2 * 0.3), 1e-14);
  two.bonds.pop_back();
  EXPECT_NEAR(lowest(two, {Kind::magnetisation, 1}, 1)[0], 0.4 - 2 * 0.3, 1e-14);
  SpinModel one;
  one.sites = 1;
  one.hz = {0.3};
  one.Gamma = {0.7};
  EXPECT_NEAR(lowest(one, {Kind::all}, 1)[0], -std::hypot(0.3, 0.7), 1e-14);
}

TEST(LowLevels, HaveTheAveragesOfTheExplicitGroundState) {
  const int sites = 6;
  const Pauli s(sites);
  for (const auto& [terms, sector] :
       {std::pair(Terms{true, true, true}, Sector{Kind::all}),
        std::pair(Terms{true, false, true}, Sector{Kind::even}),
        std::pair(Terms{true, false, true}, Sector{Kind::odd}),
        std::pair(Terms{true, true, false}, Sector{Kind::magnetisation, 2})}) {
    const SpinModel model = uneven_model(sites, terms);
    const Matrix basis = basis_of(model, sector);
    const Matrix H = basis.transpose() * explicit_matrix(model) * basis;
    const Eigensystem<Matrix> exact = eigensystem(H);
    LowLevels search(Device::cpu(2), model, sector, {.wanted = 3, .tolerance = 1e-13});
    while (!search.step()) {
    }
    for (Index level = 0; level < 3; ++level)
      EXPECT_NEAR(search.levels()[static_cast<std::size_t>(level)].energy, exact.values(level),
                  1e-12);
    const Eigen::VectorXcd v = (basis * exact.vectors.col(0)).cast<std::complex<double>>();
    const auto average = [&](const Sparse& matrix) {
      return v.dot(Eigen::VectorXcd(matrix * v)).real();
    };
    const ExpectationValues found = search.averages(0);
    const DiagonalAverages diagonal = found.diagonal();
    const PlaneAverages plane = found.plane();
    const std::vector<double> sx = found.sx();
    Sparse M(s.z[0] * 0.0);
    for (std::size_t i = 0; i < sites; ++i) {
      M += s.z[i];
      EXPECT_NEAR(sx[i], average(s.x[i]), 1e-10);
      EXPECT_NEAR(diagonal.sz[i], average(s.z[i]), 1e-10);
      for (std::size_t j = 0; j < sites; ++j) {
        EXPECT_NEAR(diagonal.szsz[i * sites + j], average(s.z[i] * s.z[j]), 1e-10);
        EXPECT_NEAR(plane.sxsx[i * sites + j], average(s.x[i] * s.x[j]), 1e-10);
        EXPECT_NEAR(plane.sysy[i * sites + j], average(s.y[i] * s.y[j]), 1e-10);
      }
    }
    EXPECT_NEAR(diagonal.m2, average(M * M) / (sites * sites), 1e-10);
    EXPECT_NEAR(diagonal.m4, average(Sparse(M * M) * Sparse(M * M)) / std::pow(sites, 4), 1e-10);
  }
}

TEST(LowLevels, HaveEqualBitsForAnyNumberOfThreads) {
  for (const bool conserves : {false, true}) {
    const SpinModel model = uneven_model(14, {true, false, !conserves});
    const Sector sector = conserves ? Sector{Kind::magnetisation, 6} : Sector{Kind::odd};
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 3}) {
      LowLevels search(Device::cpu(threads), model, sector, {.wanted = 2});
      while (!search.step()) {
      }
      const ExpectationValues averages = search.averages(0);
      found.push_back({search.levels()[0].energy, search.levels()[1].energy,
                       averages.diagonal().szsz[5], averages.plane().sxsx[7],
                       averages.diagonal().m4});
    }
    EXPECT_EQ(found[0], found[1]);
  }
}

FullSpectrum spectrum_of(const SpinModel& model) {
  FullSpectrum spectrum(model);
  while (!spectrum.step()) {
  }
  return spectrum;
}

TEST(FullSpectrum, HasTheTracesOfTheExplicitMatrix) {
  const int sites = 5;
  const Pauli s(sites);
  const double beta = 0.8;
  for (const Terms& terms : {Terms{true, true, true}, Terms{true, false, true},
                             Terms{false, false, true}, Terms{true, true, false}}) {
    const SpinModel model = uneven_model(sites, terms);
    const Eigensystem<Matrix> exact = eigensystem(Matrix(explicit_matrix(model)));
    FullSpectrum spectrum = spectrum_of(model);
    const std::vector<FullSpectrum::Level> levels = spectrum.levels();
    ASSERT_EQ(levels.size(), std::size_t{1} << sites);
    for (Index n = 0; n < std::ssize(levels); ++n)
      EXPECT_NEAR(levels[static_cast<std::size_t>(n)].energy, exact.values(n), 1e-13);
    const Eigen::VectorXd weights = (-beta * exact.values.array()).exp();
    const double Z = weights.sum();
    const Eigen::MatrixXcd rho =
        (exact.vectors * (weights / Z).asDiagonal() * exact.vectors.transpose())
            .cast<std::complex<double>>();
    const auto average = [&](const Sparse& matrix) {
      return Eigen::MatrixXcd(matrix * rho).trace().real();
    };
    const ThermalAverages found = spectrum.at(beta);
    const double E = weights.dot(exact.values) / Z;
    const double E2 = weights.dot(exact.values.cwiseAbs2()) / Z;
    EXPECT_NEAR(found.ln_Z, std::log(Z), 1e-13);
    EXPECT_NEAR(found.energy, E, 1e-12);
    EXPECT_NEAR(found.specific_heat, beta * beta * (E2 - E * E), 1e-12);
    Sparse M(s.z[0] * 0.0);
    for (std::size_t i = 0; i < sites; ++i) {
      M += s.z[i];
      EXPECT_NEAR(found.sx[i], average(s.x[i]), 1e-13);
      EXPECT_NEAR(found.diagonal.sz[i], average(s.z[i]), 1e-13);
      for (std::size_t j = 0; j < sites; ++j)
        EXPECT_NEAR(found.diagonal.szsz[i * sites + j], average(s.z[i] * s.z[j]), 1e-13);
    }
    EXPECT_NEAR(found.diagonal.m4, average(Sparse(M * M) * Sparse(M * M)) / std::pow(sites, 4),
                1e-13);
    const std::vector<TimeCorrelations> in_time = spectrum.in_time(beta, {0, 0.25, 0.75, 1});
    EXPECT_NEAR(in_time[0].total, sites * found.diagonal.m2, 1e-12);
    EXPECT_NEAR(in_time[0].local, 1, 1e-13);
    EXPECT_NEAR(in_time[1].total, in_time[2].total, 1e-12);
    EXPECT_NEAR(in_time[3].local, 1, 1e-13);
  }
}

TEST(FullSpectrum, HasTheDerivativesOfTheFreeEnergy) {
  const double beta = 1.3, step = 0.02;
  for (const Terms& terms :
       {Terms{true, true, true}, Terms{true, false, true}, Terms{true, false, false}}) {
    const SpinModel model = uneven_model(6, terms);
    const auto ln_Z = [&](double h) {
      SpinModel in_field = model;
      for (double& field : in_field.hz) field += h;
      return spectrum_of(in_field).at(beta).ln_Z;
    };
    const double second =
        (-ln_Z(2 * step) + 16 * ln_Z(step) - 30 * ln_Z(0) + 16 * ln_Z(-step) - ln_Z(-2 * step)) /
        (12 * step * step);
    FullSpectrum spectrum = spectrum_of(model);
    const ThermalAverages found = spectrum.at(beta);
    EXPECT_NEAR(found.susceptibility, second / beta / model.sites, 2e-6);
    // The integral over imaginary time, by the rule of Simpson.
    std::vector<double> fractions;
    for (int n = 0; n <= 200; ++n) fractions.push_back(n / 200.0);
    const std::vector<TimeCorrelations> in_time = spectrum.in_time(beta, fractions);
    double integral = 0, m = 0;
    for (int n = 0; n <= 200; ++n)
      integral +=
          in_time[static_cast<std::size_t>(n)].total * (n == 0 || n == 200 ? 1 : 2 + 2 * (n % 2));
    for (const double spin : found.diagonal.sz) m += spin / model.sites;
    EXPECT_NEAR(integral * beta / 600 - beta * model.sites * m * m, found.susceptibility, 1e-8);
  }
}

std::vector<TypicalAverages> typical_averages(const SpinModel& model, const Sector& sector,
                                              double beta, std::uint64_t vector, Index steps,
                                              int threads = 1) {
  TypicalState state(Device::cpu(threads), model, sector, {beta},
                     {.steps = steps, .seed = 5, .vector = vector});
  while (!state.step()) {
  }
  return state.averages();
}

TypicalEstimates typical_estimates(const SpinModel& model, double beta, Index first,
                                   Index vectors) {
  std::vector<std::vector<TypicalAverages>> samples;
  for (Index r = first; r < first + vectors; ++r) {
    samples.emplace_back();
    std::uint64_t sector_number = 0;
    for (const Sector& sector : sectors_of(model))
      samples.back().push_back(
          typical_averages(model, sector, beta,
                           static_cast<std::uint64_t>(r) * 100 + sector_number++, 40)
              .front());
  }
  return estimates_of(samples, beta);
}

TEST(Typicality, OfOneStateIsExact) {
  // A sector of one state, and one that the Krylov space fills.
  const SpinModel model = uneven_model(3, {true, true, false});
  const TypicalAverages own = typical_averages(model, {Kind::magnetisation, 3}, 0.7, 1, 20).front();
  EXPECT_NEAR(own.energy, model.energy(7), 1e-13);
  EXPECT_NEAR(own.ln_Z, -0.7 * model.energy(7), 1e-13);
  EXPECT_EQ(own.diagonal.m4, 1);
}

TEST(Typicality, IsTheSumOverTheKrylovSpace) {
  // With all steps, <r| e^(-beta H) |r> is exact for each vector.
  const SpinModel model = uneven_model(5, {true, false, true});
  const double beta = 0.9;
  const std::uint64_t number = 3;
  const Matrix basis = basis_of(model, {Kind::even});
  const Matrix H = basis.transpose() * explicit_matrix(model) * basis;
  Vector random(Device{}, 16);
  transfer::randomise(random, {5, number, Stream::typical_state});
  const std::vector<double> numbers = random.to_host();
  const Eigen::VectorXd r = Eigen::Map<const Eigen::VectorXd>(numbers.data(), 16).normalized();
  const Eigensystem<Matrix> exact = eigensystem(H);
  const Eigen::VectorXd c = (exact.vectors.transpose() * r).cwiseAbs2();
  const Eigen::VectorXd weights = c.array() * (-beta * exact.values.array()).exp();
  const TypicalAverages own = typical_averages(model, {Kind::even}, beta, number, 16).front();
  EXPECT_NEAR(own.ln_Z, std::log(16 * weights.sum()), 1e-11);
  EXPECT_NEAR(own.energy, weights.dot(exact.values) / weights.sum(), 1e-11);
}

TEST(Typicality, AgreesWithTheFullSpectrumWithinItsErrors) {
  for (const Terms& terms : {Terms{false, false, true}, Terms{true, true, false}}) {
    const SpinModel model = uneven_model(8, terms);
    const FullSpectrum spectrum = spectrum_of(model);
    const double beta = 0.9;
    const ThermalAverages exact = spectrum.at(beta);
    constexpr int runs = 30, vectors = 12;
    std::vector<double> chi_squared(5);
    for (int run = 0; run < runs; ++run) {
      const TypicalEstimates found = typical_estimates(model, beta, run * vectors, vectors);
      const auto add = [&](std::size_t n, const Estimated& estimate, double value) {
        chi_squared[n] += std::pow((estimate.value - value) / estimate.error, 2) / runs;
      };
      add(0, found.ln_Z, exact.ln_Z);
      add(1, found.energy, exact.energy);
      add(2, found.specific_heat, exact.specific_heat);
      add(3, found.m2, exact.diagonal.m2);
      add(4, found.szsz[2], exact.diagonal.szsz[2]);
    }
    // Squares of Student's t of 11 degrees of freedom: mean 11/9, standard deviation about 2.2.
    for (const double mean : chi_squared) {
      EXPECT_GT(mean, 0.45);
      EXPECT_LT(mean, 2.5);
    }
  }
}

TEST(Typicality, HasEqualBitsForAnyNumberOfThreads) {
  const SpinModel model = uneven_model(14, {true, false, true});
  const TypicalAverages one = typical_averages(model, {Kind::odd}, 2, 4, 25, 1).front();
  const TypicalAverages three = typical_averages(model, {Kind::odd}, 2, 4, 25, 3).front();
  EXPECT_EQ(one.ln_Z, three.ln_Z);
  EXPECT_EQ(one.sx, three.sx);
  EXPECT_EQ(one.diagonal.szsz, three.diagonal.szsz);
}

}  // namespace larmor::quantum_tests
