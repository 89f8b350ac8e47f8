#include "larmor/atoms/cell/elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace larmor::atoms {
namespace {

// Masses: standard atomic weights of IUPAC, the conventional ones of 2016 (J. Meija et al., Pure
// Appl. Chem. 88, 265 (2016)). An element without a standard weight has the mass number of a
// long-lived isotope.
constexpr std::array elements = {
    Element{1, "H", 1.008},        Element{2, "He", 4.002602},    Element{3, "Li", 6.94},
    Element{4, "Be", 9.012183},    Element{5, "B", 10.81},        Element{6, "C", 12.011},
    Element{7, "N", 14.007},       Element{8, "O", 15.999},       Element{9, "F", 18.998403},
    Element{10, "Ne", 20.1797},    Element{11, "Na", 22.989769},  Element{12, "Mg", 24.305},
    Element{13, "Al", 26.981538},  Element{14, "Si", 28.085},     Element{15, "P", 30.973762},
    Element{16, "S", 32.06},       Element{17, "Cl", 35.45},      Element{18, "Ar", 39.948},
    Element{19, "K", 39.0983},     Element{20, "Ca", 40.078},     Element{21, "Sc", 44.955908},
    Element{22, "Ti", 47.867},     Element{23, "V", 50.9415},     Element{24, "Cr", 51.9961},
    Element{25, "Mn", 54.938044},  Element{26, "Fe", 55.845},     Element{27, "Co", 58.933194},
    Element{28, "Ni", 58.6934},    Element{29, "Cu", 63.546},     Element{30, "Zn", 65.38},
    Element{31, "Ga", 69.723},     Element{32, "Ge", 72.63},      Element{33, "As", 74.921595},
    Element{34, "Se", 78.971},     Element{35, "Br", 79.904},     Element{36, "Kr", 83.798},
    Element{37, "Rb", 85.4678},    Element{38, "Sr", 87.62},      Element{39, "Y", 88.90584},
    Element{40, "Zr", 91.224},     Element{41, "Nb", 92.90637},   Element{42, "Mo", 95.95},
    Element{43, "Tc", 97.90721},   Element{44, "Ru", 101.07},     Element{45, "Rh", 102.9055},
    Element{46, "Pd", 106.42},     Element{47, "Ag", 107.8682},   Element{48, "Cd", 112.414},
    Element{49, "In", 114.818},    Element{50, "Sn", 118.71},     Element{51, "Sb", 121.76},
    Element{52, "Te", 127.6},      Element{53, "I", 126.90447},   Element{54, "Xe", 131.293},
    Element{55, "Cs", 132.905452}, Element{56, "Ba", 137.327},    Element{57, "La", 138.90547},
    Element{58, "Ce", 140.116},    Element{59, "Pr", 140.90766},  Element{60, "Nd", 144.242},
    Element{61, "Pm", 144.91276},  Element{62, "Sm", 150.36},     Element{63, "Eu", 151.964},
    Element{64, "Gd", 157.25},     Element{65, "Tb", 158.92535},  Element{66, "Dy", 162.5},
    Element{67, "Ho", 164.93033},  Element{68, "Er", 167.259},    Element{69, "Tm", 168.93422},
    Element{70, "Yb", 173.054},    Element{71, "Lu", 174.9668},   Element{72, "Hf", 178.49},
    Element{73, "Ta", 180.94788},  Element{74, "W", 183.84},      Element{75, "Re", 186.207},
    Element{76, "Os", 190.23},     Element{77, "Ir", 192.217},    Element{78, "Pt", 195.084},
    Element{79, "Au", 196.966569}, Element{80, "Hg", 200.592},    Element{81, "Tl", 204.38},
    Element{82, "Pb", 207.2},      Element{83, "Bi", 208.9804},   Element{84, "Po", 208.98243},
    Element{85, "At", 209.98715},  Element{86, "Rn", 222.01758},  Element{87, "Fr", 223.01974},
    Element{88, "Ra", 226.02541},  Element{89, "Ac", 227.02775},  Element{90, "Th", 232.0377},
    Element{91, "Pa", 231.03588},  Element{92, "U", 238.02891},   Element{93, "Np", 237.04817},
    Element{94, "Pu", 244.06421},  Element{95, "Am", 243.06138},  Element{96, "Cm", 247.07035},
    Element{97, "Bk", 247.07031},  Element{98, "Cf", 251.07959},  Element{99, "Es", 252.083},
    Element{100, "Fm", 257.09511}, Element{101, "Md", 258.09843}, Element{102, "No", 259.101},
    Element{103, "Lr", 262.11},    Element{104, "Rf", 267.122},   Element{105, "Db", 268.126},
    Element{106, "Sg", 271.134},   Element{107, "Bh", 270.133},   Element{108, "Hs", 269.1338},
    Element{109, "Mt", 278.156},   Element{110, "Ds", 281.165},   Element{111, "Rg", 281.166},
    Element{112, "Cn", 285.177},   Element{113, "Nh", 286.182},   Element{114, "Fl", 289.19},
    Element{115, "Mc", 289.194},   Element{116, "Lv", 293.204},   Element{117, "Ts", 293.208},
    Element{118, "Og", 294.214},
};

}  // namespace

const Element* find_element(std::string_view symbol) {
  const auto* found = std::find_if(elements.begin(), elements.end(),
                                   [&](const Element& e) { return e.symbol == symbol; });
  return found == elements.end() ? nullptr : found;
}

const Element* find_element_by_mass(double mass) {
  const auto* found =
      std::min_element(elements.begin(), elements.end(), [&](const Element& a, const Element& b) {
        return std::abs(a.mass - mass) < std::abs(b.mass - mass);
      });
  // Files give rounded masses. The smallest difference of two standard weights is 0.13, between
  // argon and calcium.
  constexpr double rounding = 0.05;
  return std::abs(found->mass - mass) < rounding ? found : nullptr;
}

}  // namespace larmor::atoms
