#include "larmor/study/run.hpp"

#include "larmor/core/profile.hpp"
#include "larmor/io/checkpoint.hpp"
#include "larmor/io/results.hpp"
#include "larmor/study/session.hpp"

namespace larmor::study {

std::string checkpoint_path(const std::string& results) { return io::checkpoint_path(results); }

namespace {

Session begun(const Study& study, const RunOptions& options, io::ResultsFile results) {
  const Region region("lattice and Hamiltonian");
  return {study, options, std::move(results)};
}

}  // namespace

RunOutcome run_study(const Study& study, const RunOptions& options) {
  io::ResultsFile results = io::ResultsFile::create(
      options.output, options.force ? io::IfExists::replace : io::IfExists::refuse);
  Session session = begun(study, options, std::move(results));
  session.begin();
  return session.run();
}

RunOutcome resume_study(const RunOptions& options) {
  const io::ResultsReader reader(options.output);
  const std::string text = reader.read("/study/text").text();
  const io::Attributes where = reader.attributes("/study");
  const Study study = parse_study(text, where.at("file").text(), where.at("folder").text());
  if (reader.attributes("/").at("completed").integer() != 0)
    throw InputError("'" + options.output + "' is complete; there is nothing to resume",
                     "`larmor show` prints it; `larmor run --force` starts again");
  Session session = begun(study, options, io::ResultsFile::open(options.output));
  session.take_up();
  return session.run();
}

}  // namespace larmor::study
