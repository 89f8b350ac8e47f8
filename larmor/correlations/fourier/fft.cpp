#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/fft/fft_buffer.hpp"
#include "larmor/core/fft/plans.hpp"
#include "larmor/core/simd/slots.hpp"
#include "larmor/correlations/fourier/transforms.hpp"

namespace larmor::correlations {
namespace {

/// Blocks of replicas are transformed together up to this size of their columns.
constexpr double bytes_at_once = 256.0 * 1048576;

Index blocks_of(Index replicas, Index lanes) { return (replicas + lanes - 1) / lanes; }

Index blocks_at_once(double bytes_of_block, Index blocks) {
  return std::clamp(static_cast<Index>(bytes_at_once / bytes_of_block), Index{1}, blocks);
}

double column_bytes(const PlanesOfCells& planes, Index columns, Index basis, Index lanes) {
  return 16.0 * static_cast<double>(3 * lanes * planes.count()) *
         static_cast<double>(columns * basis);
}

double* as_numbers(std::complex<double>* z) { return reinterpret_cast<double*>(z); }
std::complex<double>* as_complex(const FftBuffer& buffer) {
  return reinterpret_cast<std::complex<double>*>(buffer.data());
}

}  // namespace

/// Working memory of one thread.
struct FftTransform::Workspace {
  FftBuffer plane, half_spectrum, column;
};

/// Plans that transform several interleaved fields at once: 24 fields of a block of replicas, or 3
/// fields of one replica.
class FftTransform::Plans {
 public:
  Plans(const PlanesOfCells& planes, Index number_of_fields)
      : fields(number_of_fields),
        plane_doubles_(planes.cells_of_plane() * fields),
        half_doubles_(2 * planes.half_cells() * fields),
        column_doubles_(2 * planes.count() * fields),
        plane_(planes.size[planes.slow], planes.size[planes.fast], fields),
        column_(planes.count(), fields, FftDirection::forward, FftMemory::aligned) {}

  void make_workspaces(int threads) {
    while (std::ssize(workspaces_) < threads) workspaces_.push_back(make_workspace());
  }
  /// Workspace of this thread.
  const Workspace& workspace() const {
    return workspaces_[static_cast<std::size_t>(thread_number())];
  }
  void transform_plane(const Workspace& work) const {
    plane_(work.plane.data(), as_complex(work.half_spectrum));
  }
  void transform_column(const Workspace& work) const { column_(as_complex(work.column)); }

  const Index fields;

 private:
  Workspace make_workspace() const {
    return {FftBuffer(plane_doubles_), FftBuffer(half_doubles_), FftBuffer(column_doubles_)};
  }

  Index plane_doubles_, half_doubles_, column_doubles_;
  PlaneFft plane_;
  LineFft column_;
  std::vector<Workspace> workspaces_;  ///< one per thread
};

FftTransform::FftTransform(const lattice::Geometry& geometry, const QList& q)
    : planes_(geometry.size),
      spins_(geometry.spins()),
      basis_(static_cast<Index>(geometry.crystal.basis.size())) {
  const HalfSpectrum spectrum(geometry, q, planes_.fast);
  basis_phase_ = spectrum.basis_phase;
  columns_ = columns_of(planes_, spectrum);
}

FftTransform::~FftTransform() = default;

double FftTransform::bytes(const lattice::Geometry& geometry, const QList& q, Index replicas,
                           int threads) {
  const PlanesOfCells planes(geometry.size);
  const Index lanes = replicas > 1 ? lane_count : 1;
  const auto fields = static_cast<double>(3 * lanes);
  const double workspace =
      8 * fields *
      static_cast<double>(planes.cells_of_plane() + 2 * planes.half_cells() + 2 * planes.count());
  const double columns = column_bytes(planes, std::min(q.size(), planes.half_cells()),
                                      static_cast<Index>(geometry.crystal.basis.size()), lanes);
  const Index blocks = blocks_at_once(columns, blocks_of(replicas, lanes));
  // Each thread has a workspace, and the plans need one more.
  return workspace * (threads + 1) + columns * static_cast<double>(blocks) +
         4.0 * static_cast<double>(geometry.sites());
}

Index FftTransform::sites_of_block(const Domain* domain) const {
  return domain != nullptr && planes_.are_whole(domain) ? 1 : 0;
}

void FftTransform::transform(const StridedVectors& spins, int threads, std::complex<double>* out) {
  if (!plans_) prepare(spins);
  plans_->make_workspaces(threads);
  const Index blocks = blocks_of(spins.replicas, spins.lanes);
  const auto columns = static_cast<Index>(columns_.size());
  const Index at_once = blocks_at_once(column_bytes(planes_, columns, basis_, spins.lanes), blocks);
  for (Index first = 0; first < blocks; first += at_once) {
    const Blocks batch{first, std::min(at_once, blocks - first)};
    // Planes that other processes transform stay zero.
    spectrum_.assign(
        static_cast<std::size_t>(batch.count * basis_ * columns * planes_.count() * plans_->fields),
        0);
    transform_planes(spins, batch, threads);
    if (const Domain* domain = spins.domain)
      domain->add_up(domain->context, as_numbers(spectrum_.data()), 2 * std::ssize(spectrum_));
    transform_columns(spins, batch, threads, out);
  }
}

void FftTransform::prepare(const StridedVectors& spins) {
  storage_.resize(static_cast<std::size_t>(spins.sites));
  for (Index position = 0; position < spins.sites; ++position)
    storage_[static_cast<std::size_t>(spins.canonical[position])] =
        static_cast<std::int32_t>(position);
  plans_ = std::make_unique<Plans>(planes_, 3 * spins.lanes);
}

std::complex<double>* FftTransform::column_numbers(Index block, Index atom, Index column) {
  const auto columns = static_cast<Index>(columns_.size());
  return spectrum_.data() +
         ((block * basis_ + atom) * columns + column) * planes_.count() * plans_->fields;
}

void FftTransform::transform_planes(const StridedVectors& spins, const Blocks& batch, int threads) {
  const std::vector<Index> own = planes_.own(spins.domain, spins_);
  const auto planes = static_cast<Index>(own.size()), fields = plans_->fields;
  parallel_for(threads, batch.count * basis_ * planes, [&](Index i) {
    const Index plane = own[static_cast<std::size_t>(i % planes)];
    const Index atom = i / planes % basis_, block = i / (planes * basis_);
    const Workspace& work = plans_->workspace();
    gather(spins, batch.first + block, atom, plane, work.plane.data());
    plans_->transform_plane(work);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const double* from = work.half_spectrum.data() + 2 * columns_[c].place * fields;
      double* to = as_numbers(column_numbers(block, atom, static_cast<Index>(c)) + plane * fields);
      // The addition replaces -0 by +0, because a sum over processes does so too.
      for (Index n = 0; n < 2 * fields; ++n) to[n] = from[n] + 0.0;
    }
  });
}

