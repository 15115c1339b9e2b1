// Compiled for every width of the lanes, but with the instructions that every processor has: this
// is set-up, and makes use of the standard library.
#include "batch/lanes/context.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class P>
class MemoryOf : public LaneMemory {
 public:
  MemoryOf(const Model& model, int threads, Passive passive) : mechanism_(cast<P>(model)) {
    for (int thread = 0; thread < threads; ++thread) {
      const Scratch& scratch = *scratch_.emplace_back(std::make_unique<Scratch>(mechanism_));
      scratch.context->request = &request;
      scratch.context->loads.passive = passive;
      contexts_.push_back(scratch.context.get());
    }
  }
  std::span<const void* const> contexts() const override { return contexts_; }

 private:
  struct Scratch {
    explicit Scratch(const BasicMechanism<P>& m)
        : ws(m.tree),
          mw(m.tree),
          loops(m),
          q(static_cast<std::size_t>(m.tree.nq)),
          v(static_cast<std::size_t>(m.tree.nv)),
          x(v.size()),
          a(v.size()),
          force(static_cast<std::size_t>(m.rows)),
          residual(force.size()),
          context(new LaneContext<P>{&m.tree,
                                     nullptr,
                                     {},
                                     &ws,
                                     &mw,
                                     q.data(),
                                     v.data(),
                                     x.data(),
                                     &m,
                                     &loops,
                                     a.data(),
                                     force.data(),
                                     residual.data()}) {}
    BasicWorkspace<P> ws;
    BasicMatrixWorkspace<P> mw;
    BasicArticulatedLoops<P> loops;
    std::vector<P> q, v, x, a, force, residual;
    std::unique_ptr<LaneContext<P>> context;
  };
  BasicMechanism<P> mechanism_;
  std::vector<std::unique_ptr<Scratch>> scratch_;
  std::vector<const void*> contexts_;
};

}  // namespace

template <class P>
std::unique_ptr<LaneMemory> lane_memory(const Model& model, int threads, Passive passive) {
  return std::make_unique<MemoryOf<P>>(model, threads, passive);
}

#define LIMBER_LANE_MEMORY(P) \
  template std::unique_ptr<LaneMemory> lane_memory<P>(const Model&, int, Passive);
LIMBER_FOR_EACH_REAL(LIMBER_LANE_MEMORY)

}  // namespace limber
