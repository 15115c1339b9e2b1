// docs/scenario.md, written from the table that the reader checks against.
#include "scenario/schema.hpp"

#include <limber/scenario/scenario.hpp>

namespace limber {

std::string scenario_document() {
  return R"(# Scenario files

A scenario describes a simulation in YAML: robots, their places, drives and
controllers, the duration, and what is recorded. The smallest one:

```yaml
duration: 5
robots:
  - model: double_pendulum
    initial:
      position: {shoulder: 2.0, elbow: 0.7}
```

Run it with `limber simulate my.yaml`; the folder `out` then has `recording.csv` and `report.html`.
`limber simulate` alone lists the scenarios that ship with Limber: copy from them (folder
`scenarios/`).

All units are SI, angles in radians; a number may be an expression like `-pi/2` or `60*pi/180`.
Unknown keys are errors with the nearest known one. Paths in a scenario are relative to its folder. Any value
can be replaced on the command line: `--set integrator.step=1e-4`, `--set drives.elbow.gear.ratio=80`
(entries of lists by their number from 0, or by their `name`, `joint`, `link`, `model` or `kind`).

This page is written by `limber simulate --keys` from the table that the reader checks against.
)" + schema_document();
}

}  // namespace limber
