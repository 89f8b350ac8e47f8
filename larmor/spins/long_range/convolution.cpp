#include "larmor/spins/long_range/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/fft/fft_buffer.hpp"
#include "larmor/core/fft/plans.hpp"
#include "larmor/spins/long_range/convolution_product.hpp"

namespace larmor::spins {

namespace {

double component(const Mat3<double>& T, Index c) {
  const double value[symmetric_components] = {T.row[0].x, T.row[0].y, T.row[0].z,
                                              T.row[1].y, T.row[1].z, T.row[2].z};
  return value[c];
}
/// The smallest number >= `n` that has no prime factors except for 2, 3, 5 and 7.
Index next_smooth(Index n) {
  for (;; ++n) {
    Index rest = n;
    for (const Index p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

std::array<Index, 3> grid_size(const lattice::Geometry& geometry) {
  std::array<Index, 3> size;
  for (std::size_t d = 0; d < 3; ++d)
    size[d] = geometry.periodic[d] ? geometry.size[d] : next_smooth(2 * geometry.size[d] - 1);
  return size;
}

Index lanes_of(const SpinLayout& layout) { return layout.one_replica() ? 1 : lane_count; }

constexpr Index doubles_of_line = 8;
/// Groups of wave vectors in one task, so few that their numbers stay in the L2 cache.
constexpr Index groups_of_task = 32;
/// Sites of a block of replicas in one task, so few that their numbers stay in the L2 cache.
constexpr Index sites_of_task = 512;

/// Aligned working memory of a product, in addition to the fields.
struct alignas(64) Line {
  double value[doubles_of_line];
};

}  // namespace

struct Convolution::Grid {
  explicit Grid(const lattice::Geometry& geometry)
      : size(grid_size(geometry)),
        points(size[0] * size[1] * size[2]),
        half_points(size[2] * size[1] * (size[0] / 2 + 1)),
        transform(size) {}

  Index groups() const { return (half_points + wave_group - 1) / wave_group; }
  /// Doubles between the fields of a workspace, which are transformed in place. An odd number of
  /// cache lines aligns all fields alike and gives equal points of different fields different
  /// places in the cache.
  Index stride() const {
    return (2 * wave_group * groups() / doubles_of_line | 1) * doubles_of_line;
  }
  /// Rows along x are as long as rows of the spectrum.
  Index point(const std::array<Index, 3>& cell) const {
    return cell[0] + 2 * (size[0] / 2 + 1) * (cell[1] + size[1] * cell[2]);
  }

  std::array<Index, 3> size;
  Index points, half_points;
  GridFft transform;
};

/// The fields of a block: (lane, atom, component), each on the grid or its spectrum.
struct Convolution::Workspace {
  Workspace(const Grid& grid, Index number_of_fields)
      : fields(number_of_fields), stride(grid.stride()), values(stride * fields) {
    // The padding of the last group is multiplied too, so it must be finite.
    for (Index f = 0; f < fields; ++f)
      std::fill(field(f) + 2 * grid.half_points, field(f) + stride, 0.0);
  }
  double* field(Index f) const { return values.data() + f * stride; }

  Index fields, stride;
  FftBuffer values;
};

/// A workspace that returns to the pool at the end of its scope.
class Convolution::WorkspaceLease {
 public:
  WorkspaceLease(const Convolution& owner, Index fields) : owner_(owner) {
    {
      const std::lock_guard lock(owner_.guard_);
      auto& free = owner_.free_;
      const auto fits = std::find_if(free.begin(), free.end(),
                                     [&](const auto& work) { return work->fields == fields; });
      if (fits != free.end()) {
        work_ = std::move(*fits);
        free.erase(fits);
      }
    }
    if (!work_) work_ = std::make_unique<Workspace>(*owner.grid_, fields);
  }
  ~WorkspaceLease() {
    const std::lock_guard lock(owner_.guard_);
    owner_.free_.push_back(std::move(work_));
  }
  WorkspaceLease(const WorkspaceLease&) = delete;
  WorkspaceLease& operator=(const WorkspaceLease&) = delete;
  Workspace& operator*() const { return *work_; }

 private:
  const Convolution& owner_;
  std::unique_ptr<Workspace> work_;
};

Convolution::Convolution(const lattice::Geometry& geometry, const LongRangeCoupling& coupling,
                         const std::vector<std::int32_t>& canonical, int threads)
    : grid_(std::make_unique<Grid>(geometry)),
      cells_(geometry.size),
      sublattices_(geometry.crystal.basis.size()) {
  for (Sublattice& atoms : sublattices_) {
    atoms.position.resize(static_cast<std::size_t>(geometry.cells()));
    atoms.weight.resize(static_cast<std::size_t>(geometry.cells()));
  }
  for (Index position = 0; position < geometry.sites(); ++position) {
    const Index site = canonical[static_cast<std::size_t>(position)];
    Sublattice& atoms = sublattices_[static_cast<std::size_t>(geometry.basis_index(site))];
    const auto cell = static_cast<std::size_t>(site / basis());
    atoms.position[cell] = static_cast<std::int32_t>(position);
    atoms.weight[cell] = coupling.weight(site);
  }
  for (Sublattice& atoms : sublattices_)
    if (std::count(atoms.weight.begin(), atoms.weight.end(), atoms.weight.front()) ==
        geometry.cells())
      atoms.weight = {atoms.weight.front()};
  fill_tensors(geometry, coupling, threads);
}

Convolution::~Convolution() = default;

double Convolution::bytes() const {
  double bytes = 8.0 * static_cast<double>(tensors_.size());
  for (const Sublattice& atoms : sublattices_)
    bytes += 4.0 * static_cast<double>(atoms.position.size()) +
             8.0 * static_cast<double>(atoms.weight.size());
  return bytes;
}

double Convolution::bytes(const lattice::Geometry& geometry, Index replicas, int threads) {
  const std::array<Index, 3> size = grid_size(geometry);
  const auto doubles = static_cast<double>(2 * (size[0] / 2 + 1) * size[1] * size[2]);
  const auto atoms = static_cast<double>(geometry.crystal.basis.size());
  const SpinLayout layout{geometry.sites(), replicas};
  const auto lanes = static_cast<double>(lanes_of(layout));
  const auto at_once = static_cast<double>(std::min<Index>(threads, layout.blocks()));
  const double tables = 3 + 3 * atoms * (atoms - 1);
  // Working memory holds one tensor on the grid while tables are built, and later the active
  // blocks. In addition, there is a field of every spin.
  const double work = std::max<double>(symmetric_components, 3 * atoms * lanes * at_once);
  return 8 * doubles * (tables + work) + 12.0 * static_cast<double>(geometry.sites()) +
         8.0 * static_cast<double>(layout.numbers());
}

double Convolution::gpu_bytes(const lattice::Geometry& geometry, Index replicas,
                              Precision precision) {
  const std::array<Index, 3> size = grid_size(geometry);
  const auto points = static_cast<double>(2 * (size[0] / 2 + 1) * size[1] * size[2]);
  const auto atoms = static_cast<double>(geometry.crystal.basis.size());
  const SpinLayout layout{geometry.sites(), replicas};
  const double number = precision == Precision::single_numbers ? 4 : 8;
  const double tables = 3 + 3 * atoms * (atoms - 1);
  // Working memory holds the fields of a block, a copy by cuFFT, and products if there are many
  // atoms.
  const double work = 3 * 3 * atoms * static_cast<double>(lanes_of(layout));
  // In addition there is a field of every spin, and a second one while energies are measured.
  return number * (points * (tables + work) + 2 * static_cast<double>(layout.numbers())) +
         12.0 * static_cast<double>(geometry.sites());
}

/// Makes the Fourier transforms of T(-d) on the grid for each pair of atoms, where d is the offset
/// of cells. Offsets are cyclic along periodic directions.
void Convolution::fill_tensors(const lattice::Geometry& geometry, const LongRangeCoupling& coupling,
                               int threads) {
  const std::array<Index, 3>& size = grid_->size;
  tensors_.resize(static_cast<std::size_t>(group_tensor_doubles(basis()) * grid_->groups()));
  std::vector<double> row_sum(sublattices_.size());
  const auto add = [&](Index a, Index b) {
    Workspace work(*grid_, symmetric_components);
    std::vector<double> sums(static_cast<std::size_t>(size[1] * size[2]));
    parallel_for(threads, symmetric_components, [&](Index c) { clear(c, work); });
    parallel_for(threads, size[1] * size[2], [&](Index row) {
      for (Index x = 0; x < size[0]; ++x) {
        const std::array<Index, 3> cell{x, row % size[1], row / size[1]};
        std::array<Index, 3> offset;
        bool occurs = true;
        for (std::size_t d = 0; d < 3; ++d) {
          offset[d] = cell[d] < size[d] - cell[d] ? -cell[d] : size[d] - cell[d];
          occurs = occurs && (geometry.periodic[d] || std::abs(offset[d]) < geometry.size[d]);
        }
        if (!occurs) continue;
        const Mat3<double> T = coupling.tensor(static_cast<int>(a), static_cast<int>(b), offset);
        sums[static_cast<std::size_t>(row)] += frobenius_norm(T);
        for (Index c = 0; c < symmetric_components; ++c)
          work.field(c)[grid_->point(cell)] = component(T, c) / static_cast<double>(grid_->points);
      }
    });
    parallel_for(threads, symmetric_components, [&](Index c) {
      forward(c, work);
      store_tensor(c, a, b, work);
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  };
  const double own = add(0, 0);
  for (double& sum : row_sum) sum = own;
  for (Index a = 0; a < basis(); ++a)
    for (Index b = a + 1; b < basis(); ++b) {
      const double sum = add(a, b);
      row_sum[static_cast<std::size_t>(a)] += sum;
      row_sum[static_cast<std::size_t>(b)] += sum;
    }
  double heaviest = 0;
  for (const Sublattice& atoms : sublattices_)
    for (const double weight : atoms.weight) heaviest = std::max(heaviest, std::abs(weight));
  largest_field_ = heaviest * heaviest * *std::max_element(row_sum.begin(), row_sum.end());
}

/// Stores component c of the tensor of atoms a <= b. The tensor of an atom with itself is real.
void Convolution::store_tensor(Index c, Index a, Index b, const Workspace& work) {
  const Index parts = a == b ? 1 : 2, stride = group_tensor_doubles(basis());
  const Index begin = (a == b ? 0 : pair_tensor_begin(basis(), a, b)) + c * parts * wave_group;
  const double* transformed = work.field(c);
  for (Index k = 0; k < grid_->half_points; ++k)
    for (Index part = 0; part < parts; ++part)
      tensors_[static_cast<std::size_t>(k / wave_group * stride + begin + part * wave_group +
                                        place_in_group(k % wave_group))] =
          transformed[2 * k + part];
}

GpuConvolution& Convolution::on_gpu([[maybe_unused]] const Device& device) const {
#if defined(LARMOR_HAS_CUDA)
  const std::lock_guard lock(guard_);
  if (!gpu_) {
    GpuConvolutionTables tables;
    tables.grid = grid_->size;
    tables.cells = cells_;
    tables.atoms = basis();
    tables.tensors = tensors_;
    for (Index cell = 0; cell < cells_[0] * cells_[1] * cells_[2]; ++cell)
      for (const Sublattice& atoms : sublattices_) {
        const auto n = static_cast<std::size_t>(cell);
        tables.position.push_back(atoms.position[n]);
        tables.weight.push_back(atoms.weight[atoms.weight.size() == 1 ? 0 : n]);
      }
    gpu_ = make_gpu_convolution(device, tables);
  }
  return *gpu_;
#else
  throw InternalError("a convolution on a GPU needs a build with CUDA");
#endif
}

void Convolution::store_field(const Device& device, const SpinLayout& layout, const Reals& spins,
                              Index block, const Reals& field) const {
  const Region region("dipole field");
  if (device.backend == Backend::cuda) {
    on_gpu(device).store_field(layout, spins, block, field);
  } else if (device.precision == Precision::single_numbers) {
    store_field_in(device, layout, spins.narrow, block, field.narrow);
  } else {
    store_field_in(device, layout, spins.wide, block, field.wide);
  }
}

void Convolution::store_fields(const Device& device, const SpinLayout& layout, const Reals& spins,
                               Index first_block, Index last_block, const Reals& field) const {
  // Every spin acts on every other, so each rank that shares the lattice transforms all spins.
  if (const Domain* domain = layout.domain)
    domain->complete(domain->context, spins, first_block, last_block);
  for (Index block = first_block; block < last_block; ++block)
    store_field(device, layout, spins, block, field);
}

template <class Real>
void Convolution::store_field_in(const Device& device, const SpinLayout& layout, const Real* spins,
                                 Index block, Real* field) const {
  require_cpu(device);
  const Index lanes = lanes_of(layout);
  const WorkspaceLease lease(*this, 3 * basis() * lanes);
  Workspace& work = *lease;
  // For one replica, all work on a field from the spins and back is done while the field is in the
  // L2 cache. For several replicas, numbers of eight replicas are adjacent, so all fields are
  // gathered together.
  const bool one = layout.one_replica();
  if (!one) gather(device, layout, spins, block, work);
  parallel_for(device.threads, work.fields, [&](Index f) {
    if (one) gather_field(f, layout, spins, work);
    forward(f, work);
  });
  multiply(device, work);
  parallel_for(device.threads, work.fields, [&](Index f) {
    backward(f, work);
    if (one) scatter_field(f, layout, work, field);
  });
  if (!one) scatter(device, layout, block, work, field);
}

void Convolution::transform_only(const Device& device, const SpinLayout& layout,
                                 Index times) const {
  if (device.backend == Backend::cuda) return on_gpu(device).transform_only(layout, times);
  const WorkspaceLease lease(*this, 3 * basis() * lanes_of(layout));
  Workspace& work = *lease;
  // Zeros remain zeros after any number of transforms.
  std::fill_n(work.values.data(), work.stride * work.fields, 0.0);
  for (Index n = 0; n < times * layout.blocks(); ++n) {
    parallel_for(device.threads, work.fields, [&](Index f) { forward(f, work); });
    parallel_for(device.threads, work.fields, [&](Index f) { backward(f, work); });
  }
}

void Convolution::forward(Index f, Workspace& work) const {
  grid_->transform.forward(work.field(f));
}

void Convolution::backward(Index f, Workspace& work) const {
  grid_->transform.backward(work.field(f));
}

/// Calls visit(weight, storage position, point of the grid) for some cells of a sublattice.
template <class Visit>
void Convolution::for_each_place(const Sublattice& atoms, Index first, Index last,
                                 const Visit& visit) const {
  const Index weight_stride = atoms.weight.size() == 1 ? 0 : 1;
  for (Index n = first; n < last;) {
    const Index x = n % cells_[0], row = n / cells_[0];
    const Index end = std::min(last, n - x + cells_[0]);
    const Index shift = grid_->point({x, row % cells_[1], row / cells_[1]}) - n;
    for (; n < end; ++n)
      visit(atoms.weight.data()[n * weight_stride], atoms.position.data()[n], n + shift);
  }
}

/// Sets a field to zero if the grid has points without a cell.
void Convolution::clear(Index f, Workspace& work) const {
  if (grid_->size != cells_) std::fill_n(work.field(f), 2 * grid_->half_points, 0.0);
}

/// Copies one component of the moments of one basis atom in a single replica to the grid. All other
/// points of the grid are zero.
template <class Real>
void Convolution::gather_field(Index f, const SpinLayout& layout, const Real* spins,
                               Workspace& work) const {
  clear(f, work);
  const Sublattice& atoms = sublattices_[static_cast<std::size_t>(f / 3)];
  for_each_place(
      atoms, 0, static_cast<Index>(atoms.position.size()),
      [e = spins + f % 3 * layout.padded_sites(), moments = work.field(f)](
          double weight, Index position, Index point) { moments[point] = weight * e[position]; });
}

template <class Real>
void Convolution::scatter_field(Index f, const SpinLayout& layout, const Workspace& work,
                                Real* field) const {
  const Sublattice& atoms = sublattices_[static_cast<std::size_t>(f / 3)];
  for_each_place(atoms, 0, static_cast<Index>(atoms.position.size()),
                 [h = field + f % 3 * layout.padded_sites(), convolved = work.field(f)](
                     double weight, Index position, Index point) {
                   h[position] = static_cast<Real>(weight * convolved[point]);
                 });
}

/// Calls visit(weight, offset in the spin layout, offset in a workspace) for the first lane of each
/// number of a block.
template <class Visit>
void Convolution::for_each_moment(const Device& device, const SpinLayout& layout, Index block,
                                  const Visit& visit) const {
  const Index start = block * 3 * layout.padded_sites() * lane_count;
  const Index cells = cells_[0] * cells_[1] * cells_[2];
  const Index tasks = (cells + sites_of_task - 1) / sites_of_task;
  parallel_for(device.threads, basis() * tasks, [&](Index task) {
    const Index atom = task / tasks, first = task % tasks * sites_of_task;
    for (Index c = 0; c < 3; ++c) {
      const Index field = (3 * atom + c) * grid_->stride();
      for_each_place(sublattices_[static_cast<std::size_t>(atom)], first,
                     std::min(cells, first + sites_of_task),
                     [&](double weight, Index position, Index point) {
                       visit(weight, start + (3 * position + c) * lane_count, field + point);
                     });
    }
  });
}

/// Copies moments to the grid. All other points of the grid are zero.
template <class Real>
void Convolution::gather(const Device& device, const SpinLayout& layout, const Real* spins,
                         Index block, Workspace& work) const {
  double* moments = work.values.data();
  const Index of_lane = 3 * basis() * work.stride;
  parallel_for(device.threads, work.fields, [&](Index f) { clear(f, work); });
  for_each_moment(device, layout, block, [=](double weight, Index spin, Index point) {
    for (Index lane = 0; lane < lane_count; ++lane)
      moments[point + lane * of_lane] = weight * spins[spin + lane];
  });
}

template <class Real>
void Convolution::scatter(const Device& device, const SpinLayout& layout, Index block,
                          const Workspace& work, Real* field) const {
  const double* convolved = work.values.data();
  const Index of_lane = 3 * basis() * work.stride;
  for_each_moment(device, layout, block, [=](double weight, Index spin, Index point) {
    for (Index lane = 0; lane < lane_count; ++lane)
      field[spin + lane] = static_cast<Real>(weight * convolved[point + lane * of_lane]);
  });
}

void Convolution::multiply(const Device& device, Workspace& work) const {
  const Index groups = grid_->groups(), fields_of_lane = 3 * basis();
  const ProductKernel product = product_kernel();
  parallel_for(device.threads, (groups + groups_of_task - 1) / groups_of_task, [&](Index task) {
    std::vector<Line> lines(static_cast<std::size_t>(6 * basis()));
    ProductRequest request;
    request.atoms = basis();
    request.first = task * groups_of_task;
    request.last = std::min(groups, request.first + groups_of_task);
    request.tensors = tensors_.data();
    request.field_stride = work.stride;
    request.work = lines.front().value;
    // The tensors of this task stay in cache while the loop goes over the replicas of the block.
    for (Index f = 0; f < work.fields; f += fields_of_lane) {
      request.fields = work.field(f);
      product(request);
    }
  });
}

}  // namespace larmor::spins
