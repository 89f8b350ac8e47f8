#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "larmor/atoms/potentials/zbl/gpu_zbl.hpp"
#include "larmor/atoms/system/loops.cuh"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/device/memory.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/evaluation/evaluator.hpp"
#include "larmor/fitting/gpu_rows.hpp"

namespace larmor::fitting {
namespace {

using atoms::AtomArray;
using atoms::AtomState;
using atoms::GpuRowsView;
using atoms::SymmetricTensor;
using atoms::warps_of_block;

/// A potential without energy, which makes the force field search neighbours within a cutoff.
class NoEnergy : public atoms::GpuPotential {
 public:
  explicit NoEnergy(double cutoff) : cutoff_(cutoff) {}
  double cutoff() const override { return cutoff_; }
  void evaluate(const GpuRowsView& rows, const std::int32_t*, double* energy,
                Vec3<double>* gradient, bool adds, CUstream_st* stream) override {
    if (adds) return;
    const auto clear = [&](void* numbers, std::size_t bytes) {
      cuda::check(cudaMemsetAsync(numbers, 0, bytes, stream), "clearing energies");
    };
    clear(energy, static_cast<std::size_t>(rows.atoms) * sizeof(double));
    clear(gradient, static_cast<std::size_t>(rows.entries()) * sizeof(Vec3<double>));
  }

 private:
  double cutoff_;
};

/// The places of the rows of a configuration in the array of a batch; null: it has no such rows.
struct RowsOfConfiguration {
  double *energy, *force, *stress;
  double per_atom, per_volume;  ///< as for the sums of a CPU
};

/// Data of all columns of one function.
struct ColumnView {
  Column function;
  GpuRowsView rows;
  const std::int32_t *element, *configuration;  ///< [atoms]
  const Index* first_atom;                      ///< [configurations + 1]
  const RowsOfConfiguration* place;             ///< [configurations]
  int elements;
  Index width, of_element, column;       ///< column of the first element
  const double *B_k, *B_l;               ///< [atoms]
  const Vec3<double>*slope_k, *slope_l;  ///< [entries]

  __device__ Vec3<double> gradient(Index atom, Index entry) const {
    return function.gradient(B_k[atom], B_l[atom], slope_k[entry], slope_l[entry]);
  }
};

constexpr unsigned every_lane = 0xffffffffu;

__device__ double sum_of_warp(double x) {
  for (int other = warp_size / 2; other > 0; other /= 2) x += __shfl_xor_sync(every_lane, x, other);
  return x;
}

/// A warp sums the force on an atom for the columns of every element, and the virial of the atom's
/// own pairs.
__global__ void __launch_bounds__(warps_of_block* warp_size)
    add_forces(const __grid_constant__ ColumnView view, SymmetricTensor* virial) {
  const Index atom = Index(blockIdx.x) * warps_of_block + threadIdx.x / warp_size;
  const int lane = static_cast<int>(threadIdx.x % warp_size);
  if (atom >= view.rows.atoms) return;
  const std::int32_t configuration = view.configuration[atom];
  const RowsOfConfiguration& place = view.place[configuration];
  const int count = view.rows.count[atom];
  for (int element = 0; element < view.elements; ++element) {
    const bool is_own = view.element[atom] == element;
    double sum[9] = {};
    for (int n = lane; n < count; n += warp_size) {
      const Index entry = view.rows.entry(atom, n), other = view.rows.neighbour[entry];
      Vec3<double> force{0, 0, 0};
      if (is_own) {
        const Vec3<double> g = view.gradient(atom, entry), r = view.rows.displacement[entry];
        force = g;
        sum[3] -= r.x * g.x;
        sum[4] -= r.y * g.y;
        sum[5] -= r.z * g.z;
        sum[6] -= r.x * g.y;
        sum[7] -= r.x * g.z;
        sum[8] -= r.y * g.z;
      }
      if (view.element[other] == element)
        force = force - view.gradient(other, view.rows.entry(other, view.rows.mirror[entry]));
      sum[0] += force.x;
      sum[1] += force.y;
      sum[2] += force.z;
    }
#pragma unroll
    for (double& each : sum) each = sum_of_warp(each);
    if (lane != 0) continue;
    if (is_own)
      for (std::size_t d = 0; d < 6; ++d) virial[atom][d] = sum[3 + d];
    if (place.force == nullptr) continue;
    double* const to = place.force + 3 * (atom - view.first_atom[configuration]) * view.width +
                       view.column + element * view.of_element;
    for (int d = 0; d < 3; ++d) to[d * view.width] = sum[d];
  }
}

/// Value and virial of the atoms of one element.
struct ValueAndVirialTerm {
  ColumnView view;
  const SymmetricTensor* virial;
  int wanted;

