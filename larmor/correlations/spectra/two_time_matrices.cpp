#include "larmor/correlations/spectra/two_time_matrices.hpp"

#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/make_pair_sums.hpp"

namespace larmor::correlations::real_space {

TwoTimeMatrices::TwoTimeMatrices(const Settings& settings, std::vector<MatrixColumns> column_blocks)
    : settings_(settings), column_blocks_(std::move(column_blocks)) {}

const spins::SpinState& TwoTimeMatrices::next(const spins::SpinState& own) {
  if (added_ == settings_.samples) throw InternalError("more samples than announced");
  if (own.layout().study_replicas() != settings_.replicas || own.layout().sites != settings_.sites)
    throw InternalError("spins of another system were given to correlations in real space");
  return all_replicas(own);
}

const spins::SpinState& TwoTimeMatrices::all_replicas(const spins::SpinState& own) {
  if (settings_.world == nullptr) return own;
  if (!ranks_) ranks_ = std::make_unique<PairRanks>(*settings_.world, own.device());
  return ranks_->all_replicas(own);
}

void TwoTimeMatrices::begin(const spins::SpinState& state) {
  latest_.emplace(state, settings_.connected ? MatrixOf::centred : MatrixOf::spins);
  if (first_.empty()) {
    latest_->fill(state);
    first_ = latest_->to_host();
  }
  // BITS: in every run the first sample is copied from the host, because a resumed run has it only
  // there.
  if (column_blocks_.size() == 1) {
    latest_->set(first_);
    return;
  }
  first_matrix_.emplace(state, MatrixOf::spins);
  first_matrix_->set(first_);
  column_copy_ = Array<double>(state.device(), latest_->sites() * width());
}

const double* TwoTimeMatrices::first_columns(const MatrixColumns& columns) {
  return first_matrix_ ? copied_columns(*first_matrix_, columns) : nullptr;
}

const double* TwoTimeMatrices::latest_columns(const MatrixColumns& columns) {
  return first_matrix_ ? copied_columns(*latest_, columns) : latest_->data();
}

const double* TwoTimeMatrices::copied_columns(const SpinMatrix& matrix,
                                              const MatrixColumns& columns) {
  copy_columns(matrix.device(), matrix.data(), matrix.sites(), matrix.numbers(), columns, width(),
               column_copy_.data());
  return column_copy_.data();
}

Index TwoTimeMatrices::share_count(const Device& device, Index sums) const {
  const int ranks = ranks_ ? ranks_->share().count : 1;
  const auto sites = static_cast<double>(latest_->sites());
  const double multiply_adds =
      sites * sites * static_cast<double>(width() * column_block_count() * sums);
  return shares_of_pair_sums(device, latest_->sites(), multiply_adds / ranks, ranks);
}

void TwoTimeMatrices::save(std::vector<double>& saved) const {
  saved.insert(saved.end(), first_.begin(), first_.end());
  saved.push_back(static_cast<double>(added_));
}

std::span<const double> TwoTimeMatrices::load(std::span<const double> saved,
                                              Index numbers_of_sample, Index numbers_of_first) {
  const InputError other("the checkpoint's correlations do not fit the study",
                         "resume the results to which this checkpoint belongs");
  const double added = saved.empty() ? -1 : saved.back();
  if (!(added >= 0 && added <= static_cast<double>(settings_.samples))) throw other;
  const auto samples = static_cast<Index>(added);
  const Index first = samples == 0 ? 0 : 3 * settings_.spins * settings_.replicas;
  const Index before = samples * numbers_of_sample + (samples == 0 ? 0 : numbers_of_first);
  if (std::ssize(saved) != before + first + 1) throw other;
  added_ = samples;
  const auto rest = saved.subspan(static_cast<std::size_t>(before));
  first_.assign(rest.begin(), rest.end() - 1);
  return saved.first(static_cast<std::size_t>(before));
}

double TwoTimeMatrices::bytes(Index spins, Index replicas) {
  return 24.0 * static_cast<double>(spins * replicas);
}

double TwoTimeMatrices::working_bytes(Index spins, Index replicas,
                                      const std::vector<MatrixColumns>& column_blocks) {
  const Index matrix = 3 * replicas;
  const Index numbers = column_blocks.size() > 1 ? 2 * matrix + width_of(column_blocks) : matrix;
  return 8.0 * static_cast<double>(spins * numbers);
}

}  // namespace larmor::correlations::real_space
