#include "larmor/spins/model.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "larmor/core/error.hpp"
#include "larmor/spins/bond_table.hpp"
#include "larmor/spins/long_range/convolution.hpp"

namespace larmor::spins {
namespace {

/// Collects rows of numbers, equal ones once.
class RowCollector {
 public:
  std::int32_t add(const std::vector<double>& row) {
    const auto [known, is_new] = known_.try_emplace(row, static_cast<std::int32_t>(known_.size()));
    if (is_new) value_.insert(value_.end(), row.begin(), row.end());
    return known->second;
  }
  const std::vector<double>& value() const { return value_; }

 private:
  std::map<std::vector<double>, std::int32_t> known_;
  std::vector<double> value_;
};

/// A term's coupling in the numbers of a bond class: (J), (J, D) or the nine of A.
void add_to_row(BondClass c, const Mat3<double>& A, double* row) {
  const Vec3<double>* r = A.row;
  if (c == BondClass::scalar) {
    row[0] += r[0].x;
  } else if (c == BondClass::vector) {
    row[0] += r[0].x;
    row[1] += r[1].z;
    row[2] += r[2].x;
    row[3] += r[0].y;
  } else {
    for (int i = 0; i < 3; ++i) {
      row[3 * i] += r[i].x;
      row[3 * i + 1] += r[i].y;
      row[3 * i + 2] += r[i].z;
    }
  }
}

/// Values of one term (or of all) for every row of the table. (rows, slots, components)
std::vector<double> bond_values(const BondTable& table, BondClass c, std::size_t first_term,
                                std::size_t last_term, bool& present) {
  const int width = table.slots() * components(c);
  std::vector<double> value(static_cast<std::size_t>(table.rows() * width));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int slot, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      add_to_row(c, v.bilinear, value.data() + row * width + slot * components(c));
      present = present || !(v.bilinear == Mat3<double>{});
    });
  }
  return value;
}

std::vector<double> biquadratic_values(const BondTable& table, std::size_t first_term,
                                       std::size_t last_term, bool& present) {
  std::vector<double> value(static_cast<std::size_t>(table.rows() * table.slots()));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int slot, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      value[static_cast<std::size_t>(row * table.slots() + slot)] += v.biquadratic;
      present = present || v.biquadratic != 0;
    });
  }
  return value;
}

double ferromagnetic_energy(const BondTable& table) {
  std::vector<double> of_row(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row)
    table.for_each_value(row, [&](int, const TermValue& v) {
      of_row[static_cast<std::size_t>(row)] -= 0.5 * (v.bilinear.row[2].z + v.biquadratic);
    });
  double energy = 0;
  for (Index site = 0; site < table.sites(); ++site)
    energy += of_row[static_cast<std::size_t>(table.row(site))];
  return energy / static_cast<double>(table.sites());
}

