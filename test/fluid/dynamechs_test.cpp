// Aquarobot, a hexapod under water with 42 freedoms: accelerations of another program for the same
// robot, where the file with its numbers lies beside the checkout.
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/fluid/water_loads.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Json = nlohmann::json;

Vec3<double> vec(const Json& j) { return {j[0], j[1], j[2]}; }
Mat3<double> mat(const Json& j) { return Mat3<double>::from_rows(vec(j[0]), vec(j[1]), vec(j[2])); }

Transform<double> turned(const Vec3<double>& axis, double angle) {
  return Transform<double>::rotation(rotation(axis, angle));
}

// the robot by its links; fixed screws become part of the next joint's placement
struct Hexapod {
  Spec spec;
  std::vector<LinkHydrodynamics> water;
  explicit Hexapod(const Json& links) {
    std::map<int, std::pair<std::string, Transform<double>>> carrier;  // of every link of the file
    for (const Json& link : links) {
      const int index = link["index"];
      std::string name = "l";
      name += std::to_string(index);
      const std::string type = link["type"];
      const auto parent = link["parent"].is_null() ? std::pair<std::string, Transform<double>>{}
                                                   : carrier.at(link["parent"]);
      if (type == "fixed_zscrew") {
        Transform<double> screw = turned({0, 0, 1}, link["theta"]);
        screw.p = {0, 0, link["d"]};
        carrier[index] = {parent.first, parent.second * screw};
        continue;
      }
      carrier[index] = {name, {}};
      add_link(name, link);
      const JointKind kind = type == "mobile_base"    ? JointKind::free
                             : type == "revolute_mdh" ? JointKind::revolute
                                                      : JointKind::spherical;
      std::string joint_name = "j";
      joint_name += name;
      JointSpec& joint = spec.add_joint(joint_name, kind, parent.first, name);
      Transform<double> own;
      if (kind == JointKind::revolute) {
        const double alpha = link["alpha"];
        own = turned({1, 0, 0}, std::abs(std::cos(alpha)) < 1e-5 ? std::numbers::pi / 2 : alpha);
        own.p = {link["a"], 0, 0};
        joint.axis = {0, 0, 1};
      } else if (kind == JointKind::spherical) {
        own.p = vec(link["position_from_inboard"]);
      }
      joint.placement = parent.second * own;
    }
  }
  void add_link(const std::string& name, const Json& link) {
    Inertia<double>& inertia = spec.add_body(name, 0).inertia;
    inertia.m = link["mass"];
    inertia.h = vec(link["center_of_gravity"]) * inertia.m;
    inertia.J =
        Inertia<double>::second_moment(symmetric_part(mat(link["inertia_about_link_origin"])));
    const Json& hydro = link["hydro"];
    Hydrodynamics body;
    body.displacement = {hydro["displaced_volume"], vec(hydro["center_of_buoyancy"])};
    const Json& m = hydro["added_mass_6x6"];
    MarineMatrix marine{};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) marine[(i + 3) % 6][(j + 3) % 6] = m[i][j];
    std::vector<std::string> warnings;
    body.added_mass = added_mass_from(marine, name, warnings);
    CylinderDrag drag;
    const int axis = hydro["drag_axis"];
    drag.start[axis] = hydro["cylinder_bounds"][0];
    drag.end[axis] = hydro["cylinder_bounds"][1];
    drag.radius = hydro["cylinder_radius"];
    drag.coefficient = drag.end_coefficient = hydro["drag_coefficient"];
    body.cylinders.push_back(drag);
    water.push_back({name, body});
  }
};

TEST(Dynamechs, AquarobotAcceleratesAlike) {
  const std::string path = LIMBER_SOURCE_DIR "/../shared/oracle/dynamechs_aquarobot.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  std::ifstream file(path);
  const Json data = Json::parse(file);
  const Json& links = data["models"]["basic"]["links"];
  const Hexapod hexapod(links);
  Robot r(hexapod.spec, 1);
  WaterLoads water_loads(r.model, hexapod.water);
  Water water;
  water.density = data["fluid_density"];
  int compared = 0;
  for (const char* group : {"dry", "hydro_basic_leaf_fixed"})
    for (const Json& state : data["cases"][group]["states"]) {
      const std::string name = state["state"];
      if (name == "joint_limits_active") continue;  // springs at limits are another matter
      SCOPED_TRACE(std::string(group) + ' ' + name);
      const Json &q = state["q"], &v = state["v"], &tau = state["tau"], &vd = state["v_dot"];
      r.q.setZero(), r.v.setZero(), r.tau.setZero();
      VectorXd expected(r.model.nv);
      for (const Json& link : links) {
        const std::string type = link["type"];
        if (type == "fixed_zscrew") continue;
        std::string joint_name = "jl";
        joint_name += std::to_string(link["index"].get<int>());
        const int body = r.model.body_of_joint(joint_name);
        const int iq = r.model.q_index[body], iv = r.model.v_index[body];
        const std::size_t k = link["q_offset"];
        const auto three = [](const Json& j, std::size_t at) {
          return Vector3d(j[at], j[at + 1], j[at + 2]);
        };
        if (type == "mobile_base") {
          r.q.segment<3>(iq) = three(q, k + 4);
          for (int i = 0; i < 4; ++i) r.q[iq + 3 + i] = q[k + static_cast<std::size_t>(i)];
          const Eigen::Quaterniond turn(q[k + 3], q[k], q[k + 1], q[k + 2]);
          const Eigen::Matrix3d Rt = turn.toRotationMatrix().transpose();
          const Vector3d w = Rt * three(v, k), u = Rt * three(v, k + 3);
          r.v.segment<3>(iv) = w, r.v.segment<3>(iv + 3) = u;
          expected.segment<3>(iv) = Rt * three(vd, k);
          expected.segment<3>(iv + 3) = Rt * three(vd, k + 3) - w.cross(u);
        } else if (type == "revolute_mdh") {
          r.q[iq] = q[k], r.v[iv] = v[k], expected[iv] = vd[k];
          r.tau[iv] = tau[k].get<double>() - link["viscous_friction"].get<double>() * r.v[iv];
        } else {
          const Vector3d euler = three(q, k);
          const Eigen::Quaterniond turn = Eigen::AngleAxisd(euler[2], Vector3d::UnitZ()) *
                                          Eigen::AngleAxisd(euler[1], Vector3d::UnitY()) *
                                          Eigen::AngleAxisd(euler[0], Vector3d::UnitX());
          r.q.segment<4>(iq) = turn.coeffs();
          r.v.segment<3>(iv) = three(v, k), expected.segment<3>(iv) = three(vd, k);
          r.tau.segment<3>(iv) =
              three(tau, k) - link["viscous_friction"].get<double>() * three(v, k);
        }
      }
      Loads<double> loads;
      if (group[0] == 'h')
        loads = water_loads.update(r.model, forward_kinematics(r.model, in(r.q), in(r.v), r.ws),
                                   water, 0);
      const VectorXd found =
          matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws, loads));
      // its points of integration along cylinders have nine digits
      EXPECT_TRUE(near(found, expected, group[0] == 'h' ? 3e-9 : 1e-12));
      ++compared;
    }
  EXPECT_EQ(compared, 6);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