  __device__ std::array<double, 7> operator()(Index atom) const {
    if (view.element[atom] != wanted) return {};
    const SymmetricTensor& w = virial[atom];
    return {
        view.function.value(view.B_k[atom], view.B_l[atom]), w[0], w[1], w[2], w[3], w[4], w[5]};
  }
};

struct StoreEnergyAndStress {
  ColumnView view;
  int wanted;

  __device__ void operator()(Index configuration, const std::array<double, 7>& sum) const {
    const RowsOfConfiguration& place = view.place[configuration];
    const Index column = view.column + wanted * view.of_element;
    if (place.energy != nullptr) place.energy[column] = place.per_atom * sum[0];
    if (place.stress == nullptr) return;
    for (std::size_t d = 0; d < 6; ++d)
      place.stress[static_cast<Index>(d) * view.width + column] = place.per_volume * sum[d + 1];
  }
};

atoms::snap::SnapPotential without_products(atoms::snap::SnapPotential form) {
  form.parameters.quadraticflag = false;
  const auto count =
      atoms::snap::coefficient_count(form.parameters, static_cast<int>(form.elements.size()));
  for (atoms::snap::SnapElement& element : form.elements)
    element.coefficients.assign(static_cast<std::size_t>(count), 0);
  return form;
}

std::vector<std::int32_t> counted(std::size_t count) {
  std::vector<std::int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

template <class T>
AtomArray<T> on_device(const Device& device, const std::vector<T>& numbers) {
  return AtomArray<T>(device, std::span<const T>(numbers));
}

}  // namespace

/// Configurations with rows, and their data on the GPU.
struct GpuRows::Work {
  Work(const GpuRows& source, std::span<const Configuration> all, const RowBatch& batch) {
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (batch.of_configuration()[n].numbers.empty()) continue;
      chosen.push_back(&all[n]);
      rows.push_back(&batch.of_configuration()[n]);
    }
    if (chosen.empty()) return;
    std::vector<atoms::Structure> structures;
    for (const Configuration* const configuration : chosen)
      structures.push_back({configuration->frame.atoms.box, configuration->frame.atoms.positions,
                            fitting::elements_of(source.design_.settings(), configuration->frame)});
    // Masses have no effect, because nothing moves.
    const std::vector<double> masses(source.elements_.size(), 1);
    state = std::make_unique<AtomState>(atoms::AtomUnits::material(), masses, structures, 0,
                                        source.device_);
  }

