#pragma once
// Potentials and boxes of atoms for tests of SNAP.

#include <random>
#include <string>
#include <vector>

#include "larmor/atoms/potentials/snap/snap.hpp"
#include "tests/named.hpp"

namespace larmor::testing_support {

using namespace larmor::atoms;

struct AtomsInBox {
  Box box;
  std::vector<Vec3<double>> positions;
  std::vector<std::int32_t> elements;

  NeighbourRows rows(double cutoff) const { return find_neighbours(box, positions, cutoff); }
};

inline std::vector<double> random_numbers(std::size_t count, unsigned seed, double scale) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-scale, scale);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = uniform(random);
  return numbers;
}

/// A bcc crystal of cubic cells with the edge 3.2 Angstrom. Each atom is moved by up to `moved`,
/// and box vectors are sheared by up to `moved`.
inline AtomsInBox disordered_crystal(int cells, int elements, double moved = 0.2,
                                     unsigned seed = 1) {
  constexpr double a = 3.2;
  AtomsInBox atoms;
  const std::vector<double> shear = random_numbers(9, seed, moved);
  for (std::size_t d = 0; d < 3; ++d)
    atoms.box.vectors[d] = {shear[3 * d], shear[3 * d + 1], shear[3 * d + 2]};
  atoms.box.vectors[0].x += a * cells;
  atoms.box.vectors[1].y += a * cells;
  atoms.box.vectors[2].z += a * cells;
  const std::vector<double> shift =
      random_numbers(static_cast<std::size_t>(6 * cells * cells * cells), seed + 1, moved);
  std::size_t n = 0;
  for (int x = 0; x < 2 * cells; ++x)
    for (int y = x % 2; y < 2 * cells; y += 2)
      for (int z = x % 2; z < 2 * cells; z += 2, n += 3) {
        const Vec3<double> site{x * a / 2, y * a / 2, z * a / 2};
        atoms.positions.push_back(site + Vec3<double>{shift[n], shift[n + 1], shift[n + 2]});
        atoms.elements.push_back(static_cast<std::int32_t>(n / 3) % elements);
      }
  return atoms;
}

/// A potential with random coefficients, which describes no real material.
inline snap::SnapPotential random_potential(snap::SnapParameters parameters, int elements,
                                            unsigned seed = 7) {
  constexpr double radius[] = {0.5, 0.45, 0.53}, weight[] = {1, 0.7, -0.4};
  snap::SnapPotential potential{std::move(parameters), {}};
  for (int e = 0; e < elements; ++e) {
    const long count = coefficient_count(potential.parameters, elements);
    potential.elements.push_back(
        {std::string(1, static_cast<char>('A' + e)), radius[e], weight[e],
         random_numbers(static_cast<std::size_t>(count), seed + static_cast<unsigned>(e), 0.05)});
  }
  return potential;
}

/// The parameters of a potential to test, and its number of elements.
struct TestedSnap {
  snap::SnapParameters parameters;
  int elements;
};

inline snap::SnapParameters parameters_of(int twojmax) {
  snap::SnapParameters p;
  p.rcutfac = 4.1;
  p.twojmax = twojmax;
  return p;
}

template <class Change>
TestedSnap changed(int twojmax, int elements, const Change& change) {
  TestedSnap tested{parameters_of(twojmax), elements};
  change(tested.parameters);
  return tested;
}

inline const Named<TestedSnap> every_flag[] = {
    {"plain", changed(6, 1, [](snap::SnapParameters&) {})},
    {"odd_2J", changed(5, 1, [](snap::SnapParameters&) {})},
    {"only_j_0", changed(0, 1, [](snap::SnapParameters&) {})},
    {"two_elements", changed(4, 2, [](snap::SnapParameters&) {})},
    {"rmin0", changed(4, 1, [](snap::SnapParameters& p) { p.rmin0 = 0.6, p.rfac0 = 0.9; })},
    {"switchflag_0", changed(4, 1, [](snap::SnapParameters& p) { p.switchflag = false; })},
    {"bzeroflag_0", changed(4, 1, [](snap::SnapParameters& p) { p.bzeroflag = false; })},
    {"bnormflag", changed(4, 1, [](snap::SnapParameters& p) { p.bnormflag = true; })},
    {"quadraticflag", changed(4, 2, [](snap::SnapParameters& p) { p.quadraticflag = true; })},
    {"chemflag", changed(4, 3, [](snap::SnapParameters& p) { p.chemflag = true; })},
    {"chemflag_bnormflag",
     changed(3, 2, [](snap::SnapParameters& p) { p.chemflag = p.bnormflag = true; })},
    {"chemflag_wselfallflag",
     changed(3, 2, [](snap::SnapParameters& p) { p.chemflag = p.wselfallflag = true; })},
    {"chemflag_quadraticflag",
     changed(2, 2, [](snap::SnapParameters& p) { p.chemflag = p.quadraticflag = true; })},
    {"switchinnerflag", changed(4, 2, [](snap::SnapParameters& p) {
       p.switchinnerflag = true;
       p.sinner = {2.7, 2.9};
       p.dinner = {0.3, 0.2};
     })}};

}  // namespace larmor::testing_support
