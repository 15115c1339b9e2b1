// Compliant contact of many balls on planes, in lanes.
#include <limber/contact/compliant_balls.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/scalar/pack.hpp>

#include "dynamics/lanes.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr double never_touches = -1e30;  // radius of what fills up a row [m]
constexpr int most_lanes = lane_count<double>;

template <int N>
double lane_sum(const Pack<double, N>& a) {
  double sum = 0;
  for (int l = 0; l < N; ++l) sum += a[l];
  return sum;
}

/// One number of each lane.
template <int N, class Get>
[[gnu::always_inline]] inline Pack<double, N> gathered(Get get) {
  // as one expression: numbers that are stored one by one cannot be loaded together at once
  return [&]<int... L>(std::integer_sequence<int, L...>) __attribute__((always_inline)) {
    return Pack<double, N>(typename Pack<double, N>::Storage{get(L)...});
  }
  (std::make_integer_sequence<int, N>{});
}
template <int N, class Get>
[[gnu::always_inline]] inline Vec3<Pack<double, N>> gathered3(Get get) {
  return {gathered<N>([&](int l) { return get(l).x; }),
          gathered<N>([&](int l) { return get(l).y; }),
          gathered<N>([&](int l) { return get(l).z; })};
}

/// One lane of a matrix.
template <int N>
Sym3<double> of_lane(const Sym3<Pack<double, N>>& s, int l) {
  return {s.xx[l], s.yy[l], s.zz[l], s.xy[l], s.xz[l], s.yz[l]};
}
template <int N>
Mat3<double> of_lane(const Mat3<Pack<double, N>>& m, int l) {
  return {m.xx[l], m.xy[l], m.xz[l], m.yx[l], m.yy[l], m.yz[l], m.zx[l], m.zy[l], m.zz[l]};
}

bool same_ground(const BallOnPlane& a, const BallOnPlane& b) {
  return a.body == b.body && a.height == b.height && a.normal.x == b.normal.x &&
         a.normal.y == b.normal.y && a.normal.z == b.normal.z;
}

/// What a ball answers to being turned about the normal, and what that stores and loses.
template <class P>
struct Twist {
  P moment{0}, rate{0}, stored{0}, stored_rate{0}, lost{0};
};
template <class P>
Twist<P> twist_of(const FrictionLaw& law, const P& limit, const P& arm, const P& twist,
                  const P& spin) {
  if (law.kind == FrictionLaw::Kind::regularised) {
    const P speed = spin * arm;
    const P moment = -limit * speed / sqrt(speed * speed + P(law.slip_speed * law.slip_speed));
    return {moment, P(0), P(0), P(0), -moment * spin};
  }
  const P k = P(law.stiffness) * arm * arm, c = P(law.damping) * arm * arm;
  const P sprung = k * twist, held = sprung + c * spin;
  const P borne = max(min(held, limit), -limit);
  const P fading = -twist * P(law.stiffness / law.damping);
  const P rate = select(held == borne, spin, (borne - sprung) / c);
  Twist<P> r;
  r.moment = -borne;
  r.rate = select(arm > P(0), rate, fading);
  r.stored = sprung * twist * P(0.5);
  r.stored_rate = sprung * r.rate;
  r.lost = borne * spin - r.stored_rate;
  return r;
}

/// Of friction, ball by ball.
template <int N>
Pack<double, N> coefficients(Pack<double, N> at_rest, const Pack<double, N>& sliding,
                             const Vec3<Pack<double, N>>& slip, double transition) {
  const Pack<double, N> speed = sqrt(dot(slip, slip));
  for (int l = 0; l < N; ++l)
    at_rest.x[l] = friction_coefficient(at_rest[l], sliding[l], speed[l], transition);
  return at_rest;
}

constexpr std::size_t plane_numbers = 4, ball_numbers = 7;

}  // namespace

/// Bodies above their planes, in world axes, and what has acted on them so far.
template <int N>
struct CompliantBalls::Bodies {
  using P = Pack<double, N>;
  Mat3<P> R;
  Vec3<P> v, w;           // of the bodies' origins
  Vec3<P> n;              // of the planes
  P height, spin;         // of the origins above the planes, about the normals
  Vec3<P> force, moment;  // about the origins
  P stored{0}, stored_rate{0}, lost{0};
  // over a step, at whose end v and w are: how forces about the origins fall as v and w grow
  Sym3<P> turns, moves;
  Mat3<P> couples;
};