  std::vector<const Configuration*> chosen;
  std::vector<const Rows*> rows;     ///< rows of these configurations
  std::unique_ptr<AtomState> state;  ///< a replica for each of them
  GpuRowsView neighbours{};
  AtomArray<double> B;               ///< (component, atom)
  AtomArray<Vec3<double>> gradient;  ///< (component, entry)
};

GpuRows::GpuRows(const Device& device, const Design& design)
    : design_(design),
      device_(device),
      elements_(counted(design.settings().form.elements.size())),
      linear_(without_products(design.settings().form)),
      snap_(linear_, elements_, device),
      cutoff_(snap_.cutoff()) {
  std::vector<std::unique_ptr<atoms::GpuPotential>> terms;
  terms.push_back(std::make_unique<NoEnergy>(snap_.cutoff()));
  if (const std::optional<atoms::Zbl> zbl = reference_of(design.settings())) {
    cutoff_ = std::max(cutoff_, zbl->cutoff());
    terms.push_back(std::make_unique<atoms::GpuZbl>(*zbl, device));
  }
  reference_ = std::make_unique<atoms::GpuForceField>(std::move(terms), 0.0);
  std::size_t free = 0, whole = 0;
  cuda::check(cudaMemGetInfo(&free, &whole), "asking for the free memory of the GPU");
  most_bytes_ = std::min(static_cast<double>(free) / 4, 8e9);
}

double GpuRows::share_of_batch(const Configuration& configuration) const {
  constexpr double room = 1.5;
  const atoms::Box& box = configuration.frame.atoms.box;
  const auto count = static_cast<double>(configuration.atoms());
  const double volume = box.volume(), ball = 4.0 / 3 * std::numbers::pi * std::pow(cutoff_, 3);
  const double neighbours = volume > 0 ? ball * count / volume : count;
  const double of_atom =
      room * (neighbours + 8) * snap_.components() * static_cast<double>(sizeof(Vec3<double>)) +
      3 * sizeof(double) * static_cast<double>(design_.columns() + 1);
  return count * of_atom / most_bytes_;
}

void GpuRows::find_neighbours(Work& work) {
  try {
    do {
      reference_->evaluate(*work.state);
    } while (!reference_->complete_steps(*work.state));
  } catch (const UnphysicalError&) {
    // The CPU finds the error of the GPU again, and names the line of the file.
    for (const Configuration* const configuration : work.chosen)
      evaluation::neighbours_of(configuration->frame, cutoff_);
    throw;
  }
  work.neighbours = reference_->rows();
}

void GpuRows::find_components(Work& work) {
  const Index count = work.neighbours.atoms, entries = work.neighbours.entries();
  const int components = snap_.components();
  work.B = AtomArray<double>(device_, components * count);
  work.gradient = AtomArray<Vec3<double>>(device_, components * entries);
  for (int k = 0; k < components; ++k) {
    atoms::snap::SnapPotential one = linear_;
    for (atoms::snap::SnapElement& element : one.elements)
      element.coefficients[static_cast<std::size_t>(k) + 1] = 1;
    snap_.set_coefficients(one);
    snap_.evaluate(work.neighbours, work.state->type.data(), work.B.data() + k * count,
                   work.gradient.data() + k * entries, false, cuda::stream(device_.ordinal));
  }
}

void GpuRows::find_columns(Work& work, RowBatch& batch) {
  const Index width = design_.columns() + 1, count = work.neighbours.atoms;
  AtomArray<double> numbers(device_, std::ssize(batch.numbers()));
  std::vector<Index> first_atom;
  std::vector<std::int32_t> configuration_of_atom;
  std::vector<RowsOfConfiguration> places;
  for (std::size_t n = 0; n < work.chosen.size(); ++n) {
    const Configuration& configuration = *work.chosen[n];
    first_atom.push_back(std::ssize(configuration_of_atom));
    configuration_of_atom.insert(configuration_of_atom.end(),
                                 static_cast<std::size_t>(configuration.atoms()),
                                 static_cast<std::int32_t>(n));
    const Rows& rows = *work.rows[n];
    const auto at = [&](Kind kind) -> double* {
      if (!rows.has(kind)) return nullptr;
      return numbers.data() + (rows.numbers.data() - batch.numbers().data()) +
             rows.first_of(kind) * width;
    };
    places.push_back({at(Kind::energy), at(Kind::force), at(Kind::stress),
                      1 / static_cast<double>(configuration.atoms()),
                      design_.stress_of_virial(configuration)});
  }
  const AtomArray<Index> first_on_device = on_device(device_, first_atom);
  const AtomArray<std::int32_t> of_atom = on_device(device_, configuration_of_atom);
  const AtomArray<RowsOfConfiguration> place = on_device(device_, places);
  AtomArray<SymmetricTensor> virial(device_, count);
  const auto elements = static_cast<int>(elements_.size());
  const auto blocks = static_cast<unsigned>((count + warps_of_block - 1) / warps_of_block);
  const Index entries = work.neighbours.entries();
  Index column = design_.first_column(0);
  for (const Column& function : design_.functions()) {
    const ColumnView view{function,
                          work.neighbours,
                          work.state->type.data(),
                          of_atom.data(),
                          first_on_device.data(),
                          place.data(),
                          elements,
                          width,
                          design_.coefficients_of_element(),
                          column++,
                          work.B.data() + function.k * count,
                          work.B.data() + function.l * count,
                          work.gradient.data() + function.k * entries,
                          work.gradient.data() + function.l * entries};
    cuda::launch(cuda::stream(device_.ordinal), {blocks, warps_of_block * warp_size, 0}, add_forces,
                 view, virial.data());
    for (int element = 0; element < elements; ++element)
      atoms::store_replica_sums_on_gpu<7>(device_, work.state->layout.view(),
                                          ValueAndVirialTerm{view, virial.data(), element},
                                          StoreEnergyAndStress{view, element});
  }
  copy_bytes(Device::cpu(), batch.numbers().data(), device_, numbers.data(),
             batch.numbers().size_bytes());
}

void GpuRows::compute(std::span<const Configuration> configurations, RowBatch& batch) {
  batch.lay_out(design_, configurations);
  Work work(*this, configurations, batch);
  if (work.chosen.empty()) return;
  find_neighbours(work);
  find_components(work);
  find_columns(work, batch);
  const std::vector<Vec3<double>> force = work.state->force.to_host();
  const std::vector<double> energy = work.state->energy.to_host();
  const std::vector<SymmetricTensor> virial = work.state->virial.to_host();
  parallel_for(device_.threads, std::ssize(work.chosen), [&](Index replica) {
    const auto n = static_cast<std::size_t>(replica);
    const auto first = force.begin() + work.state->layout.first(replica);
    design_.add_constants(*work.chosen[n], *work.rows[n]);
    design_.set_targets(*work.chosen[n],
                        {energy[n], {first, first + work.chosen[n]->atoms()}, virial[n]},
                        *work.rows[n]);
  });
}

}  // namespace larmor::fitting
