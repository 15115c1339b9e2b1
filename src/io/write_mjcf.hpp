#pragma once
// The parts of the MJCF writer.
//
//   write_mjcf        the file as a whole, and the tree of bodies
//   write_mjcf_body   inertia, joints, shapes and sites of one body
//   write_mjcf_parts  equalities, actuators, sensors, states, contact
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// The numbers of a named state, by the names of joints and actuators. Valid as long as the state.
class ValuesByName {
 public:
  explicit ValuesByName(const std::vector<KeyframeSpec::Values>& list) {
    for (const KeyframeSpec::Values& one : list) values_.emplace(one.name, &one.values);
  }
  /// Null where there is none.
  const std::vector<double>* find(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const std::vector<double>*> values_;
};
struct StateByName {
  explicit StateByName(const KeyframeSpec& key)
      : position(key.position), velocity(key.velocity), control(key.control) {}
  ValuesByName position, velocity, control;
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
  void write_contact_pair(const ContactPairSpec& pair);
  void write_keyframes();
  double follow(const ValuesByName& values, const JointSpec& joint, double offset, int depth) const;
  std::vector<double> position_of(const StateByName& key, const JointSpec& joint) const;
  std::vector<double> velocity_of(const StateByName& key, const JointSpec& joint) const;
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
  std::map<std::string, std::string> site_at_;                    // its name, by place_key()
  FreshNames shape_names_, site_names_;
  std::map<const ShapeSpec*, std::string> geom_names_;  // as written
  std::vector<const JointSpec*> order_;                 // moving joints as written
  std::optional<StateByName> reference_;                // the state `qpos0`
  std::vector<const ActuatorSpec*> actuators_;          // that are written
  std::set<std::string> actuator_names_;
  std::map<std::string, std::string> meshes_;  // name in the file, by file and scale
};

}  // namespace limber
