// Quantum spin models: products against explicit matrices of Kronecker products, spectra against
// free fermions and known rings, averages against traces, typicality against the full spectrum.
// Rooms: quantum

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/quantum/hamiltonian.hpp"

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

/// A matrix of one site among all; site 0 is the fastest index. Index 1 of a site is up.
Eigen::MatrixXcd of_site(const Eigen::Matrix2cd& matrix, int site, int sites) {
  Eigen::MatrixXcd found = Eigen::MatrixXcd::Identity(1, 1);
  for (int i = 0; i < sites; ++i) {
    const Eigen::MatrixXcd left =
        i == site ? Eigen::MatrixXcd(matrix) : Eigen::MatrixXcd(Eigen::Matrix2cd::Identity());
    Eigen::MatrixXcd next(2 * found.rows(), 2 * found.cols());
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        next.block(a * found.rows(), b * found.cols(), found.rows(), found.cols()) =
            left(a, b) * found;
    found = next;
  }
  return found;
}

struct Pauli {
  std::vector<Eigen::MatrixXcd> x, y, z;

  explicit Pauli(int sites) : x(static_cast<std::size_t>(sites)), y(x), z(x) {
    Eigen::Matrix2cd sx, sy, sz;
    const std::complex<double> i(0, 1);
    sx << 0, 1, 1, 0;
    sy << 0, i, -i, 0;
    sz << -1, 0, 0, 1;
    for (int site = 0; site < sites; ++site) {
      const auto n = static_cast<std::size_t>(site);
      x[n] = of_site(sx, site, sites);
      y[n] = of_site(sy, site, sites);
      z[n] = of_site(sz, site, sites);
    }
  }
};

Matrix explicit_matrix(const SpinModel& model) {
  const Pauli s(model.sites);
  const Index states = Index{1} << model.sites;
  Eigen::MatrixXcd H = model.constant * Eigen::MatrixXcd::Identity(states, states);
  for (const SpinBond& bond : model.bonds) {
    const auto i = static_cast<std::size_t>(bond.i), j = static_cast<std::size_t>(bond.j);
    H -= bond.Jz * s.z[i] * s.z[j] + bond.Jxy * (s.x[i] * s.x[j] + s.y[i] * s.y[j]);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(model.sites); ++i)
    H -= model.hz[i] * s.z[i] + model.Gamma[i] * s.x[i];
  EXPECT_LT(H.imag().norm(), 1e-14);
  return H.real();
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

}  // namespace larmor::quantum_tests
