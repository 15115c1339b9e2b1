// libFuzzer target: any text is either a robot or an Error, never anything else.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <limber/io/load.hpp>

namespace {

// the whole way of a file to a model, with and without a floating base
template <class Parse>
void read_and_build(const Parse& parse, std::string_view text) {
  try {
    limber::Spec spec = parse(text, "fuzz");
    limber::build(spec);
    limber::float_base(spec);
    limber::build(spec);
  } catch (const limber::Error&) {
    // a refusal is an answer
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_and_build(limber::parse_urdf, text);
  read_and_build(limber::parse_mjcf, text);
  read_and_build(limber::parse_yaml, text);
  return 0;
}