/// @param plane_of_fields (cell, 3, lane)
void FftTransform::gather(const StridedVectors& spins, Index block, Index atom, Index plane,
                          double* plane_of_fields) const {
  double* to = plane_of_fields;
  for (Index row = 0; row < planes_.size[planes_.slow]; ++row)
    for (Index n = 0; n < planes_.size[planes_.fast]; ++n) {
      const Index site = atom + basis_ * planes_.cell(plane, row, n);
      const double* e = spins.at(block * spins.lanes, storage_[static_cast<std::size_t>(site)]);
      for (Index a = 0; a < 3; ++a)
        for (Index lane = 0; lane < spins.lanes; ++lane)
          *to++ = e[a * spins.component_stride + lane * spins.lane_stride];
    }
}

void FftTransform::transform_columns(const StridedVectors& spins, const Blocks& batch, int threads,
                                     std::complex<double>* out) {
  const auto columns = static_cast<Index>(columns_.size());
  const Index doubles = 2 * planes_.count() * plans_->fields;
  parallel_for(threads, batch.count * columns, [&](Index i) {
    const Index block = i / columns, c = i % columns;
    const Workspace& work = plans_->workspace();
    for (Index atom = 0; atom < basis_; ++atom) {
      const double* from = as_numbers(column_numbers(block, atom, c));
      std::copy(from, from + doubles, work.column.data());
      plans_->transform_column(work);
      for (const SpectrumColumn::Wanted& wanted : columns_[static_cast<std::size_t>(c)].wanted)
        add(spins, batch.first + block, atom, wanted, work.column.data(), out);
    }
  });
}

/// @param column fields of one column: (k, 3, lane, re im)
void FftTransform::add(const StridedVectors& spins, Index block, Index atom,
                       const SpectrumColumn::Wanted& wanted, const double* column,
                       std::complex<double>* out) const {
  const std::complex<double> phase =
      basis_phase_[static_cast<std::size_t>(wanted.q * basis_ + atom)];
  const double* A = column + 2 * wanted.k * plans_->fields;
  const Index lanes = std::min(spins.lanes, spins.replicas - block * spins.lanes);
  for (Index lane = 0; lane < lanes; ++lane) {
    for (Index a = 0; a < 3; ++a) {
      const double* z = A + 2 * (a * spins.lanes + lane);
      const std::complex<double> value(z[0], wanted.conjugated ? -z[1] : z[1]);
      std::complex<double>& sum =
          out[(wanted.q * spins.replicas + block * spins.lanes + lane) * 3 + a];
      sum = atom == 0 ? phase * value : sum + phase * value;
    }
  }
}

}  // namespace larmor::correlations
