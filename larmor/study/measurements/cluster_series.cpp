#include "larmor/study/measurements/cluster_series.hpp"

namespace larmor::study {

ClusterSeries::ClusterSeries(const char* what, const MeasureContext& context, SourcePosition where)
    : SeriesMeasurement(what, Value(what), std::nullopt, context),
      by_wolff_(context.sampler == "wolff"),
      where_(std::move(where)) {
  if (!by_wolff_ && context.sampler != "swendsen-wang")
    throw InputError(std::string(what) + " needs clusters, but the sampler is " + context.sampler,
                     where_, "use sampler = \"swendsen-wang\" or \"wolff\", or leave it out");
}

}  // namespace larmor::study
