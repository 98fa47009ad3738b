// `ptxeq run`: one side on concrete inputs.
#include <chrono>

#include "checker/elapsed.h"
#include "checker/prove.h"
#include "checker/replay.h"
#include "checker/sample.h"
#include "checker/values.h"

namespace ptxeq::check {

namespace {

// Contents for a buffer without `init`: small numbers from the seed, inside the buffer's preconditions.
std::vector<std::uint64_t> seeded(const Buffer& b, std::uint64_t count, const LeafDomain& domain, Random random) {
  std::vector<std::uint64_t> out(count);
  const unsigned width = ir::bits(b.type);
  for (std::uint64_t& v : out) {
    v = default_value(domain, width);
    for (unsigned k = 0; k < 16; ++k) {
      const double fraction = double(random.next() >> 11) * 0x1p-53;
      const std::uint64_t bits =
          b.values           ? encode_float(b.type, (*b.values)[0] + fraction * ((*b.values)[1] - (*b.values)[0]))
          : is_float(b.type) ? encode_float(b.type, fraction * 2 - 1)
          : b.integer_values
              ? encode_integer(
                    b.type,
                    (*b.integer_values)[0] +
                        std::int64_t(random.below(std::uint64_t((*b.integer_values)[1] - (*b.integer_values)[0]) + 1)))
              : random.next() & sym::mask(width);
      if (domain.width && !admits(domain, width, bits)) continue;
      v = bits;
      break;
    }
  }
  return out;
}

}  // namespace

RunResult run(const Problem& problem, const Limits& limits) {
  RunResult result;
  const auto start = std::chrono::steady_clock::now();
  Problem only = problem;
  only.ref = {};
  const Setup setup = prepare(only);
  if (setup.failed_a) {
    result.reason = reason_of(setup.failed_a, Side::a, file_of(setup.a));
    return result;
  }
  const LeafDomains domains = leaf_domains(setup);
  std::vector<std::vector<std::uint64_t>> contents;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& b = problem.buffers[i];
    const std::uint64_t count = b.count.value_or(0);
    contents.push_back(b.init);
    if (contents.back().empty() && b.role != Role::temp && b.role != Role::out)
      contents.back() =
          seeded(b, count, domains({sym::LeafKind::memory, setup.a.buffers[i], 0}), Random(limits.seed * 1000003 + i));
    contents.back().resize(count);
  }
  sym::TermStore store;
  sym::SymbolicDomain domain(store, setup.world);
  const auto initial = [&](sym::ObjectId object, std::uint64_t index) -> std::optional<std::uint64_t> {
    for (std::size_t i = 0; i < contents.size(); ++i)
      if (setup.a.buffers[i] == object) return index < contents[i].size() ? contents[i][index] : 0;
    return 0;
  };
  sym::SideState state(domain, initial);
  sym::MachineOptions machine;
  machine.concrete = true;
  machine.unroll = limits.unroll;
  machine.deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                 std::chrono::duration<double>(limits.timeout_s));
  const auto scalar = [&](std::uint32_t index) -> std::optional<std::vector<std::uint8_t>> {
    const Scalar& s = problem.scalars[index];
    if (s.value) return s.value;
    std::vector<std::uint8_t> bytes(s.size, 0);
    const std::uint64_t v =
        default_value(domains({sym::LeafKind::scalar, index, 0}), unsigned(std::min<std::uint64_t>(s.size, 8)) * 8);
    for (std::size_t k = 0; k < bytes.size() && k < 8; ++k) bytes[k] = std::uint8_t(v >> (8 * k));
    return bytes;
  };
  if (limits.stage) limits.stage("running a");
  run_side(setup, setup.a, state, domain, machine, scalar);
  if (state.race && state.race->certain && !state.faults.empty())
    state.faults.back().finding = race_finding(setup, setup.a, machine, state, nullptr, 1u << 28);
  for (const sym::Fault& fault : state.faults) {
    Finding f = fault.finding;
    f.file = file_of(setup.a);
    result.findings.push_back(std::move(f));
  }
  if (state.stop && state.stop.why != sym::Stop::Why::fault)
    result.reason = reason_of(state.stop, Side::a, file_of(setup.a));
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const unsigned size = (ir::bits(problem.buffers[i].type) + 7) / 8;
    std::vector<std::uint64_t> values;
    for (std::uint64_t k = 0; k < problem.buffers[i].count.value_or(0); ++k) {
      const sym::Value v = state.memory.load(setup.a.buffers[i], 0, k * size, size, false);
      values.push_back(v.concrete() ? v.bits : 0);
    }
    result.buffers.push_back(std::move(values));
  }
  result.instructions = state.instructions;
  result.time_s = seconds_since(start);
  return result;
}

}  // namespace ptxeq::check
