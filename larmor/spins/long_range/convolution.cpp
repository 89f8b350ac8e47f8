#include "larmor/spins/long_range/convolution.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/fft_buffer.hpp"
#include "larmor/core/parallel.hpp"

namespace larmor::spins {
namespace {

/// Components of a symmetric matrix, in the order they are stored.
constexpr int symmetric_components = 6;
double component(const Mat3<double>& T, int c) {
  const double value[symmetric_components] = {T.row[0].x, T.row[0].y, T.row[0].z,
                                              T.row[1].y, T.row[1].z, T.row[2].z};
  return value[c];
}
/// The smallest number not under `n` whose prime factors are 2, 3, 5 and 7.
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

/// Wave vectors worked on at once: their numbers stay in the first cache.
constexpr Index chunk = 256;
constexpr Index sites_of_task = 4096;

/// A complex number in one register.
using Complex = double __attribute__((vector_size(16)));
Complex load(const double* p) { return Complex{p[0], p[1]}; }
Complex times_i(Complex z) { return Complex{-z[1], z[0]}; }

void store(double* p, Complex z) {
  p[0] = z[0];
  p[1] = z[1];
}

struct Factor {
  double re, im;
  friend Complex operator*(Factor t, Complex z) { return t.re * z + t.im * times_i(z); }
};

/// h += T m. @param T(c) component c of a symmetric matrix, real or complex
template <class Entry>
void add_product(const Entry& T, const Complex* m, Complex* h) {
  h[0] += T(0) * m[0] + T(1) * m[1] + T(2) * m[2];
  h[1] += T(1) * m[0] + T(3) * m[1] + T(4) * m[2];
  h[2] += T(2) * m[0] + T(4) * m[1] + T(5) * m[2];
}

}  // namespace

struct Convolution::Grid {
  explicit Grid(const lattice::Geometry& geometry)
      : size(grid_size(geometry)),
        points(size[0] * size[1] * size[2]),
        half_points(size[2] * size[1] * (size[0] / 2 + 1)) {
    const int n[3] = {static_cast<int>(size[2]), static_cast<int>(size[1]),
                      static_cast<int>(size[0])};
    const FftBuffer real(points), complex(2 * half_points);
    auto* spectrum = reinterpret_cast<fftw_complex*>(complex.data());
    // Estimated, never measured: the same plan, hence the same bits, every time.
    forward = fftw_plan_dft_r2c(3, n, real.data(), spectrum, FFTW_ESTIMATE);
    backward = fftw_plan_dft_c2r(3, n, spectrum, real.data(), FFTW_ESTIMATE);
    if (forward == nullptr || backward == nullptr) throw InternalError("FFTW made no plan");
  }
  ~Grid() {
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  /// Doubles between the fields of a workspace: whole cache lines, so that all are aligned alike.
  static Index padded(Index doubles) { return (doubles + 15) / 16 * 16; }
  Index real_stride() const { return padded(points); }
  Index complex_stride() const { return padded(2 * half_points); }
  Index point(const std::array<Index, 3>& cell) const {
    return cell[0] + size[0] * (cell[1] + size[1] * cell[2]);
  }

  std::array<Index, 3> size;
  Index points, half_points;
  fftw_plan forward, backward;
};

/// The fields of a block: (lane, atom, component), each on the grid.
struct Convolution::Workspace {
  Workspace(const Grid& grid, Index number_of_fields)
      : fields(number_of_fields),
        real(grid.real_stride() * fields),
        spectrum(grid.complex_stride() * fields) {}
  Index fields;
  FftBuffer real, spectrum;
};

/// A workspace that goes back when done with.
class Convolution::Borrowed {
 public:
  Borrowed(const Convolution& owner, Index fields) : owner_(owner) {
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
  ~Borrowed() {
    const std::lock_guard lock(owner_.guard_);
    owner_.free_.push_back(std::move(work_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Workspace& operator*() const { return *work_; }

 private:
  const Convolution& owner_;
  std::unique_ptr<Workspace> work_;
};

Convolution::Convolution(const lattice::Geometry& geometry, const LongRangeCoupling& coupling,
                         const std::vector<std::int32_t>& canonical, int threads)
    : grid_(std::make_unique<Grid>(geometry)),
      basis_(static_cast<Index>(geometry.crystal.basis.size())) {
  places_.resize(static_cast<std::size_t>(basis_));
  for (Index position = 0; position < geometry.sites(); ++position) {
    const Index site = canonical[static_cast<std::size_t>(position)];
    const Index cell = grid_->point(geometry.decode(site).cell);
    places_[static_cast<std::size_t>(geometry.basis_index(site))].push_back(
        {static_cast<std::int32_t>(position), cell, coupling.weight(site)});
  }
  fill_spectrum(geometry, coupling, threads);
}

Convolution::~Convolution() = default;

double Convolution::bytes() const {
  double sites = 0;
  for (const auto& places : places_) sites += static_cast<double>(places.size());
  return 8.0 * static_cast<double>(spectrum_.size()) + sizeof(Place) * sites;
}

double Convolution::bytes(const lattice::Geometry& geometry, Index replicas, int threads) {
  const std::array<Index, 3> size = grid_size(geometry);
  const auto points = static_cast<double>(size[0] * size[1] * size[2]);
  const auto atoms = static_cast<double>(geometry.crystal.basis.size());
  const SpinLayout layout{geometry.sites(), replicas};
  const auto lanes = static_cast<double>(lanes_of(layout));
  const auto at_once = static_cast<double>(std::min<Index>(threads, layout.blocks()));
  // Tables; two fields of three components at a time on the grid; a field of every spin.
  return 8 * points * (3 * atoms * atoms + 3 * atoms * lanes * 2 * at_once) +
         8.0 * static_cast<double>(layout.numbers());
}

/// T(-d) on the grid, transformed, for each pair of atoms; cyclic along periodic directions.
void Convolution::fill_spectrum(const lattice::Geometry& geometry,
                                const LongRangeCoupling& coupling, int threads) {
  const std::array<Index, 3>& size = grid_->size;
  std::vector<double> row_sum(static_cast<std::size_t>(basis_));
  for (int a = 0; a < basis_; ++a) {
    for (int b = a; b < basis_; ++b) {
      std::vector<Mat3<double>> tensor(static_cast<std::size_t>(grid_->points));
      parallel_for(threads, size[1] * size[2], [&](Index row) {
        for (Index x = 0; x < size[0]; ++x) {
          const std::array<Index, 3> cell{x, row % size[1], row / size[1]};
          std::array<Index, 3> offset;
          bool occurs = true;
          for (std::size_t d = 0; d < 3; ++d) {
            offset[d] = cell[d] < size[d] - cell[d] ? -cell[d] : size[d] - cell[d];
            occurs = occurs && (geometry.periodic[d] || std::abs(offset[d]) < geometry.size[d]);
          }
          if (occurs)
            tensor[static_cast<std::size_t>(grid_->point(cell))] = coupling.tensor(a, b, offset);
        }
      });
      double sum = 0;
      for (const Mat3<double>& T : tensor)
        sum +=
            std::sqrt(dot(T.row[0], T.row[0]) + dot(T.row[1], T.row[1]) + dot(T.row[2], T.row[2]));
      row_sum[static_cast<std::size_t>(a)] += sum;
      if (a != b) row_sum[static_cast<std::size_t>(b)] += sum;
      const std::size_t pair = first_of_pair_.size();
      first_of_pair_.push_back(spectrum_.size());
      transform_tensor(tensor, pair, a == b);
    }
  }
  double heaviest = 0;
  for (const auto& places : places_)
    for (const Place& place : places) heaviest = std::max(heaviest, std::abs(place.weight));
  largest_field_ = heaviest * heaviest * *std::max_element(row_sum.begin(), row_sum.end());
}

/// Of an atom with itself the transform is real.
void Convolution::transform_tensor(const std::vector<Mat3<double>>& tensor, std::size_t pair,
                                   bool same_atom) {
  const FftBuffer real(grid_->points), complex(2 * grid_->half_points);
  const Index parts = same_atom ? 1 : 2;
  spectrum_.resize(first_of_pair_[pair] +
                   static_cast<std::size_t>(symmetric_components * parts * grid_->half_points));
  for (int c = 0; c < symmetric_components; ++c) {
    for (Index n = 0; n < grid_->points; ++n)
      real.data()[n] =
          component(tensor[static_cast<std::size_t>(n)], c) / static_cast<double>(grid_->points);
    fftw_execute_dft_r2c(grid_->forward, real.data(),
                         reinterpret_cast<fftw_complex*>(complex.data()));
    double* out = spectrum_.data() + first_of_pair_[pair] + c * parts;
    for (Index k = 0; k < grid_->half_points; ++k)
      for (Index part = 0; part < parts; ++part)
        out[symmetric_components * parts * k + part] = complex.data()[2 * k + part];
  }
}

void Convolution::store_field(const Device& device, const SpinLayout& layout,
                              const Reals& spin_numbers, Index block,
                              const Reals& field_numbers) const {
  require_cpu(device);
  if (device.precision != Precision::double_numbers)
    throw InternalError("a convolution was asked for single precision");
  const double* spins = spin_numbers.wide;
  double* field = field_numbers.wide;
  const Index lanes = lanes_of(layout);
  const Borrowed borrowed(*this, 3 * basis_ * lanes);
  Workspace& work = *borrowed;
  // One replica: a field goes through the second cache on its way from and to the spins. The lanes
  // of many replicas are packed together, for they lie side by side.
  const bool one = layout.one_replica();
  if (!one) gather(device, layout, spins, block, work);
  parallel_for(device.threads, work.fields, [&](Index f) {
    if (one) gather_field(f, layout, spins, work);
    forward(f, work);
  });
  multiply(device, lanes, work);
  parallel_for(device.threads, work.fields, [&](Index f) {
    backward(f, work);
    if (one) scatter_field(f, layout, work, field);
  });
  if (!one) scatter(device, layout, block, work, field);
}

void Convolution::transform_only(const Device& device, const SpinLayout& layout,
                                 Index times) const {
  const Borrowed borrowed(*this, 3 * basis_ * lanes_of(layout));
  Workspace& work = *borrowed;
  // Zeros stay zeros however often they are transformed.
  std::fill_n(work.real.data(), grid_->real_stride() * work.fields, 0.0);
  for (Index n = 0; n < times * layout.blocks(); ++n) {
    parallel_for(device.threads, work.fields, [&](Index f) { forward(f, work); });
    parallel_for(device.threads, work.fields, [&](Index f) { backward(f, work); });
  }
}

void Convolution::forward(Index f, Workspace& work) const {
  fftw_execute_dft_r2c(
      grid_->forward, work.real.data() + f * grid_->real_stride(),
      reinterpret_cast<fftw_complex*>(work.spectrum.data() + f * grid_->complex_stride()));
}

void Convolution::backward(Index f, Workspace& work) const {
  fftw_execute_dft_c2r(
      grid_->backward,
      reinterpret_cast<fftw_complex*>(work.spectrum.data() + f * grid_->complex_stride()),
      work.real.data() + f * grid_->real_stride());
}

/// One component of one atom's moments of a single replica onto the grid, zeros between.
void Convolution::gather_field(Index f, const SpinLayout& layout, const double* spins,
                               Workspace& work) const {
  double* real = work.real.data() + f * grid_->real_stride();
  const double* e = spins + f % 3 * layout.padded_sites();
  if (grid_->points * basis_ != layout.sites) std::fill_n(real, grid_->points, 0.0);
  const auto& places = places_[static_cast<std::size_t>(f / 3)];
  for (const Place& place : places) real[place.cell] = place.weight * e[place.position];
}

void Convolution::scatter_field(Index f, const SpinLayout& layout, const Workspace& work,
                                double* h) const {
  const double* real = work.real.data() + f * grid_->real_stride();
  double* out = h + f % 3 * layout.padded_sites();
  const auto& places = places_[static_cast<std::size_t>(f / 3)];
  for (const Place& place : places) out[place.position] = place.weight * real[place.cell];
}

/// visit(weight, offset in the layout of the spins, offset in a workspace) for each number of a
/// block
template <class Visit>
void Convolution::for_each_moment(const Device& device, const SpinLayout& layout, Index block,
                                  const Visit& visit) const {
  constexpr Index lanes = lane_count;
  const Index start = block * 3 * layout.padded_sites() * lanes;
  const Index of_component = grid_->real_stride(), of_lane = 3 * basis_ * of_component;
  for (std::size_t atom = 0; atom < places_.size(); ++atom) {
    const auto sites = static_cast<Index>(places_[atom].size());
    const Index first = static_cast<Index>(atom) * 3 * of_component;
    parallel_for(device.threads, (sites + sites_of_task - 1) / sites_of_task, [&](Index task) {
      const Index end = std::min(sites, (task + 1) * sites_of_task);
      for (Index n = task * sites_of_task; n < end; ++n) {
        const Place& place = places_[atom][static_cast<std::size_t>(n)];
        const Index vector = start + place.position * 3 * lanes;
        for (Index c = 0; c < 3; ++c)
          for (Index lane = 0; lane < lanes; ++lane)
            visit(place.weight, vector + c * lanes + lane,
                  first + place.cell + c * of_component + lane * of_lane);
      }
    });
  }
}

/// Moments onto the grid, zeros between.
void Convolution::gather(const Device& device, const SpinLayout& layout, const double* spins,
                         Index block, Workspace& work) const {
  double* moments = work.real.data();
  if (grid_->points * basis_ != layout.sites)
    parallel_for(device.threads, work.fields, [&](Index f) {
      std::fill_n(moments + f * grid_->real_stride(), grid_->points, 0.0);
    });
  for_each_moment(device, layout, block, [=](double weight, Index spin, Index point) {
    moments[point] = weight * spins[spin];
  });
}

void Convolution::scatter(const Device& device, const SpinLayout& layout, Index block,
                          const Workspace& work, double* field) const {
  const double* convolved = work.real.data();
  for_each_moment(device, layout, block, [=](double weight, Index spin, Index point) {
    field[spin] = weight * convolved[point];
  });
}

/// h_a = sum_b T_ab m_b for a range of wave vectors, in place. @tparam fixed number of basis atoms,
/// known so that its loops unroll; 0: any
template <Index fixed>
void Convolution::multiply_range(Index first, Index last, double* spectrum) const {
  const Index basis = fixed > 0 ? fixed : basis_;
  const Index stride = grid_->complex_stride();
  std::vector<Complex> any(static_cast<std::size_t>(fixed > 0 ? 0 : 3 * basis));
  Complex known[fixed > 0 ? 3 * fixed : 1];
  Complex* moments = fixed > 0 ? known : any.data();
  const double* tensors = spectrum_.data();
  for (Index k = first; k < last; ++k) {
    for (Index f = 0; f < 3 * basis; ++f) moments[f] = load(spectrum + f * stride + 2 * k);
    for (Index a = 0; a < basis; ++a) {
      Complex h[3] = {};
      for (Index b = 0; b < basis; ++b) {
        const double* tensor = tensors + first_of_pair_[pair_of(a, b)];
        if (a == b) {
          add_product([=](Index c) { return tensor[symmetric_components * k + c]; },
                      moments + 3 * b, h);
        } else {
          // T_ba is the conjugate of T_ab.
          const double sign = a < b ? 1 : -1;
          add_product(
              [=](Index c) {
                const double* T = tensor + 2 * (symmetric_components * k + c);
                return Factor{T[0], sign * T[1]};
              },
              moments + 3 * b, h);
        }
      }
      for (Index c = 0; c < 3; ++c) store(spectrum + (3 * a + c) * stride + 2 * k, h[c]);
    }
  }
}

void Convolution::multiply(const Device& device, Index lanes, Workspace& work) const {
  const Index chunks = (grid_->half_points + chunk - 1) / chunk;
  const Index of_lane = 3 * basis_ * grid_->complex_stride();
  parallel_for(device.threads, chunks, [&](Index n) {
    const Index first = n * chunk, last = std::min(first + chunk, grid_->half_points);
    // The tensors of a chunk stay in cache for all lanes.
    for (Index lane = 0; lane < lanes; ++lane) {
      double* spectrum = work.spectrum.data() + lane * of_lane;
      if (basis_ == 1) {
        multiply_range<1>(first, last, spectrum);
      } else if (basis_ == 2) {
        multiply_range<2>(first, last, spectrum);
      } else {
        multiply_range<0>(first, last, spectrum);
      }
    }
  });
}

std::size_t Convolution::pair_of(Index a, Index b) const {
  const Index low = std::min(a, b), high = std::max(a, b);
  return static_cast<std::size_t>(low * basis_ - low * (low - 1) / 2 + high - low);
}

}  // namespace larmor::spins
