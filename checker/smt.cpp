#include "checker/smt.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "checker/smt_expr.h"

namespace ptxeq::check {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t largest_query = 20'000;  // instructions; beyond, translation alone outlasts any deadline

enum class Strategy : std::uint8_t { automatic, bit_blasting };

z3::solver make_solver(z3::context& ctx, Strategy strategy, bool has_floats) {
  if (strategy == Strategy::automatic) return z3::solver(ctx);
  const auto t = [&](const char* name) { return z3::tactic(ctx, name); };
  z3::tactic blast = t("simplify") & t("propagate-values");
  if (has_floats) blast = blast & t("fpa2bv") & t("simplify") & t("propagate-values");
  blast = blast & t("solve-eqs") & t("simplify") & t("max-bv-sharing") & t("bit-blast") & t("aig") & t("sat");
  return blast.mk_solver();
}

std::vector<u64> leaf_values(const z3::model& model, const std::vector<z3::expr>& leaves) {
  std::vector<u64> out;
  for (const z3::expr& leaf : leaves) {
    std::uint64_t bits = 0;
    const z3::expr value = model.eval(leaf, true);
    out.push_back(value.is_numeral_u64(bits) ? bits : 0);
  }
  return out;
}

// One solver on its own context and thread.
class Attempt {
 public:
  SmtAnswer run(const Shape& shape, const std::vector<std::optional<u64>>& fixed, Strategy strategy,
                const SmtOptions& options) try {
    smt::Translation query = smt::translate(ctx_, shape, fixed);
    if (strategy == Strategy::bit_blasting && query.has_functions) return {};
    z3::solver solver = make_solver(ctx_, strategy, query.has_floats);
    solver.add(query.goal);
    if (!options.dump.empty() && strategy == Strategy::automatic) std::ofstream(options.dump) << solver.to_smt2();
    if (Clock::now() >= options.deadline) return {};
    switch (solver.check()) {
      case z3::sat:
        return {SmtResult::sat, leaf_values(solver.get_model(), query.leaves)};
      case z3::unsat:
        return {SmtResult::unsat, {}};
      default:
        return {};
    }
  } catch (const z3::exception&) {  // cancelled, out of memory or not translatable
    return {};
  } catch (const std::bad_alloc&) {
    return {};
  }
  void interrupt() { ctx_.interrupt(); }

 private:
  z3::context ctx_;
};

}  // namespace

SmtAnswer solve(const Shape& shape, const SmtOptions& options, const std::vector<std::optional<u64>>& fixed) {
  if (shape.code.size() > largest_query || Clock::now() >= options.deadline) return {};
  const std::array strategies = {Strategy::automatic, Strategy::bit_blasting};
  const std::size_t n = std::min<std::size_t>(strategies.size(), std::max(options.jobs, 1u));
  std::vector<Attempt> attempts(n);
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t finished = 0;
  SmtAnswer answer;
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < n; ++k)
    threads.emplace_back([&, k] {
      SmtAnswer mine = attempts[k].run(shape, fixed, strategies[k], options);
      const std::lock_guard lock(mutex);
      ++finished;
      if (answer.result == SmtResult::unknown) answer = std::move(mine);
      changed.notify_one();
    });
  std::unique_lock lock(mutex);
  const auto done = [&] { return finished == n || answer.result != SmtResult::unknown; };
  changed.wait_until(lock, options.deadline, done);
  const SmtAnswer in_time = answer;
  // An interrupt that comes before the solver has begun is lost, so it is repeated.
  while (finished < n) {
    for (Attempt& a : attempts) a.interrupt();
    changed.wait_for(lock, 10ms, [&] { return finished == n; });
  }
  return in_time;
}

std::string smt_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}", major, minor, build);
}

}  // namespace ptxeq::check
