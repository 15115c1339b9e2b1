// A simulation that is stepped, changed while it runs, copied to look ahead, and replayed.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <limber/simulator.hpp>

namespace {

void print(const char* what, const limber::Simulation& run) {
  std::printf("%-9s %.3f s: shoulder %7.4f rad, elbow %7.4f rad\n", what, run.t(), run.x()[0],
              run.x()[1]);
}

}  // namespace

int main() {
  // a double pendulum, and a hand that may turn its shoulder
  limber::System system(limber::load("double_pendulum"));
  limber::OpenLoopSettings hand;
  hand.freedom = "shoulder";
  hand.name = "hand";
  system.add(std::make_unique<limber::OpenLoop>(hand));
  limber::SimulationSettings settings;
  settings.duration = HUGE_VAL;  // endless
  const std::vector<double> q{0.5, 0}, v{0, 0};
  limber::Simulation live(system, settings, q, v);

  // one step after the other, as a window that draws in between would take them
  while (live.t() < 1) live.step();
  print("live", live);

  // an input of a part, and the state itself
  live.change("hand.offset", 8.0);  // [N m]
  live.advance(2);
  live.change([](limber::StateEdit& edit) {
    edit.v[1] = 0;  // stops the elbow for an instant
    edit.set("hand.offset", 4.0);
  });

  // what happens if the hand lets go? a copy tells, and the original does not notice
  limber::Simulation ahead = live;
  ahead.change("hand.offset", 0.0);
  ahead.advance(3);
  print("ahead", ahead);
  live.advance(3);
  print("live", live);

  // the same run once more, from its list of changes
  limber::Simulation again(system, settings, q, v);
  again.replay(live.changes());
  again.advance(3);
  print("again", again);
  for (const limber::Change& change : live.changes())
    for (const limber::Change::Value& one : change.values)
      std::printf("at %.3f s, step %ld: %s = %g\n", change.t, change.step, one.name.c_str(),
                  one.value);
  const bool same = std::equal(live.x().begin(), live.x().end(), again.x().begin());
  std::printf("%s\n", same ? "the same bits" : "other bits");
}
