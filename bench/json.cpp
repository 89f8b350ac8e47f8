#include "bench/json.hpp"

#include "larmor/core/text.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::bench {

std::string json_of(double number) { return fmt::format("{}", number); }

std::string json_of(const MethodMeasured& method) {
  return fmt::format("{{\"name\": {}, \"seconds\": {}, \"error\": {}, \"parts\": {}}}",
                     json_string(method.name), method.seconds, method.error,
                     json_object(method.parts, [](double seconds) { return json_of(seconds); }));
}

std::string json_of_left_out(const std::vector<std::pair<std::string, std::string>>& left_out) {
  return json_list(left_out, [](const auto& left) {
    return fmt::format("{{\"name\": {}, \"reason\": {}}}", json_string(left.first),
                       json_string(left.second));
  });
}

void write_json(const std::string& text, const std::string& path) {
  io::WholeFile file(path, io::IfExists::replace);
  file.write(text);
  file.finish();
}

}  // namespace larmor::bench
