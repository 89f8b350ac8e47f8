#pragma once
// The anisotropy file.
//
//   site type K1 K2 kx ky kz ratio        do_ralloy 1: site chem type K1 K2 kx ky kz ratio
//
//   1 uniaxial  H = K1 c^2 + K2 (2 c^2 - c^4),  c = e.k
//   2 cubic     H = - K1 (x^2 y^2 + y^2 z^2 + z^2 x^2) - K2 x^2 y^2 z^2
//   7 both; the cubic constants are ratio K1 and ratio K2
//
// These are the energies of UppASD's fields. With s^2 + c^2 = 1, the uniaxial energy is
// - K1 s^2 - K2 s^4 and a constant. On a sphere, sixth powers along the cubic axes a and along the
// body diagonals d give x^2 y^2 z^2 = 3/40 sum_d (e.d)^6 + 7/45 sum_a e_a^6 - 1/6 sum_a e_a^4.

#include <string>
#include <vector>

#include "larmor/imports/uppasd/crystal.hpp"
#include "larmor/imports/uppasd/quantities.hpp"

namespace larmor::imports::uppasd {

/// The anisotropy of a site and chemical type.
struct SiteAnisotropy {
  std::size_t site;
  Index chem;
  Index type;
  double K1, K2;  ///< mRy
  Vec3<double> axis;
  double ratio;
  SourceMark row, value;

  /// Are the constants equal? The site does not matter.
  bool equals(const SiteAnisotropy& other) const;
};

/// All sites with an anisotropy; none if the input names no file.
/// @throws InputError for malformed rows and unknown types; MachineError if the file cannot be read
std::vector<SiteAnisotropy> read_anisotropies(const InputFile& input, const UppasdCrystal& crystal);

/// Do sites of one type have different anisotropies?
bool differ_within_types(const std::vector<SiteAnisotropy>& anisotropies,
                         const UppasdCrystal& crystal);

/// Sets [[anisotropy]] and [[cubic-anisotropy]].
void set_anisotropies(Value& study, const std::vector<SiteAnisotropy>& anisotropies,
                      const UppasdCrystal& crystal, const Quantities& quantities,
                      std::vector<std::string>& notes);

}  // namespace larmor::imports::uppasd
