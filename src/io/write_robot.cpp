// Spec to text: which writer, and what all of them refuse.
#include <limber/io/write.hpp>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/model.hpp>

#include "io/write.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

struct Writer {
  RobotFormat format;
  const char* name;
  std::string (*write)(Spec spec, Losses& losses);
};
constexpr Writer writers[] = {{RobotFormat::urdf, "urdf", write_urdf},
                              {RobotFormat::mjcf, "mjcf", write_mjcf},
                              {RobotFormat::sdf, "sdf", write_sdf},
                              {RobotFormat::yaml, "yaml", write_yaml}};

void refuse_custom_joints(const Spec& spec) {
  for (const JointSpec& joint : spec.joints)
    if (joint.kind == JointKind::custom)
      throw Error(joint.source,
                  "a custom joint is given by functions, and no robot file can hold those; replace "
                  "it, or describe this robot in C++");
}

}  // namespace

const char* name(RobotFormat format) { return writers[static_cast<std::size_t>(format)].name; }

RobotFormat robot_format(std::string_view name) {
  std::vector<std::string> known;
  for (const Writer& writer : writers) {
    if (name == writer.name) return writer.format;
    known.emplace_back(writer.name);
  }
  throw Error(fmt::format("'{}' is no kind of robot file; known are {}{}", name,
                          fmt::join(known, ", "), did_you_mean(name, known)));
}

RobotFormat robot_format_of_file(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (extension == ".urdf") return RobotFormat::urdf;
  if (extension == ".xml" || extension == ".mjcf") return RobotFormat::mjcf;
  if (extension == ".sdf") return RobotFormat::sdf;
  if (extension == ".yaml" || extension == ".yml") return RobotFormat::yaml;
  throw Error({file, 0, ""},
              "its extension does not say what kind of robot file it is to be; known are .urdf, "
              ".xml or .mjcf (MJCF), .sdf, .yaml and .yml");
}

WrittenRobot write_robot(const Spec& spec, RobotFormat format) {
  build(spec);  // throws unless it is a robot
  refuse_custom_joints(spec);
  Losses losses;
  WrittenRobot robot;
  robot.text = writers[static_cast<std::size_t>(format)].write(spec, losses);
  robot.losses = losses.take();
  return robot;
}

}  // namespace limber
