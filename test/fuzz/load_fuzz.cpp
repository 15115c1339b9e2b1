// libFuzzer target: any text is either a robot or an Error, never anything else; and what is
// written of a robot can be read.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>

#include "io/urdf.hpp"

namespace {

// what a format cannot hold is refused; what it holds must not be refused by its reader
template <class Parse>
void write_and_read(const limber::Spec& spec, limber::RobotFormat format, const Parse& parse) {
  std::string text;
  try {
    text = write_robot(spec, format).text;
  } catch (const limber::Error&) {
    return;
  }
  limber::build(parse(text, "written"));
}

void write_all(const limber::Spec& spec) {
  write_and_read(spec, limber::RobotFormat::urdf, limber::parse_urdf);
  write_and_read(spec, limber::RobotFormat::mjcf, limber::parse_mjcf);
  write_and_read(spec, limber::RobotFormat::sdf, limber::parse_sdf);
  write_and_read(spec, limber::RobotFormat::yaml, limber::parse_yaml);
}

// the whole way of a file to a model, with and without a floating base
template <class Parse>
void read_and_build(const Parse& parse, std::string_view text) {
  limber::Spec robot;
  try {
    robot = parse(text, "fuzz");
    limber::build(robot);
  } catch (const limber::Error&) {
    return;  // a refusal is an answer
  }
  write_all(robot);
  try {
    limber::float_base(robot);
    limber::build(robot);
  } catch (const limber::Error&) {
  }
}

// a list of loops for a robot with links left and right on joints a and b
limber::Spec parse_closures(std::string_view text, const char* file) {
  limber::Spec spec;
  for (const char* name : {"base", "left", "right"}) spec.add_body(name, 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("a", limber::JointKind::revolute, "base", "left").dof().lower = -1;
  spec.add_joint("b", limber::JointKind::revolute, "base", "right").dof().upper = 1;
  limber::read_urdf_closures(text, file, spec);
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_and_build(limber::parse_urdf, text);
  read_and_build(limber::parse_sdf, text);
  read_and_build(limber::parse_mjcf, text);
  read_and_build(limber::parse_yaml, text);
  read_and_build(parse_closures, text);
  return 0;
}
