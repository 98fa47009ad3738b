// The two accesses of a race, found by running the side again with an eye on the byte.
#include <fmt/format.h>

#include "checker/group.h"

namespace ptxeq::check {

namespace {

std::string thread_text(const sym::Sighting& s) {
  return fmt::format("block ({},{},{}) thread ({},{},{})", s.block[0], s.block[1], s.block[2], s.thread[0], s.thread[1],
                     s.thread[2]);
}

bool same_thread(const sym::Sighting& x, const sym::Sighting& y) {
  return x.block == y.block && x.thread == y.thread && x.program == y.program;
}

std::string line_of(const sym::Sighting& s, const std::string& file, const std::string& object) {
  const sym::Step& step = s.program->steps[s.step];
  return fmt::format("{}:{}  {}  {} {}+{}..{}\n    {}", file, s.program->at(step).line, s.program->text(step),
                     s.write ? "writes" : "reads", object, s.offset, s.offset + s.size - 1, thread_text(s));
}

}  // namespace

Finding race_finding(const Setup& setup, const PreparedSide& side, const sym::MachineOptions& options,
                     const sym::SideState& state, const BlockList* blocks, std::uint32_t terms) {
  Finding f = state.faults.back().finding;
  sym::TermStore store;
  store.limit(terms);
  sym::SymbolicDomain domain(store, setup.world);
  sym::SideState again(domain, nullptr);
  sym::Watch watch{state.race->object, state.race->offset, state.race->offset + state.race->size, {}};
  again.watch = &watch;
  run_side(setup, side, again, domain, options, nullptr, list_of(blocks));
  if (watch.seen.size() < 2) return f;
  const sym::Sighting& second = watch.seen.back();
  for (std::size_t i = watch.seen.size() - 1; i-- > 0;) {
    const sym::Sighting& first = watch.seen[i];
    if (same_thread(first, second) || !(first.write || second.write)) continue;
    const std::string &file = file_of(side), &object = setup.world[state.race->object].name;
    f.at = second.program->at(second.program->steps[second.step]);
    f.witness = line_of(first, file, object) + "\n" + line_of(second, file, object);
    f.message = fmt::format("{}+{} is {} at line {} and {} at line {} by another thread, and nothing orders the two",
                            object, second.offset, first.write ? "written" : "read",
                            first.program->at(first.program->steps[first.step]).line, second.write ? "written" : "read",
                            f.at.line);
    break;
  }
  return f;
}

}  // namespace ptxeq::check
