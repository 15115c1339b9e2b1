#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

namespace limber {

std::vector<JointPlace> joint_places(const Model& m) {
  std::vector<JointPlace> places;
  for_each_joint(m, [&](const JointPlace& place) { places.push_back(place); });
  return places;
}

JointPlace joint_place(const Model& m, std::string_view joint) {
  const int body = m.body_of_joint(joint);
  const auto b = static_cast<std::size_t>(body);
  if (const int master = m.master[b]; master >= 0)
    throw Error(fmt::format("joint '{}' of robot '{}' follows joint '{}'; name that one instead",
                            joint, m.name, m.joint_name[master]));
  return place_of(m, body, m.q_fold[m.q_index[b]].index, m.v_fold[m.v_index[b]].index);
}

}  // namespace limber
