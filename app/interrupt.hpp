#pragma once
// Ctrl-C ends the run, not the program: what was computed is kept. A second one ends the program.
namespace limber::app {

/// From now on Ctrl-C is noted.
void watch_for_interrupt();
/// True after Ctrl-C.
bool interrupted();

}  // namespace limber::app
