#include <limber/dynamics/prescribed_motion.hpp>

#include <fmt/format.h>
#include "index.hpp"

namespace limber {

PrescribedMotion::PrescribedMotion(const Model& m, std::string_view joint, Function motion)
    : motion_(std::move(motion)), joint_(joint), nq_(at_index(m.nq)), nv_(at_index(m.nv)) {
  const auto b = at_index(m.body_of_joint(joint));
  if (m.master[b] >= 0)
    throw Error(
        fmt::format("joint '{}' of robot '{}' follows '{}' and has no motion of its own; "
                    "prescribe that of '{}'",
                    joint, m.name, m.joint_name[m.master[b]], m.joint_name[m.master[b]]));
  if (!motion_) throw Error(fmt::format("the prescribed motion of joint '{}' is empty", joint));
  q_start_ = at_index(m.q_fold[m.q_index[b]].index);
  v_start_ = at_index(m.v_fold[m.v_index[b]].index);
  q_count_ = at_index(m.q_count[b]);
  v_count_ = at_index(m.v_count[b]);
}

void PrescribedMotion::apply(double t, std::span<double> q, std::span<double> v,
                             std::span<Known> known, std::span<double> given) const {
  if (q.size() != nq_ || v.size() != nv_ || known.size() != nv_ || given.size() != nv_)
    throw Error(fmt::format(
        "prescribed motion of joint '{}': q, v, known and given have {}, {}, {} and {} entries; "
        "{}, {}, {} and {} are needed",
        joint_, q.size(), v.size(), known.size(), given.size(), nq_, nv_, nv_, nv_));
  motion_(t, q.subspan(q_start_, q_count_), v.subspan(v_start_, v_count_),
          given.subspan(v_start_, v_count_));
  for (Known& flag : known.subspan(v_start_, v_count_)) flag = Known::acceleration;
}

}  // namespace limber
