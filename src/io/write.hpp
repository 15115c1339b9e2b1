#pragma once
// What the writers of robot files share: numbers, poses and inertias as files have them, the list
// of what is lost, and the steps that bring a Spec into the form that a format can hold.
#include <span>
#include <string>
#include <vector>

#include <limber/io/write.hpp>
#include <limber/model/spec.hpp>

#include "io/fresh_names.hpp"

namespace limber {

/// What the target lacks, collected.
class Losses {
 public:
  void description(std::string element, std::string what) {
    list_.push_back({Loss::Kind::description, std::move(element), std::move(what)});
  }
  void dynamics(std::string element, std::string what) {
    list_.push_back({Loss::Kind::dynamics, std::move(element), std::move(what)});
  }
  std::vector<Loss> take() { return std::move(list_); }

 private:
  std::vector<Loss> list_;
};

// --- numbers ---

/// The shortest text that reads back as the same number.
std::string format_number(double x);
/// Numbers with blanks between them.
std::string format_numbers(std::span<const double> x);
std::string format_numbers(const Vec3<double>& x);

/// True if both have the same bits.
bool same_bits(const Vec3<double>& a, const Vec3<double>& b);
bool same_bits(const Mat3<double>& a, const Mat3<double>& b);
bool is_identity(const Transform<double>& X);

/// A rotation as roll, pitch and yaw.
struct RpyForm {
  Vec3<double> rpy;
  bool is_exact = false;  ///< rotation_from_rpy() gives the same bits
};
RpyForm to_rpy(const Mat3<double>& R);

/// An inertia as files have it: about the centre of mass.
struct ComForm {
  double mass = 0;
  Vec3<double> com;
  Sym3<double> inertia;
  bool is_exact = false;  ///< Inertia::from_com() gives the same bits
};
ComForm to_com_form(const Inertia<double>& I);
/// Neither mass nor moments.
bool is_massless(const Inertia<double>& I);

/// The data of freedom k of a joint.
DofSpec dof_of(const JointSpec& joint, int k);

// --- from one Spec to another with the same dynamics ---

/// What a format calls a kind of joint; "" if it has none.
const char* joint_type(JointKind kind, RobotFormat format);

/// Joints of a kind that the format does not have become chains of joints of one freedom, with
/// bodies without mass between them: the same variables in the same order. Throws Error for balls,
/// free and custom joints.
void expand_joints(Spec& spec, RobotFormat format, Losses& losses);

/// Where `must_move` holds, the child's frame becomes the moved joint frame: into the placement of
/// the joint where that is the same motion, else by a body without mass to which the child is
/// welded.
void settle_child_frames(Spec& spec, bool (*must_move)(const JointSpec&), Losses& losses);

/// Which names must differ from each other: those of bodies and frames, and those of joints; or all
/// of them.
enum class NameScope { bodies_and_joints_apart, all_together };

/// Renames everything whose name `fit` changes, and all that refers to it; names that then occur
/// twice get a number. `format`: for messages.
void rename_parts(Spec& spec, NameScope scope, std::string (*fit)(const std::string&),
                  const char* format, Losses& losses);

/// What XML files cannot have in names, as readers take it for a placeholder of xacro: ${ and $(.
std::string without_placeholders(const std::string& name);

/// A link called `world`, welded to the world, without mass, becomes the world itself; any other of
/// that name is renamed.
void resolve_world_link(Spec& spec, const char* format, Losses& losses);

/// Links without mass become frames on what they are fixed to, or the world itself.
void lump_massless_links(Spec& spec, Losses& losses);

/// Lists the actuators, sensors, named states, exclusions and the time step, which a format lacks.
void list_lost_extras(const Spec& spec, const char* format, Losses& losses);

// --- the writers ---

std::string write_yaml(Spec spec, Losses& losses);
std::string write_urdf(Spec spec, Losses& losses);
std::string write_mjcf(Spec spec, Losses& losses);
std::string write_sdf(Spec spec, Losses& losses);

}  // namespace limber
