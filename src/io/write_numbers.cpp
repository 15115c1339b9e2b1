// Numbers, rotations and inertias as files have them.
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/write.hpp"

namespace limber {

namespace {

// a number and what may have been meant by it, were it not for rounding: with 15 digits, itself,
// its neighbours, zero of the other sign
std::array<double, 5> neighbours(double x) {
  const std::string digits = fmt::format("{:.15g}", x);
  double round = x;
  std::from_chars(digits.data(), digits.data() + digits.size(), round);
  return {round + 0.0, x, std::nextafter(x, HUGE_VAL), std::nextafter(x, -HUGE_VAL),
          x == 0 ? -0.0 : x};
}

// tries all neighbours of three numbers until `fits` holds; false: none does
template <class Fits>
bool nudge(Vec3<double>& x, const Fits& fits) {
  const auto a = neighbours(x.x), b = neighbours(x.y), c = neighbours(x.z);
  for (const double xi : a)
    for (const double yi : b)
      for (const double zi : c)
        if (fits(Vec3<double>{xi, yi, zi})) {
          x = {xi, yi, zi};
          return true;
        }
  return false;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

bool same_bits(const Vec3<double>& a, const Vec3<double>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

bool same_bits(const Mat3<double>& a, const Mat3<double>& b) {
  return same_bits(a.row(0), b.row(0)) && same_bits(a.row(1), b.row(1)) &&
         same_bits(a.row(2), b.row(2));
}

bool is_identity(const Transform<double>& X) {
  constexpr Transform<double> one;
  return same_bits(X.R, one.R) && same_bits(X.p, one.p);
}

std::string format_number(double x) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr};
}

std::string format_numbers(std::span<const double> x) {
  std::string text;
  for (const double one : x) text += (text.empty() ? "" : " ") + format_number(one);
  return text;
}

std::string format_numbers(const Vec3<double>& x) {
  const double numbers[] = {x.x, x.y, x.z};
  return format_numbers(numbers);
}

RpyForm to_rpy(const Mat3<double>& R) {
  const auto fits = [&](const Vec3<double>& a) {
    return same_bits(rotation_from_rpy(a.x, a.y, a.z), R);
  };
  RpyForm form;
  if (fits({})) return {{}, true};
  // yaw first; what is left has no yaw, whatever its value was: right at pitch ±π/2, too
  const double yaw = std::atan2(R.yx, R.xx);
  const double s = std::sin(yaw), c = std::cos(yaw);
  form.rpy.z = yaw;
  form.rpy.y = std::atan2(-R.zx, c * R.xx + s * R.yx);
  form.rpy.x = std::atan2(s * R.xz - c * R.yz, c * R.yy - s * R.xy);
  form.is_exact = nudge(form.rpy, fits);
  return form;
}

ComForm to_com_form(const Inertia<double>& I) {
  ComForm form;
  form.mass = I.m;
  if (I.m != 0) form.com = I.com();
  const bool has_com =
      nudge(form.com, [&](const Vec3<double>& c) { return same_bits(c * I.m, I.h); });
  const Sym3<double> shift = square(form.com) * I.m;
  // products of inertia stand alone, moments hang together
  const Sym3<double> K = I.J - shift;
  form.inertia = Inertia<double>{I.m, {}, K}.rotational();
  Vec3<double> products{form.inertia.xy, form.inertia.xz, form.inertia.yz};
  Vec3<double> moments{form.inertia.xx, form.inertia.yy, form.inertia.zz};
  const auto result = [&] { return Inertia<double>::from_com(I.m, form.com, form.inertia).J; };
  const bool has_products = nudge(products, [&](const Vec3<double>& x) {
    form.inertia.xy = x.x, form.inertia.xz = x.y, form.inertia.yz = x.z;
    const Sym3<double> J = result();
    return same_bits(Vec3<double>{J.xy, J.xz, J.yz}, Vec3<double>{I.J.xy, I.J.xz, I.J.yz});
  });
  form.inertia.xy = products.x, form.inertia.xz = products.y, form.inertia.yz = products.z;
  const bool has_moments = nudge(moments, [&](const Vec3<double>& x) {
    form.inertia.xx = x.x, form.inertia.yy = x.y, form.inertia.zz = x.z;
    const Sym3<double> J = result();
    return same_bits(Vec3<double>{J.xx, J.yy, J.zz}, Vec3<double>{I.J.xx, I.J.yy, I.J.zz});
  });
  form.inertia.xx = moments.x, form.inertia.yy = moments.y, form.inertia.zz = moments.z;
  form.is_exact = has_com && has_products && has_moments;
  return form;
}

bool is_massless(const Inertia<double>& I) {
  const Sym3<double>& J = I.J;
  for (const double x : {I.m, I.h.x, I.h.y, I.h.z, J.xx, J.yy, J.zz, J.xy, J.xz, J.yz})
    if (x != 0) return false;
  return true;
}

DofSpec dof_of(const JointSpec& joint, int k) {
  if (joint.dofs.empty()) return {};
  return joint.dofs[joint.dofs.size() == 1 ? 0 : static_cast<std::size_t>(k)];
}

}  // namespace limber
