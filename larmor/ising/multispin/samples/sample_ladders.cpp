#include "larmor/ising/multispin/samples/sample_ladders.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ising/multispin/samples/ladder_kernels.hpp"

namespace larmor::ising {
namespace {

using tempering::WalkerLabel;

/// Checks that the ladders can be stored as bits.
const tempering::LadderLayout& checked(const tempering::LadderLayout& layout) {
  if (layout.rungs < 2)
    throw InputError("a ladder has " + std::to_string(layout.rungs) + " rung(s)",
                     "give two or more");
  if (layout.copies < 1) throw InputError("a sample has no copies of its ladder");
  if (layout.samples < 1 || layout.samples % samples_of_word != 0)
    throw InputError("ladders of Ising spins that are stored as bits have " +
                         std::to_string(layout.samples) + " samples",
                     "give a multiple of 64");
  return layout;
}

/// The words of groups. All copies of a sample must be in one process, since results are listed by
/// sample and copy.
ReplicaShare words_of(const ReplicaShare& groups, const tempering::LadderLayout& layout) {
  if (groups.first % layout.copies != 0 || groups.count % layout.copies != 0)
    throw InternalError("copies of ladders of the same samples are in several processes");
  return {groups.first * layout.rungs, groups.count * layout.rungs, groups.all * layout.rungs};
}

SampleCouplings couplings_of(const SampleCouplings& couplings,
                             const tempering::LadderLayout& layout) {
  SampleCouplings own = couplings;
  own.first_sample.clear();
  for (Index group = 0; group < layout.ladders() / samples_of_word; ++group)
    own.first_sample.insert(own.first_sample.end(), static_cast<std::size_t>(layout.rungs),
                            static_cast<std::uint64_t>(group / layout.copies * samples_of_word));
  return own;
}

[[noreturn]] void refuse_state() {
  throw InputError("the checkpoint's ladders of Ising spins do not fit the study",
                   "resume the results to which this checkpoint belongs");
}

}  // namespace

SampleLadders::SampleLadders(const SampleGraph& graph, const SampleCouplings& couplings,
                             const tempering::LadderLayout& layout, const ReplicaShare& groups,
                             std::uint64_t seed, const Device& device, Rule rule)
    : layout_(checked(layout)),
      seed_(seed),
      first_group_(groups.first),
      samples_(graph, couplings_of(couplings, layout), words_of(groups, layout), seed, device,
               rule),
      coupling_(couplings.J),
      beta_(device, layout.rungs),
      word_at_(device, samples_.samples()),
      sums_(device, samples_.samples()),
      accepted_(device, samples_.samples()),
      from_first_(device, samples_.samples()),
      from_last_(device, samples_.samples()),
      round_trips_(device, samples_.samples()),
      label_(device, samples_.samples()) {
  place_of_replica_.resize(static_cast<std::size_t>(samples_.samples()));
  for (Index place = 0; place < samples_.samples(); ++place)
    place_of_replica_[static_cast<std::size_t>(
        replica_at({place / samples_of_word, static_cast<int>(place % samples_of_word)}))] =
        static_cast<std::int32_t>(place);
  for (Array<std::int32_t>& ends : ends_) ends = Array<std::int32_t>(device, samples_.samples());
  const std::vector<std::int32_t> rungs = first_rungs();
  samples_.set_ladder(std::vector<double>(static_cast<std::size_t>(layout_.rungs), INFINITY),
                      rungs);
  assign_rungs(rungs);
  if (samples_.is_regular() && samples_.has_signs() && rule == Rule::metropolis &&
      ladders_fit(graph)) {
    grid_ = graph.grid;
    places_ = Array<RegularPlace>(device, samples_.regular_places());
  }
}

SampleLadders::SampleLadders(const SampleGraph& graph, const SampleCouplings& couplings,
                             const tempering::LadderLayout& layout, std::uint64_t seed,
                             const Device& device, Rule rule)
    : SampleLadders(graph, couplings, layout,
                    ReplicaShare(checked(layout).ladders() / samples_of_word), seed, device, rule) {
}

bool SampleLadders::ladders_fit(const SampleGraph& graph) const {
#if defined(LARMOR_HAS_CUDA)
  return ladders_fit_on_gpu(samples_.device(), static_cast<int>(graph.grid.size()), sites(),
                            layout_.rungs);
#else
  static_cast<void>(graph);
  return false;
#endif
}

void SampleLadders::assign_rungs(const std::vector<std::int32_t>& rungs) {
  std::vector<std::int32_t> word_at(rungs.size(), -1);
  for (std::size_t n = 0; n < rungs.size(); ++n) {
    const Index word = static_cast<Index>(n) / samples_of_word;
    if (rungs[n] < 0 || rungs[n] >= layout_.rungs) refuse_state();
    std::int32_t& there = word_at[static_cast<std::size_t>(
        (word / layout_.rungs * layout_.rungs + rungs[n]) * samples_of_word +
        static_cast<Index>(n) % samples_of_word)];
    if (there >= 0) refuse_state();
    there = static_cast<std::int32_t>(word % layout_.rungs);
  }
  word_at_.copy_from(word_at);
}

void SampleLadders::set_ladder(const std::vector<double>& thermal_energies) {
  if (std::ssize(thermal_energies) != layout_.rungs)
    throw InternalError("a ladder needs one temperature for each rung");
  std::vector<double> beta;
  for (const double kT : thermal_energies) {
    if (!(kT > 0))
      throw InputError("a temperature of a ladder is " + std::to_string(kT),
                       "give a positive number");
    beta.push_back(1 / kT);
  }
  beta_.copy_from(beta);
  samples_.set_ladder(thermal_energies, samples_.rungs_on_host());
}

LadderExchangeView SampleLadders::exchange_view() const {
  LadderExchangeView view{};
  view.rungs = static_cast<int>(layout_.rungs);
  view.copies = layout_.copies;
  view.first_group = first_group_;
  view.beta = beta_.data();
  view.energy_of_end = samples_.has_two_colours() ? 2 * coupling_ : coupling_;
  auto& own = const_cast<SampleLadders&>(*this);
  for (int n = 0; n < 2; ++n) view.ends[n] = own.ends_[n].data();
  view.word_at = own.word_at_.data();
  view.rung = own.samples_.rungs();
  view.accepted = own.accepted_.data();
  view.label = own.label_.data();
  view.from_first = own.from_first_.data();
  view.from_last = own.from_last_.data();
  view.round_trips = own.round_trips_.data();
  view.key = {seed_, 0, Stream::temperature_exchange};
  return view;
}

void SampleLadders::run(Index sweeps, Index exchange_every, UpdateCounter& steps) {
  if (exchange_every > 0 && sweeps % exchange_every != 0)
    throw InternalError("the number of sweeps is not a multiple of exchange_every");
#if defined(LARMOR_HAS_CUDA)
  if (stays_in_shared_memory()) {
    const SampleUpdate update = samples_.update_after(steps);
    GridLadderRun run{};
    run.view = update.view;
    run.exchange = exchange_view();
    run.key = update.key;
    run.axes = static_cast<int>(grid_->size());
    run.places = places_.data();
    run.exchange_every = static_cast<std::int32_t>(exchange_every);
    run.proposals = proposals_;
    run_grid_ladders_on_gpu(samples_.device(), run, sweeps);
    steps += static_cast<std::uint64_t>(sweeps);
    if (exchange_every > 0) proposals_ += static_cast<std::uint64_t>(sweeps / exchange_every);
    return;
  }
#endif
  if (exchange_every == 0) return samples_.sweep(sweeps, steps);
  for (Index done = 0; done < sweeps; done += exchange_every) {
    samples_.sweep(exchange_every, steps);
    propose();
  }
}

void SampleLadders::propose() {
  samples_.add_up_ends(sums_);
  const LadderExchangeView exchange = exchange_view();
  const std::uint64_t proposal = proposals_++;
#if defined(LARMOR_HAS_CUDA)
  if (samples_.device().backend == Backend::cuda)
    return exchange_samples_on_gpu(samples_.device(), exchange, proposal, samples_.words(),
                                   sums_.data());
#endif
  const Index rungs = layout_.rungs;
  parallel_for(samples_.device().threads, groups(), [&](Index group) {
    for (Index word = group * rungs; word < (group + 1) * rungs; ++word)
      for (int sample = 0; sample < samples_of_word; ++sample) {
        const Index here = word * samples_of_word + sample;
        record_ends(exchange, proposal, word, sample, exchange.rung[here],
                    static_cast<std::int32_t>(sums_.data()[here].twice_unsatisfied));
      }
    for (Index word = group * rungs; word < (group + 1) * rungs; ++word)
      for (int sample = 0; sample < samples_of_word; ++sample)
        exchange_stored(exchange, proposal, word, sample);
  });
}

std::vector<std::int32_t> SampleLadders::first_rungs() const {
  std::vector<std::int32_t> rungs;
  for (Index n = 0; n < samples_.samples(); ++n)
    rungs.push_back(static_cast<std::int32_t>(n / samples_of_word % layout_.rungs));
  return rungs;
}

Index SampleLadders::replica_at(const SamplePlace& place) const {
  const Index group = place.word / layout_.rungs;
  const Index sample = group / layout_.copies * samples_of_word + place.sample;
  return layout_.replica_at(place.word % layout_.rungs,
                            layout_.ladder_at(group % layout_.copies, sample));
}

void SampleLadders::write_by_rung(Array<std::uint32_t>& spins) const {
  const SamplesView view = samples_.view();
  const auto rungs = static_cast<int>(layout_.rungs);
#if defined(LARMOR_HAS_CUDA)
  if (samples_.device().backend == Backend::cuda)
    return write_by_rung_on_gpu(samples_.device(), view, rungs, word_at_.data(), spins.data());
#endif
  parallel_for(samples_.device().threads, samples_.words(), [&](Index word) {
    SamplesView to = view;
    to.spins = spins.data();
    for (int half = 0; half < halves; ++half)
      for (Index position = 0; position < view.positions; ++position)
        to.spins_of(word * halves + half)[position * view.stride()] =
            spins_at_rung(view, rungs, word_at_.data(), word, half, position);
  });
}

void SampleLadders::move_to_rungs() {
  Array<std::uint32_t> spins(samples_.device(), samples_.stored().size());
  write_by_rung(spins);
  samples_.set_stored(spins);
  const std::vector<std::int32_t> rungs = first_rungs();
  samples_.set_rung_of_samples(rungs);
  assign_rungs(rungs);
  label_.copy_from(std::vector<WalkerLabel>(rungs.size()));
  reset_counts();
}

std::vector<std::int32_t> SampleLadders::words_at_rungs() const {
  std::vector<std::int32_t> words = word_at_.to_host();
  for (std::size_t n = 0; n < words.size(); ++n) {
    const Index place = static_cast<Index>(n) / samples_of_word;
    words[n] += static_cast<std::int32_t>(place / layout_.rungs * layout_.rungs);
  }
  return by_replica(words);
}

LadderExchangeCounts SampleLadders::counts() const {
  LadderExchangeCounts counts;
  const std::uint64_t proposed = proposals_ - proposals_at_reset_, first = proposals_at_reset_ % 2;
  counts.proposed[first] = static_cast<Index>(proposed + 1) / 2;
  counts.proposed[1 - first] = static_cast<Index>(proposed) / 2;
  counts.accepted = by_replica(accepted_.to_host());
  // The last rung has no next rung, so its count is left out.
  std::vector<std::int64_t> of_pairs;
  for (std::size_t n = 0; n < counts.accepted.size(); ++n)
    if (static_cast<Index>(n) % layout_.rungs != layout_.rungs - 1)
      of_pairs.push_back(counts.accepted[n]);
  counts.accepted = std::move(of_pairs);
  counts.from_first = by_replica(from_first_.to_host());
  counts.from_last = by_replica(from_last_.to_host());
  counts.round_trips = by_replica(round_trips_.to_host());
  return counts;
}

void SampleLadders::reset_counts() {
  const std::vector<std::int64_t> none(static_cast<std::size_t>(samples_.samples()), 0);
  for (Array<std::int64_t>* counted : {&accepted_, &from_first_, &from_last_, &round_trips_})
    counted->copy_from(none);
  proposals_at_reset_ = proposals_;
}

SampleLadderState SampleLadders::state() const {
  SampleLadderState state;
  state.spins = samples_.packed();
  state.rungs = samples_.rungs_on_host();
  for (const WalkerLabel label : label_.to_host())
    state.labels.push_back(static_cast<std::int8_t>(label));
  state.proposals = proposals_;
  state.proposals_at_reset = proposals_at_reset_;
  state.accepted = accepted_.to_host();
  state.from_first = from_first_.to_host();
  state.from_last = from_last_.to_host();
  state.round_trips = round_trips_.to_host();
  return state;
}

void SampleLadders::set_state(const SampleLadderState& state) {
  const auto samples = static_cast<std::size_t>(samples_.samples());
  const auto sites_of_words = static_cast<std::size_t>(samples_.words() * sites());
  if (state.spins.size() != sites_of_words || state.rungs.size() != samples ||
      state.labels.size() != samples || state.proposals_at_reset > state.proposals)
    refuse_state();
  for (const auto* counted :
       {&state.accepted, &state.from_first, &state.from_last, &state.round_trips})
    if (counted->size() != samples) refuse_state();
  std::vector<WalkerLabel> labels;
  for (const std::int8_t label : state.labels) {
    if (label < 0 || label > static_cast<std::int8_t>(WalkerLabel::from_last)) refuse_state();
    labels.push_back(static_cast<WalkerLabel>(label));
  }
  assign_rungs(state.rungs);
  samples_.set_packed(state.spins);
  samples_.set_rung_of_samples(state.rungs);
  label_.copy_from(labels);
  proposals_ = state.proposals;
  proposals_at_reset_ = state.proposals_at_reset;
  accepted_.copy_from(state.accepted);
  from_first_.copy_from(state.from_first);
  from_last_.copy_from(state.from_last);
  round_trips_.copy_from(state.round_trips);
}

}  // namespace larmor::ising