CompliantBalls::CompliantBalls(std::span<const BallOnPlane> balls, const CompliantLaws& laws)
    : laws_(laws) {
  std::vector<std::span<const BallOnPlane>> lanes;  // neighbours of one body on one plane
  for (std::size_t i = 0; i < balls.size();) {
    if (balls[i].body <= 0)
      throw Error(fmt::format("CompliantBalls: ball {} stands on the world; leave it out", i));
    std::size_t end = i;
    while (end < balls.size() && same_ground(balls[end], balls[i])) ++end;
    lanes.push_back(balls.subspan(i, end - i));
    i = end;
  }
  const std::span<const std::span<const BallOnPlane>> all(lanes);
  for (std::size_t i = 0; i < all.size(); i += at_index(most_lanes))
    add_block(all.subspan(i, std::min(all.size() - i, at_index(most_lanes))));
}

void CompliantBalls::add_block(std::span<const std::span<const BallOnPlane>> lanes) {
  Block block;
  block.count = static_cast<int>(lanes.size());
  block.lanes = 2;
  while (block.lanes < block.count) block.lanes *= 2;
  block.body = body_.size();
  block.first = rows_.size();
  block.numbers = numbers_.size();
  block.places = place_.size();
  std::size_t rows = 0;
  for (const auto& balls : lanes) rows = std::max(rows, balls.size());
  // a ball of a lane; without one, what never touches
  const auto ball_of = [&](std::size_t lane, std::size_t row) {
    const auto& balls = lanes[std::min(lane, lanes.size() - 1)];
    BallOnPlane ball = balls[std::min(row, balls.size() - 1)];
    if (lane >= lanes.size() || row >= balls.size()) ball.radius = never_touches;
    return ball;
  };
  const auto put = [&](std::size_t row, auto number) {
    for (std::size_t l = 0; l < at_index(block.lanes); ++l)
      numbers_.push_back(number(ball_of(l, row)));
  };
  for (int axis = 0; axis < 3; ++axis)
    put(0, [&](const BallOnPlane& ball) { return ball.normal[axis]; });
  put(0, [](const BallOnPlane& ball) { return ball.height; });
  for (std::size_t r = 0; r < rows; ++r) {
    for (int axis = 0; axis < 3; ++axis)
      put(r, [&](const BallOnPlane& ball) { return ball.center[axis]; });
    put(r, [](const BallOnPlane& ball) { return ball.radius; });
    put(r, [](const BallOnPlane& ball) { return ball.friction; });
    put(r, [](const BallOnPlane& ball) { return ball.sliding_friction; });
    put(r, [](const BallOnPlane& ball) { return ball.torsion; });
    Row row;
    for (std::size_t l = 0; l < at_index(block.lanes); ++l) {
      const BallOnPlane ball = ball_of(l, r);
      const std::size_t first = at_index(states) * (place_.size() - l);  // of the row's rates
      if (ball.radius != never_touches)
        balls_.push_back({ball.state, block.lanes, rows_.size(), first + l});
      place_.push_back(ball.state);
      row.slips_alike = row.slips_alike && ball.friction == ball.sliding_friction;
      row.has_torsion = row.has_torsion || ball.torsion != 0;
    }
    rows_.push_back(row);
  }
  for (std::size_t l = 0; l < at_index(block.lanes); ++l) body_.push_back(ball_of(l, 0).body);
  block.end = rows_.size();
  force_.resize(body_.size());
  impedance_.resize(body_.size());
  numbers_.resize(at_index(padded(static_cast<int>(numbers_.size()), 8)));  // whole cache lines
  rates_.resize(at_index(states) * place_.size());
  blocks_.push_back(block);
}

