#include "larmor/study/models/quantum/stages/numbers_by_temperature.hpp"

#include <limits>

namespace larmor::study {

std::vector<StageNumber> numbers_by_temperature(const io::ResultsReader& results,
                                                const std::string& stage, const std::string& path,
                                                const std::vector<std::string>& names) {
  std::vector<StageNumber> numbers;
  if (!results.exists(stage + "/temperature")) return numbers;
  const std::size_t temperatures = results.read<double>(stage + "/temperature").size();
  for (const std::string& name : names) {
    const std::string dataset = path + "/" + name;
    if (!results.exists(dataset)) continue;
    const std::vector<double> values = results.read<double>(dataset);
    if (values.size() != temperatures) continue;
    std::vector<double> errors(values.size(), std::numeric_limits<double>::quiet_NaN());
    if (results.exists(dataset + "_error"))
      errors = results.read<double>(dataset + "_error").require(values.size());
    for (std::size_t n = 0; n < values.size(); ++n)
      numbers.push_back({name, "", values[n], errors[n]});
  }
  return numbers;
}

}  // namespace larmor::study
