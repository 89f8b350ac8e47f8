#include "larmor/atoms/potentials/snap/snap.hpp"

#include <algorithm>
#include <numeric>

#include "larmor/atoms/potentials/snap/atom_kernel.hpp"
#include "larmor/atoms/potentials/snap/component_gradients.hpp"
#include "larmor/atoms/potentials/snap/pair_shapes.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/pack.hpp"

namespace larmor::atoms::snap {
namespace {

std::size_t as_size(Index n) { return static_cast<std::size_t>(n); }

/// Doubles aligned to 64 bytes, in an array that grows and that each thread keeps.
double* grown_buffer(Array<double>& array, Index size) {
  if (array.size() < size) array = Array<double>(Device::cpu(1), size);
  return array.data();
}

/// Work arrays of a thread.
struct Buffers {
  Array<double> neighbours, gradient, components, work;
  std::vector<Index> entry;  ///< entry of the rows for each slot and lane, -1: none
};

}  // namespace

Snap::Snap(SnapPotential potential, Method method, const Device& device)
    : potential_(std::move(potential)),
      method_(method),
      threads_(device.threads),
      tables_(potential_.parameters.twojmax),
      energy_(potential_, tables_),
      baseline_(potential_, tables_, energy_) {
  fill_views();
}

void Snap::fill_views() {
  const SnapParameters& p = potential_.parameters;
  const auto elements = static_cast<int>(potential_.elements.size());
  view_ = {
      tables_.view(),      rotation_rule(p), potential_.channels(),  !p.chemflag || p.wselfallflag,
      energy_.is_linear(), p.bnormflag,      energy_.shares().data()};
  for (int e = 0; e < elements; ++e) {
    for (int other = 0; other < elements; ++other)
      shape_.push_back(pair_shape(potential_, e, other));
    product_.push_back(energy_.is_linear() ? energy_.of_products(energy_.linear(e))
                                           : std::vector<double>());
  }
  for (int e = 0; e < elements; ++e) {
    double constant = energy_.constant(e);
    if (energy_.is_linear())
      constant -= std::inner_product(energy_.zero(e).begin(), energy_.zero(e).end(),
                                     energy_.linear(e).begin(), 0.0);
    element_view_.push_back({potential_.channel(e), constant, product_[as_size(e)].data(),
                             energy_.zero(e).data(), energy_.linear(e).data()});
  }
}

PairGradients Snap::evaluate(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                             Stage last) const {
  PairGradients result{std::vector<double>(as_size(rows.atoms())),
                       std::vector<Vec3<double>>(as_size(rows.entries()))};
  if (method_ != Method::baseline) {
    evaluate_groups(rows, elements, {last, &result, nullptr});
    return result;
  }
  for_each_baseline(rows, elements,
                    [&](Index atom, std::span<const BaselineNeighbour> neighbours,
                        std::span<const Index> entries) {
                      const Baseline::Result found =
                          baseline_.evaluate(elements[as_size(atom)], neighbours, last);
                      result.energy[as_size(atom)] = found.energy;
                      for (std::size_t n = 0; n < entries.size(); ++n)
                        result.gradient[as_size(entries[n])] = found.gradient[n];
                    });
  return result;
}

std::vector<double> Snap::bispectrum(const NeighbourRows& rows,
                                     std::span<const std::int32_t> elements) const {
  std::vector<double> components(as_size(rows.atoms() * this->components()));
  evaluate_groups(rows, elements, {Stage::products, nullptr, components.data()});
  return components;
}

std::vector<Vec3<double>> Snap::bispectrum_gradients(const NeighbourRows& rows,
                                                     std::span<const std::int32_t> elements) const {
  const auto count = as_size(components());
  std::vector<Vec3<double>> result(as_size(rows.entries()) * count);
  if (method_ != Method::baseline) {
    const ComponentPlan plan(view_);
    evaluate_groups(rows, elements, {Stage::density, nullptr, nullptr, result.data(), &plan});
    return result;
  }
  for_each_baseline(
      rows, elements,
      [&](Index atom, std::span<const BaselineNeighbour> neighbours,
          std::span<const Index> entries) {
        const Baseline::Descriptors found =
            baseline_.descriptors(elements[as_size(atom)], neighbours);
        for (std::size_t n = 0; n < entries.size(); ++n)
          std::copy_n(found.slope.begin() + static_cast<std::ptrdiff_t>(n * count), count,
                      result.begin() + static_cast<std::ptrdiff_t>(as_size(entries[n]) * count));
      });
  return result;
}

template <class Visit>
void Snap::for_each_baseline(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                             const Visit& visit) const {
  parallel_for(threads_, rows.atoms(), [&](Index atom) {
    const std::int32_t element = elements[as_size(atom)];
    std::vector<BaselineNeighbour> neighbours;
    std::vector<Index> entries;
    for (Index n = rows.first[as_size(atom)]; n < rows.first[as_size(atom) + 1]; ++n) {
      const std::int32_t other = elements[as_size(rows.neighbour[as_size(n)])];
      const Vec3<double>& r = rows.displacement[as_size(n)];
      const double cutoff = potential_.cutoff(element, other);
      if (!(dot(r, r) < cutoff * cutoff)) continue;
      neighbours.push_back({r, other});
      entries.push_back(n);
    }
    visit(atom, neighbours, entries);
  });
}

void Snap::evaluate_groups(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                           const Wanted& wanted) const {
  std::vector<std::int32_t> atoms;
  std::vector<std::pair<std::size_t, std::size_t>> groups;
  for (std::int32_t element = 0; as_size(element) < potential_.elements.size(); ++element) {
    const std::size_t first = atoms.size();
    for (std::size_t i = 0; i < as_size(rows.atoms()); ++i)
      if (elements[i] == element) atoms.push_back(static_cast<std::int32_t>(i));
    for (std::size_t begin = first; begin < atoms.size(); begin += lane_count)
      groups.emplace_back(begin, std::min<std::size_t>(lane_count, atoms.size() - begin));
  }
  parallel_for(threads_, static_cast<Index>(groups.size()), [&](Index n) {
    const auto& [begin, count] = groups[as_size(n)];
    evaluate_group(rows, elements, std::span<const std::int32_t>(atoms).subspan(begin, count),
                   wanted);
  });
}

void Snap::evaluate_group(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                          std::span<const std::int32_t> atoms, const Wanted& wanted) const {
  thread_local Buffers buffers;
  const auto element = elements[as_size(atoms[0])];
  const std::size_t kinds = potential_.elements.size();
  const auto shape_of = [&](Index entry) -> const PairShape<double>& {
    const std::int32_t other = elements[as_size(rows.neighbour[as_size(entry)])];
    return shape_[as_size(element) * kinds + as_size(other)];
  };
  // Each channel has as many slots as the most neighbours of an atom of the group.
  std::vector<int> first_slot{0};
  buffers.entry.clear();
  for (int channel = 0; channel < view_.channels; ++channel) {
    const auto begin = static_cast<std::size_t>(first_slot.back());
    std::size_t slots = 0;
    for (std::size_t lane = 0; lane < atoms.size(); ++lane) {
      std::size_t slot = 0;
      for (Index n = rows.first[as_size(atoms[lane])]; n < rows.first[as_size(atoms[lane]) + 1];
           ++n) {
        const std::int32_t other = elements[as_size(rows.neighbour[as_size(n)])];
        const Vec3<double>& r = rows.displacement[as_size(n)];
        const double cutoff = shape_of(n).cutoff;
        if (potential_.channel(other) != channel || !(dot(r, r) < cutoff * cutoff)) continue;
        const std::size_t place = (begin + slot++) * lane_count + lane;
        slots = std::max(slots, slot);
        if (buffers.entry.size() <= place) buffers.entry.resize((begin + slots) * lane_count, -1);
        buffers.entry[place] = n;
      }
    }
    first_slot.push_back(static_cast<int>(begin + slots));
  }

  const Index slots = first_slot.back();
  double* neighbours = grown_buffer(buffers.neighbours, slots * slot_numbers * lane_count);
  for (Index place = 0; place < slots * lane_count; ++place) {
    const Index entry = buffers.entry[as_size(place)];
    PairShape<double> shape = entry < 0 ? shape_[as_size(element) * kinds] : shape_of(entry);
    Vec3<double> r{0.5 * shape.cutoff, 0, 0};
    if (entry < 0)
      shape.weight = 0;
    else
      r = rows.displacement[as_size(entry)];
    const double numbers[slot_numbers] = {
        r.x, r.y, r.z, shape.cutoff, shape.weight, shape.inner_middle, shape.inner_half_width};
    double* to = neighbours + place / lane_count * slot_numbers * lane_count + place % lane_count;
    for (int n = 0; n < slot_numbers; ++n) to[n * lane_count] = numbers[n];
  }

  double energy[lane_count];
  const Index count = components();
  const bool has_gradients = wanted.last == Stage::gradients;
  double* gradient =
      has_gradients ? grown_buffer(buffers.gradient, slots * 3 * lane_count) : nullptr;
  double* found =
      wanted.components ? grown_buffer(buffers.components, count * lane_count) : nullptr;
  const SnapGroup group{&element_view_[as_size(element)],
                        first_slot.data(),
                        neighbours,
                        grown_buffer(buffers.work, AtomWork(view_).size * lane_count),
                        energy,
                        found,
                        gradient};
  if (wanted.component_gradients) return find_component_gradients(group, buffers.entry, wanted);
  const GroupKernels& kernels = group_kernels();
  if (wanted.last == Stage::density) return kernels.density(view_, group);
  (method_ == Method::adjoint ? kernels.by_derivatives : kernels.by_generators)(view_, group);

  for (std::size_t lane = 0; lane < atoms.size(); ++lane) {
    if (wanted.gradients) wanted.gradients->energy[as_size(atoms[lane])] = energy[lane];
    if (wanted.components)
      for (Index k = 0; k < count; ++k)
        wanted.components[atoms[lane] * count + k] = found[as_size(k * lane_count) + lane];
  }
  if (!has_gradients) return;
  for (Index place = 0; place < slots * lane_count; ++place) {
    const Index entry = buffers.entry[as_size(place)];
    if (entry < 0) continue;
    const double* from = gradient + place / lane_count * 3 * lane_count + place % lane_count;
    wanted.gradients->gradient[as_size(entry)] = {from[0], from[lane_count], from[2 * lane_count]};
  }
}

void Snap::find_component_gradients(const SnapGroup& group, std::span<const Index> entries,
                                    const Wanted& wanted) const {
  thread_local Array<double> work_array, gradient_array;
  const ComponentPlanView plan = wanted.plan->view();
  const auto count = as_size(components());
  double* work = grown_buffer(work_array, component_work(view_, plan));
  double* gradient =
      grown_buffer(gradient_array, std::ssize(entries) * static_cast<Index>(3 * count));
  component_kernels().gradients(view_, group, plan, work, gradient);
  for (std::size_t place = 0; place < entries.size(); ++place) {
    if (entries[place] < 0) continue;
    const double* from =
        gradient + place / lane_count * 3 * count * lane_count + place % lane_count;
    Vec3<double>* to = wanted.component_gradients + as_size(entries[place]) * count;
    for (std::size_t k = 0; k < count; ++k, from += 3 * lane_count)
      to[k] = {from[0], from[lane_count], from[2 * lane_count]};
  }
}

}  // namespace larmor::atoms::snap