template <int N>
[[gnu::always_inline]] inline void CompliantBalls::press_row(Row& row, const double* numbers,
                                                             const int* places, double* rates,
                                                             std::span<const double> z,
                                                             Bodies<N>& on) const {
  using P = Pack<double, N>;
  const auto number = [&](int k) __attribute__((always_inline)) {
    return P::load(numbers + k * N);
  };
  const Vec3<P>& n = on.n;
  const P radius = number(3);
  const Vec3<P> center = on.R * Vec3<P>{number(0), number(1), number(2)};
  const P depth = radius - dot(n, center) - on.height;
  const auto touches = depth > P(0);
  row.touches = any(touches);
  if (!row.touches) return;

  // between the surfaces, where the deepest points of both are
  const Vec3<P> arm = center - n * (radius - depth * P(0.5));
  const Vec3<P> u = on.v + cross(on.w, arm);
  const P rate = -dot(u, n);
  const P load = normal_force<P>(laws_.normal, depth, rate);
  const P elastic = elastic_force<P>(laws_.normal, depth);
  P stored = elastic_energy<P>(laws_.normal, depth), stored_rate = elastic * rate,
    lost = (load - elastic) * rate;

  const Vec3<P> slip = u + n * rate;
  const P mu = row.slips_alike
                   ? number(4)
                   : coefficients<N>(number(4), number(5), slip, laws_.transition_speed);
  const FrictionLaw& law = laws_.tangential;
  const P limit = mu * load, fading(-law.stiffness / law.damping);
  const auto state = [&](int k) __attribute__((always_inline)) {
    return gathered<N>([&](int l) { return z[at_index(places[l] + k)]; });
  };
  Vec3<P> stretch{state(0), state(1), state(2)};
  const P turned = state(3);
  Vec3<P> friction, stretch_rate = stretch * fading;
  if (law.kind == FrictionLaw::Kind::regularised) {
    friction = regularised_friction<P>(law, limit, slip);
    lost -= dot(friction, slip);
  } else {
    const Vec3<P> out_of_plane = n * dot(stretch, n);  // fades
    stretch -= out_of_plane;
    const BasicStickingFriction<P> held = sticking_friction<P>(law, limit, stretch, slip);
    const P sprung = P(law.stiffness) * dot(stretch, held.rate);
    friction = held.force;
    stretch_rate = held.rate + out_of_plane * fading;
    stored += sticking_energy<P>(law, stretch);
    stored_rate += sprung;
    lost -= dot(friction, slip) + sprung;
  }
  Twist<P> twist;
  twist.rate = turned * fading;
  if (row.has_torsion) {
    const P torsion = number(6);
    twist = twist_of(law, torsion * load, torsion, turned, on.spin);
    if (law.kind == FrictionLaw::Kind::regularised) twist.rate = turned * fading;
  }

  const Vec3<P> force = n * load + friction;
  on.force += force;
  on.moment += cross(arm, force) + n * twist.moment;
  on.stored += select(touches, stored + twist.stored, P(0));
  on.stored_rate += select(touches, stored_rate + twist.stored_rate, P(0));
  on.lost += select(touches, lost + twist.lost, P(0));
  stretch_rate.x.store(rates), stretch_rate.y.store(rates + N), stretch_rate.z.store(rates + 2 * N);
  twist.rate.store(rates + 3 * N);
}

