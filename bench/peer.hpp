#pragma once
// Peer: one contestant, Limber itself included, loaded with one robot and a set of states. It has
// converted the states to its own conventions beforehand, so that a timed run pays only for what
// its user pays per state: setting q, v, a or tau, and the algorithm. Answers come back in Limber's
// conventions.
#include <memory>
#include <string>
#include <vector>

#include <limber/model/generate.hpp>

#include "algorithm.hpp"
#include "plain_tree.hpp"

namespace limber::bench {

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  /// A peer that knows one way of forward dynamics offers it under both names.
  virtual bool offers(Algorithm algorithm) const = 0;
  /// Runs the algorithm once for every state. This is what is timed.
  virtual void run(Algorithm algorithm) = 0;
  /// The answer for one state, in Limber's conventions: nv numbers, nv × nv, 6 × nv (both by rows),
  /// the last body's pose (R by rows, then p), or (kinetic, potential).
  virtual std::vector<double> answer(Algorithm algorithm, int state) = 0;
  /// False: the peer leaves rotor inertia out, and is checked against the robot without rotors.
  virtual bool supports_rotors() const { return true; }
};

/// A peer, or the reason why there is none for this robot.
struct Entry {
  std::unique_ptr<Peer> peer;
  std::string name;
  std::string refusal;
};

std::unique_ptr<Peer> make_limber(const Model& model, const PlainTree& tree,
                                  std::vector<RandomState> states);

// only in programs that were built with the library
Entry make_mujoco(const PlainTree& tree, const std::vector<RandomState>& states);
Entry make_kdl(const PlainTree& tree, const std::vector<RandomState>& states);
Entry make_dart(const PlainTree& tree, const std::vector<RandomState>& states);

/// Every library this program was built with, other than Limber.
std::vector<Entry> make_peers(const PlainTree& tree, const std::vector<RandomState>& states);

/// Names of the libraries this program was built with, in the order of make_peers().
std::vector<std::string> peer_names();

/// Keeps the optimiser from dropping an unused result.
inline void keep(const void* result) { asm volatile("" : : "g"(result) : "memory"); }

}  // namespace limber::bench
