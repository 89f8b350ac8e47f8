#include "larmor/study/run/run.hpp"

#include <functional>
#include <optional>

#include "larmor/core/device/profile.hpp"
#include "larmor/core/simd/replica_blocks.hpp"
#include "larmor/io/results/checkpoint.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/study/parsplice/segments_of_run.hpp"
#include "larmor/study/run/opened_results.hpp"
#include "larmor/study/run/provenance.hpp"
#include "larmor/study/run/session.hpp"
#include "larmor/study/run/study_results.hpp"

namespace larmor::study {

std::string checkpoint_path(const std::string& results) { return io::checkpoint_path(results); }

namespace {

/// The advice if ranks would have to share a lattice and cannot.
std::string fewer_ranks(Index replicas) {
  const Index most = movable_blocks(replicas);
  return (most == 1 ? std::string("start one rank")
                    : "start at most " + std::to_string(most) + " ranks") +
         ": each takes eight replicas or more";
}

Ranks ranks_of(const Study& study, const RunOptions& options) {
  if (options.world == nullptr || options.world->size() == 1) return Ranks(study.replicas);
  Ranks ranks(*options.world, study.replicas);
  if (!first_stage(study, &Stage::uses_configuration)) ranks.keep_whole();
  if (ranks.sharing() != nullptr && !study.model_kind->shares_sites())
    throw InputError(std::to_string(ranks.size()) +
                         " ranks have too few replicas, and cannot share the sites of " +
                         study.model_kind->name(),
                     study.model.where.of("kind"), fewer_ranks(study.replicas));
  if (ranks.sharing() != nullptr)
    if (const auto stage = first_stage(study, &Stage::needs_whole_lattice))
      throw InputError(std::to_string(ranks.size()) +
                           " ranks have too few replicas for the stage " + stage->kind +
                           ", which cannot share a lattice",
                       stage->where, fewer_ranks(study.replicas));
  return ranks;
}

/// Runs every step on all ranks. No rank goes on if one has failed.
/// @param read reads the study; @param open opens the results, on the root; @param start starts the
/// session
template <class Read, class Open, class Start>
RunOutcome run_together(const RunOptions& options, const Read& read, const Open& open,
                        const Start& start) {
  const auto together = [&](const std::function<void()>& work) {
    if (options.world == nullptr) return work();
    options.world->together(work);
  };
  std::optional<Study> study;
  std::optional<Ranks> ranks;
  std::optional<io::ResultsFile> results;
  std::optional<Session> session;
  together([&] {
    study = read();
    ranks = ranks_of(*study, options);
  });
  together([&] {
    if (ranks->is_root()) results = open();
  });
  together([&] {
    const Region region("lattice and Hamiltonian");
    session.emplace(*study, options, *ranks, std::move(results));
  });
  session->connect();
  together([&] { start(*session); });
  session->require_equal_steps();
  return session->run();
}

}  // namespace

io::ResultsFile create_results(const RunOptions& options) {
  const auto if_exists = options.force ? io::IfExists::replace : io::IfExists::refuse;
  const auto replaced = options.force ? replaced_run(options.output) : std::nullopt;
  io::require_no_checkpoints(checkpoint_path(options.output), replaced);
  require_no_segments(options.output, replaced);
  io::ResultsFile results = io::ResultsFile::create(options.output, if_exists);
  io::check_output(checkpoint_path(options.output));
  return results;
}

Study study_to_resume(RunOptions& options) {
  const io::ResultsReader reader(options.output);
  require_not_completed(reader, options.output);
  const std::string text = reader.read("/study/text").text();
  const io::Attributes where = reader.attributes("/study");
  Study study = parse_study(text, where.at("file").text(), where.at("folder").text());
  options.continuation = continuation_of(reader, options.changes_arithmetic);
  options.device = as_before(*options.continuation, options.device);
  return study;
}

io::ResultsFile open_results(const RunOptions& options) {
  io::require_checkpoints_of(checkpoint_path(options.output),
                             run_of(io::ResultsReader(options.output)));
  return io::ResultsFile::open(options.output);
}

RunOutcome run_study(const Study& study, const RunOptions& options) {
  return run_together(
      options, [&] { return study; }, [&] { return create_results(options); },
      [](Session& session) { session.begin(); });
}

RunOutcome resume_study(const RunOptions& options) {
  RunOptions own = options;
  return run_together(
      own, [&] { return study_to_resume(own); }, [&] { return open_results(own); },
      [](Session& session) { session.resume(); });
}

}  // namespace larmor::study
