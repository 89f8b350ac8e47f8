#include "larmor/quantum/diagonal.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::quantum {
namespace {

/// The parts of a model by the bits of its sites.
struct Parts {
  SpinModel low, high;
  struct Bond {
    int bit;
    double J;
  };
  std::vector<std::vector<Bond>> across;  ///< for each low site
};

SpinModel empty_model(int sites) {
  SpinModel model;
  model.sites = sites;
  model.hz.assign(static_cast<std::size_t>(sites), 0);
  return model;
}

Parts parts_of(const SpinModel& model, const SpaceView& view) {
  Parts parts{empty_model(view.low_bits), empty_model(view.bits - view.low_bits), {}};
  parts.across.resize(static_cast<std::size_t>(view.low_bits));
  parts.high.constant = model.constant;
  const auto add_field = [&](int site, double h) {
    if (site >= view.bits)  // The last site points down.
      parts.high.constant += h;
    else if (site < view.low_bits)
      parts.low.hz[static_cast<std::size_t>(site)] += h;
    else
      parts.high.hz[static_cast<std::size_t>(site - view.low_bits)] += h;
  };
  for (int site = 0; site < model.sites; ++site)
    add_field(site, model.hz[static_cast<std::size_t>(site)]);
  for (const SpinBond& bond : model.bonds) {
    const auto [i, j] = std::minmax(bond.i, bond.j);
    if (i == j)
      parts.high.constant -= bond.Jz + 2 * bond.Jxy;
    else if (j >= view.bits)
      add_field(i, -bond.Jz);
    else if (j < view.low_bits)
      parts.low.bonds.push_back({i, j, bond.Jz});
    else if (i >= view.low_bits)
      parts.high.bonds.push_back({i - view.low_bits, j - view.low_bits, bond.Jz});
    else
      parts.across[static_cast<std::size_t>(i)].push_back({j - view.low_bits, bond.Jz});
  }
  return parts;
}

}  // namespace

Diagonal::Diagonal(const Device& device, const SpinModel& model, const StateSpace& space)
    : low_bits_(space.view().low_bits) {
  const SpaceView& view = space.view();
  const Parts parts = parts_of(model, view);
  std::vector<double> low, high, J;
  for (const Index word : space.low_words()) low.push_back(parts.low.energy(word));
  for (Index word = 0; word < view.highs(); ++word) high.push_back(parts.high.energy(word));
  std::vector<int> first{0}, bit;
  for (const auto& bonds : parts.across) {
    for (const Parts::Bond& bond : bonds) {
      bit.push_back(bond.bit);
      J.push_back(bond.J);
    }
    first.push_back(static_cast<int>(bit.size()));
  }
  low_ = Array<double>(device, low);
  high_ = Array<double>(device, high);
  J_ = Array<double>(device, J);
  first_ = Array<int>(device, first);
  bit_ = Array<int>(device, bit);
}

DiagonalView Diagonal::view() const {
  return {low_bits_, low_.data(), high_.data(), first_.data(), bit_.data(), J_.data()};
}

double Diagonal::bytes(int sites, const Sector& sector) {
  const bool has_magnetisation = sector.kind == Sector::Kind::magnetisation;
  const int low = has_magnetisation ? (sites + 1) / 2 : std::min(sites, tile_bits);
  return 8 * (std::exp2(low) + std::exp2(sites - low));
}

}  // namespace larmor::quantum
