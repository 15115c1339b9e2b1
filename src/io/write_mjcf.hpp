#pragma once
// The parts of the MJCF writer.
//
//   write_mjcf        the file as a whole, and the tree of bodies
//   write_mjcf_body   inertia, joints, shapes and sites of one body
//   write_mjcf_parts  equalities, actuators, sensors, states, contact
#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/write.hpp"
#include "io/xml_writer.hpp"

namespace limber {

/// A body of the file: its joints, one after the other, and where it stands when they are at zero.
struct MjcfNode {
  /// A joint and its frame in the body's own frame, when it and those after it are at zero.
  struct Joint {
    const JointSpec* joint;
    Transform<double> frame;
  };
  const BodySpec* body = nullptr;
  std::vector<Joint> joints;  ///< none: fixed to the body around it
  Transform<double> pose;     ///< in the body around it
};

class MjcfWriter {
 public:
  MjcfWriter(const Spec& spec, Losses& losses);
  std::string write();

 private:
  struct Site {
    std::string name;
    Transform<double> placement;
  };

  // the tree
  bool is_between(const std::string& body) const;
  MjcfNode node_of(const JointSpec& joint) const;
  void place_free(MjcfNode& node) const;
  void write_settings();
  void write_assets();
  void write_world();
  void write_node(const MjcfNode& node, int depth);
  bool has_inertia(const BodySpec& body) const;
  void list_losses();

  // one body
  void write_pose(const Transform<double>& X);
  void write_inertia(const BodySpec& body);
  void write_joint(const MjcfNode::Joint& joint);
  void write_freedoms(const JointSpec& joint);
  void write_range(const JointSpec& joint, const DofSpec& dof);
  void write_shape(const ShapeSpec& shape, const std::string& owner);
  bool write_geometry(const ShapeSpec& shape, const std::string& owner);
  void write_sites(const std::string& body);
  std::string mesh_name(const ShapeSpec& shape) const;

  // what stands after the tree
  std::string site_of_loop(const std::string& body, const Transform<double>& placement,
                           const std::string& wanted);
  void place_loop_sites();
  void write_equalities();
  void write_actuators();
  void write_actuator(const ActuatorSpec& actuator);
  bool has_object(const SensorSpec& sensor, std::string_view attribute) const;
  void write_sensors();
  void write_contact();
  void write_keyframes();
  double follow(const KeyframeSpec& key, const std::vector<KeyframeSpec::Values>& values,
                const JointSpec& joint, double offset, int depth) const;
  std::vector<double> position_of(const KeyframeSpec& key, const JointSpec& joint) const;
  std::vector<double> velocity_of(const KeyframeSpec& key, const JointSpec& joint) const;
  bool is_reference(const KeyframeSpec& key) const;

  const Spec& spec_;
  Losses& losses_;
  XmlWriter xml_;
  std::map<std::string, const BodySpec*> bodies_;
  std::map<std::string, const JointSpec*> carriers_, joints_;
  std::map<std::string, std::vector<const JointSpec*>> leaving_;  // by body; "": the world
  std::set<std::string> referenced_;                              // bodies that something is on
  std::map<std::string, std::vector<Site>> sites_;                // by body
  std::vector<std::array<std::string, 2>> loop_sites_;            // per loop
  std::set<std::string> shape_names_, site_names_;
  std::vector<const JointSpec*> order_;  // moving joints as written
  std::vector<const ActuatorSpec*> actuators_;
  std::map<std::string, std::string> meshes_;  // name in the file, by file and scale
};

}  // namespace limber
