#include "sim/part_error.hpp"

#include <fmt/format.h>

namespace limber {

std::string text_of_exception() {
  try {
    throw;
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& exception) {
    return fmt::format("an exception was thrown: {}", exception.what());
  } catch (...) {
    return "something was thrown that is no std::exception";
  }
}

void throw_part_error(const Part& part) {
  const std::string text = text_of_exception();
  // a controller names itself
  if (text.find(fmt::format("'{}'", part.name())) != std::string::npos) throw PartError(text);
  throw PartError(fmt::format("part '{}': {}", part.name(), text));
}

}  // namespace limber