// as press_row(), for a step at whose end the bodies have the velocities v and w
template <int N>
[[gnu::always_inline]] inline void CompliantBalls::step_row(Row& row, const double* numbers,
                                                            const int* places, double* rates,
                                                            std::span<const double> z,
                                                            Bodies<N>& on) const {
  using P = Pack<double, N>;
  const auto number = [&](int k) __attribute__((always_inline)) {
    return P::load(numbers + k * N);
  };
  const Vec3<P>& n = on.n;
  const P radius = number(3), h(step_);
  const Vec3<P> center = on.R * Vec3<P>{number(0), number(1), number(2)};
  const P depth = radius - dot(n, center) - on.height;
  // of the point of the ball that is deepest at the beginning
  const Vec3<P> arm = center - n * (radius - select(depth > P(0), depth, P(0)) * P(0.5));
  const Vec3<P> u = on.v + cross(on.w, arm);
  const P rate = -dot(u, n);
  const auto touches = depth + h * rate > P(0);
  row.touches = any(touches);
  if (!row.touches) return;

  const NormalOverStep<P> normal = normal_over_step<P>(laws_.normal, depth, rate, step_);
  const Vec3<P> slip = u + n * rate;
  const P mu = row.slips_alike
                   ? number(4)
                   : coefficients<N>(number(4), number(5), slip, laws_.transition_speed);
  const FrictionLaw& law = laws_.tangential;
  const P fading(relaxation());
  const auto state = [&](int k) __attribute__((always_inline)) {
    return gathered<N>([&](int l) { return z[at_index(places[l] + k)]; });
  };
  Vec3<P> stretch{state(0), state(1), state(2)};
  const Vec3<P> out_of_plane = n * dot(stretch, n);  // fades
  stretch -= out_of_plane;
  const FrictionOverStep<P> friction =
      friction_over_step<P>(law, mu * normal.force, stretch, slip, step_, sliding_);
  Vec3<P> stretch_rate = friction.rate + out_of_plane * fading;
  if (law.kind == FrictionLaw::Kind::regularised) stretch_rate = (stretch + out_of_plane) * fading;
  FrictionOverStep<P> twist{{}, P(0), {state(3) * fading, P(0), P(0)}, P(0), {}, P(0)};
  if (row.has_torsion) {  // as friction on an arm as long as the coefficient
    const P torsion = number(6), reach = select(torsion > P(0), torsion, P(1));
    twist =
        friction_over_step<P>(law, select(torsion > P(0), normal.force, P(0)),
                              {state(3) * reach, P(0), P(0)}, {on.spin * reach, P(0), P(0)}, step_);
    twist.rate.x = twist.rate.x / reach;
    if (law.kind == FrictionLaw::Kind::regularised) twist.rate.x = state(3) * fading;
    twist.force.x = twist.force.x * torsion;
    twist.impedance = twist.impedance * torsion * torsion;
    twist.stored_rate = select(torsion > P(0), twist.stored_rate, P(0));
  }

  const Vec3<P> force = n * normal.force + friction.force;
  on.force += force;
  on.moment += cross(arm, force) + n * twist.force.x;
  const P stored_rate = normal.stored_rate + friction.stored_rate + twist.stored_rate;
  const P lost = -dot(force, u) - twist.force.x * on.spin;
  on.stored_rate += select(touches, stored_rate, P(0));
  on.lost += select(touches, lost - stored_rate, P(0));
  // of the point: `along` in all directions and `more` along the normal
  const P along = friction.impedance, more = normal.impedance - along;
  const Vec3<P> turned = cross(arm, n);
  const P reach2 = along * dot(arm, arm);
  on.moves += Sym3<P>::diagonal(along, along, along) + square(n) * more;
  on.couples += skew(arm * along) + outer(turned * more, n);
  on.turns += Sym3<P>::diagonal(reach2, reach2, reach2) - square(arm) * along +
              square(turned) * more + square(n) * twist.impedance;
  if (sliding_ == SlidingImpedance::newton) {
    const Vec3<P>&d = friction.direction, aside = cross(arm, d);
    on.moves -= square(d) * friction.less;
    on.couples -= outer(aside * friction.less, d);
    on.turns -= square(aside) * friction.less;
  }
  stretch_rate.x.store(rates), stretch_rate.y.store(rates + N), stretch_rate.z.store(rates + 2 * N);
  twist.rate.x.store(rates + 3 * N);
}

// what springs that touch nothing lose, in parts of them [1/s]; over a step by the implicit method
double CompliantBalls::relaxation() const {
  return -laws_.tangential.stiffness /
         (laws_.tangential.damping + step_ * laws_.tangential.stiffness);
}