/// (1/3) largest eigenvalue of J_ab = sum over bonds from basis atom a to b of the mean of J.
double mean_field(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms) {
  const auto basis = static_cast<Eigen::Index>(geometry.crystal.basis.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(basis, basis);
  for (const LoweredTerm& term : terms) {
    if (!term.pairs.empty()) return 0;
    for (const StencilCoupling& c : term.stencil) {
      const Vec3<double>* r = c.bilinear.row;
      const double mean = (r[0].x + r[1].y + r[2].z) / 3;
      J(c.bond.from, c.bond.to) += mean;
      J(c.bond.to, c.bond.from) += mean;
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(J, Eigen::EigenvaluesOnly);
  return std::max(0.0, solver.eigenvalues().maxCoeff() / 3);
}

double frobenius(const Mat3<double>& A) {
  return std::sqrt(dot(A.row[0], A.row[0]) + dot(A.row[1], A.row[1]) + dot(A.row[2], A.row[2]));
}

/// Bound of |dH/de| of a site, form by form.
double field_bound(const BondTable& table, const std::vector<LoweredTerm>& terms, Index site) {
  double bound = 0;
  Mat3<double> bilinear{};
  double biquadratic = 0;
  int current = 0;
  const auto add_slot = [&] {
    // J times the identity has a Frobenius norm of sqrt(3) J but stretches by J alone.
    const bool scalar = bilinear == isotropic(bilinear.row[0].x);
    bound +=
        (scalar ? std::abs(bilinear.row[0].x) : frobenius(bilinear)) + 2 * std::abs(biquadratic);
  };
  table.for_each_value(table.row(site), [&](int slot, const TermValue& v) {
    if (slot != current) {
      add_slot();
      bilinear = {};
      biquadratic = 0;
      current = slot;
    }
    bilinear = bilinear + v.bilinear;
    biquadratic += v.biquadratic;
  });
  add_slot();
  Vec3<double> h{0, 0, 0};
  for (const LoweredTerm& term : terms) {
    if (term.field) h += term.field(site);
    if (!term.onsite) continue;
    for (const OnsiteCoupling& k : term.onsite(site))
      bound += 2 * std::abs(k.a2) + 4 * std::abs(k.a4) + 6 * std::abs(k.a6);
  }
  return bound + length(h);
}

BondClass widest(const std::vector<LoweredTerm>& terms) {
  BondClass c = BondClass::scalar;
  for (const LoweredTerm& term : terms) c = std::max(c, term.bond_class);
  return c;
}

}  // namespace

RowStorage::RowStorage(const Device& device, const std::vector<std::int32_t>& row,
                       const std::vector<double>& value, int width)
    : value_(device, value),
      row_(device, row),
      width_(width),
      uniform_(std::all_of(row.begin(), row.end(), [](std::int32_t r) { return r == 0; })) {
  // Kernels gather with 32-bit offsets.
  if (value.size() > std::numeric_limits<std::int32_t>::max())
    throw InputError("the model has more than 2147483647 different numbers",
                     "make the lattice smaller, or fewer terms differ from site to site");
}

RowTable RowStorage::table() const { return {value_.data(), row_.data(), width_, uniform_}; }

struct Model::Bonds {
  BondTable table;
  std::vector<std::int32_t> storage;  ///< storage position of each canonical site
  std::vector<std::int32_t> row;      ///< row of each storage position
};

Model::Model(const Device& device, const lattice::Geometry& geometry,
             std::vector<LoweredTerm> terms, std::vector<double> moments)
    : device_(device), sites_(geometry.sites()), moments_(std::move(moments)) {
  padded_sites_ = SpinLayout{sites_, 1}.padded_sites();
  for (const LoweredTerm& term : terms) term_names_.push_back(term.name);
  Bonds bonds{BondTable(geometry, terms), {}, {}};
  slots_ = bonds.table.slots();
  ferromagnetic_energy_ = ferromagnetic_energy(bonds.table);
  mean_field_ = geometry.is_lattice() ? mean_field(geometry, terms) : 0;

  const lattice::Ordering ordering =
      lattice::by_colour(lattice::greedy_colouring(bonds.table.graph()));
  for (std::size_t c = 0; c + 1 < ordering.colour_begin.size(); ++c)
    colours_.push_back({ordering.colour_begin[c], ordering.colour_begin[c + 1]});
  canonical_ = ordering.canonical;
  // Padding repeats the last site: it is read by whole-vector loads, never written.
  canonical_.resize(static_cast<std::size_t>(padded_sites_), canonical_.back());
  canonical_on_device_ = Array<std::int32_t>(device, canonical_);
  bonds.storage = ordering.storage;
  term_.resize(terms.size());
  for (Index site = 0; site < sites_; ++site)
    largest_field_ = std::max(largest_field_, field_bound(bonds.table, terms, site) /
                                                  moments_[static_cast<std::size_t>(site)]);
  store_bonds(bonds, terms);
  store_onsite(terms);
  store_field(terms);
  store_long_range(geometry, terms);
  moment_ = rows_by_site(1, [this](Index site) {
    return std::vector<double>{moments_[static_cast<std::size_t>(site)]};
  });
}

Model::~Model() = default;

void Model::store_bonds(const Bonds& bonds, const std::vector<LoweredTerm>& terms) {
  std::vector<std::int32_t> neighbour(static_cast<std::size_t>(padded_sites_ * slots_));
  std::vector<std::int32_t> row(static_cast<std::size_t>(padded_sites_));
  for (Index position = 0; position < padded_sites_; ++position) {
    const Index site = canonical_[static_cast<std::size_t>(position)];
    row[static_cast<std::size_t>(position)] = bonds.table.row(site);
    for (int slot = 0; slot < slots_; ++slot)
      neighbour[static_cast<std::size_t>(((position / lane_count) * slots_ + slot) * lane_count +
                                         position % lane_count)] =
          bonds.storage[static_cast<std::size_t>(bonds.table.neighbour(site, slot))];
  }
  neighbour_ = Array<std::int32_t>(device_, neighbour);
  bytes_ += static_cast<Index>(neighbour.size() * sizeof(std::int32_t));
  const auto store = [&](TermTables& tables, BondClass c, std::size_t first, std::size_t last) {
    bool present = false;
    tables.bond_class = c;
    const std::vector<double> value = bond_values(bonds.table, c, first, last, present);
    if (present) tables.bonds = RowStorage(device_, row, value, slots_ * components(c));
    const std::vector<double> squared = biquadratic_values(bonds.table, first, last, present);
    if (present) tables.biquadratic = RowStorage(device_, row, squared, slots_);
    bytes_ += static_cast<Index>(row.size() * sizeof(std::int32_t) + value.size() * sizeof(double));
  };
  store(total_, widest(terms), 0, terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) store(term_[t], terms[t].bond_class, t, t + 1);
}

void Model::store_onsite(const std::vector<LoweredTerm>& terms) {
  const auto store = [&](TermTables& tables, std::size_t first, std::size_t last) {
    std::vector<std::vector<double>> rows(static_cast<std::size_t>(padded_sites_));
    std::size_t width = 0;
    for (Index position = 0; position < padded_sites_; ++position) {
      std::vector<double>& row = rows[static_cast<std::size_t>(position)];
      for (std::size_t t = first; t < last; ++t) {
        if (!terms[t].onsite) continue;
        for (const OnsiteCoupling& k :
             terms[t].onsite(canonical_[static_cast<std::size_t>(position)]))
          row.insert(row.end(), {k.axis.x, k.axis.y, k.axis.z, k.a2, k.a4, k.a6});
      }
      width = std::max(width, row.size());
    }
    if (width == 0) return;
    RowCollector collector;
    std::vector<std::int32_t> row_of;
    for (std::vector<double>& row : rows) {
      row.resize(width);
      row_of.push_back(collector.add(row));
    }
    tables.onsite = RowStorage(device_, row_of, collector.value(), static_cast<int>(width));
  };
  store(total_, 0, terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) store(term_[t], t, t + 1);
}

void Model::store_field(const std::vector<LoweredTerm>& terms) {
  const auto store = [&](TermTables& tables, std::size_t first, std::size_t last) {
    RowCollector collector;
    std::vector<std::int32_t> row_of;
    bool present = false;
    for (const std::int32_t site : canonical_) {
      Vec3<double> h{0, 0, 0};
      for (std::size_t t = first; t < last; ++t)
        if (terms[t].field) h += terms[t].field(site);
      present = present || !(h == Vec3<double>{0, 0, 0});
      row_of.push_back(collector.add({h.x, h.y, h.z}));
    }
    if (present) tables.field = RowStorage(device_, row_of, collector.value(), 3);
  };
  store(total_, 0, terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) store(term_[t], t, t + 1);
}

void Model::store_long_range(const lattice::Geometry& geometry,
                             const std::vector<LoweredTerm>& terms) {
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (!terms[t].long_range) continue;
    if (long_range_)
      throw InputError("a study has two long-range interactions: " + terms[long_range_term_].name +
                           " and " + terms[t].name,
                       "keep one of them");
    long_range_ =
        std::make_unique<Convolution>(geometry, *terms[t].long_range, canonical_, device_.threads);
    long_range_term_ = t;
    bytes_ += static_cast<Index>(long_range_->bytes());
    // A bound for the lightest moment that feels the whole field.
    largest_field_ +=
        long_range_->largest_field() / *std::min_element(moments_.begin(), moments_.end());
  }
}

RowStorage Model::rows_by_site(
    int width, const std::function<std::vector<double>(Index site)>& of_site) const {
  RowCollector collector;
  std::vector<std::int32_t> row_of;
  for (const std::int32_t site : canonical_) row_of.push_back(collector.add(of_site(site)));
  return RowStorage(device_, row_of, collector.value(), width);
}

double Model::total_moment() const {
  return std::accumulate(moments_.begin(), moments_.end(), 0.0);
}

ModelView Model::view_of(const TermTables& tables, Index replicas) const {
  ModelView view;
  view.neighbour = neighbour_.data();
  view.slots = slots_;
  view.bond_class = tables.bond_class;
  view.bonds = tables.bonds.table();
  view.biquadratic = tables.biquadratic.table();
  view.onsite = tables.onsite.table();
  view.field = tables.field.table();
  view.canonical = canonical_on_device_.data();
  view.layout = {sites_, replicas};
  return view;
}

ModelView Model::view(Index replicas) const { return view_of(total_, replicas); }

ModelView Model::term_view(std::size_t term, Index replicas) const {
  return view_of(term_.at(term), replicas);
}

}  // namespace larmor::spins
