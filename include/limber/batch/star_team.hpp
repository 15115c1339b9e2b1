#pragma once
// StarTeam: forward dynamics of one floating body with legs, the legs shared by threads. [McM] ch.
// V: legs by themselves | meet | the body, by one thread | meet | legs again.
#include <memory>

#include <limber/dynamics/star_dynamics.hpp>

namespace limber {

/// Set-up allocates and starts the threads, the calls do neither. One call at a time. The functions
/// of custom joints are called by all threads and must not throw.
class StarTeam {
 public:
  /// threads: 0: as many as the machine has cores, but not more than there are legs. The model must
  /// live as long as the team. Throws Error for robots that Star refuses.
  explicit StarTeam(const Model& model, int threads = 0);
  ~StarTeam();
  StarTeam(const StarTeam&) = delete;
  StarTeam& operator=(const StarTeam&) = delete;

  int threads() const;
  /// What star_dynamics() gives, bit for bit.
  void forward_dynamics(In<double> q, In<double> v, In<double> tau, StarMethod method,
                        Out<double> out, const Loads<double>& loads = {});

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace limber