template <int N, bool over_step>
void CompliantBalls::press_block(const Model& model, Block& block, const Velocities& bodies,
                                 std::span<const Motion<double>> after, std::span<const double> z) {
  using P = Pack<double, N>;
  const int* const body = body_.data() + block.body;
  const double* numbers = numbers_.data() + block.numbers;
  const int* places = place_.data() + block.places;
  double* rates = rates_.data() + at_index(states) * block.places;
  const auto pose = [&](int l) -> const Transform<double>& { return bodies.X_W[body[l]]; };
  const auto row_of = [&](int i) { return gathered3<N>([&](int l) { return pose(l).R.row(i); }); };
  Bodies<N> on;
  on.R = Mat3<P>::from_rows(row_of(0), row_of(1), row_of(2));
  const auto velocity = [&](int l) -> const Motion<double>& {
    return over_step ? after[at_index(body[l])] : bodies.v[body[l]];
  };
  on.v = on.R * gathered3<N>([&](int l) { return velocity(l).linear; });
  on.w = on.R * gathered3<N>([&](int l) { return velocity(l).angular; });
  on.n = {P::load(numbers), P::load(numbers + N), P::load(numbers + 2 * N)};
  on.height = dot(on.n, gathered3<N>([&](int l) { return pose(l).p; })) - P::load(numbers + 3 * N);
  on.spin = dot(on.n, on.w);
  numbers += plane_numbers * N;
  block.touches = false;
  for (std::size_t r = block.first; r < block.end; ++r) {
    if constexpr (over_step) step_row<N>(rows_[r], numbers, places, rates, z, on);
    else press_row<N>(rows_[r], numbers, places, rates, z, on);
    block.touches = block.touches || rows_[r].touches;
    numbers += ball_numbers * N;
    places += N;
    rates += states * N;
  }
  if (!block.touches) return;
  energies_.stored += lane_sum<N>(on.stored);
  energies_.stored_rate += lane_sum<N>(on.stored_rate);
  energies_.lost += lane_sum<N>(on.lost);
  const Vec3<P> m = transpose_times(on.R, on.moment), f = transpose_times(on.R, on.force);
  for (int l = 0; l < block.count; ++l)
    force_[block.body + at_index(l)] =
        apply_inverse(model.body_placement[body[l]],
                      Force<double>{{m.x[l], m.y[l], m.z[l]}, {f.x[l], f.y[l], f.z[l]}});
  if constexpr (over_step) {
    const Mat3<P> back = transpose(on.R);
    const Sym3<P> turns = congruence(back, on.turns), moves = congruence(back, on.moves);
    const Mat3<P> couples = back * on.couples * on.R;
    for (int l = 0; l < block.count; ++l) {
      const auto lane = [l](const auto& s) { return of_lane(s, l); };
      impedance_[block.body + at_index(l)] =
          inverse(model.body_placement[body[l]]) *
          ArticulatedInertia<double>(lane(turns), lane(couples), lane(moves));
    }
  }
}

template <bool over_step>
bool CompliantBalls::press_all(const Model& model, const Velocities& bodies,
                               std::span<const Motion<double>> after, std::span<const double> z) {
  energies_ = {};
  bool touches = false;
  for (Block& block : blocks_) {
    if constexpr (most_lanes >= 8)
      if (block.lanes == 8) press_block<8, over_step>(model, block, bodies, after, z);
    if constexpr (most_lanes >= 4)
      if (block.lanes == 4) press_block<4, over_step>(model, block, bodies, after, z);
    if (block.lanes == 2) press_block<2, over_step>(model, block, bodies, after, z);
    touches = touches || block.touches;
  }
  return touches;
}

bool CompliantBalls::press(const Model& model, const Velocities& bodies,
                           std::span<const double> z) {
  step_ = 0;
  return press_all<false>(model, bodies, {}, z);
}

bool CompliantBalls::press_over_step(const Model& model, const Velocities& bodies,
                                     std::span<const Motion<double>> after,
                                     std::span<const double> z, double h,
                                     SlidingImpedance sliding) {
  step_ = h;
  sliding_ = sliding;
  return press_all<true>(model, bodies, after, z);
}

void CompliantBalls::add_forces(std::span<Force<double>> body_forces) const {
  for (const Block& block : blocks_)
    for (std::size_t l = block.body; l < block.body + at_index(block.count) && block.touches; ++l)
      body_forces[at_index(body_[l])] += force_[l];
}

void CompliantBalls::rates(std::span<const double> z, std::span<double> z_dot) const {
  const double fading = relaxation();
  for (const Ball& ball : balls_) {
    const double* const rates = rates_.data() + ball.rates;
    const double* const own = z.data() + ball.state;
    double* const out = z_dot.data() + ball.state;
    const bool touches = rows_[ball.row].touches;
    for (int k = 0; k < states; ++k) out[k] = touches ? rates[k * ball.lanes] : fading * own[k];
  }
}

}  // namespace limber
