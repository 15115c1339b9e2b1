#pragma once
// The parts of the SDF writer.
//
//   write_sdf_links   links without mass, which SDF does not have, become frames
//   write_sdf_shapes  poses and shapes
//   write_sdf         the file as a whole, links, joints, loops
#include "io/write.hpp"
#include "io/xml_writer.hpp"

namespace limber {

/// <pose>; none where it says nothing.
void write_sdf_pose(const Transform<double>& X, const std::string& relative_to, XmlWriter& xml);

/// <visual>, <collision> or both.
void write_sdf_shapes(const ShapeSpec& shape, int number, const std::string& owner, XmlWriter& xml,
                      Losses& losses);

}  // namespace limber
