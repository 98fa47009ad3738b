#include "ir/finding.h"

namespace ptxeq {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::critical:
      return "critical";
    case Severity::warning:
      return "warning";
    case Severity::info:
      return "info";
  }
  return "";
}

std::string_view name(Side side) {
  switch (side) {
    case Side::a:
      return "a";
    case Side::ref:
      return "ref";
    case Side::spec:
      return "spec";
  }
  return "";
}

const std::vector<FindingCode>& finding_codes() {
  static const std::vector<FindingCode> codes{
      {"syntax", "The text is not PTX: a character, number, statement or directive that the grammar does not have."},
      {"undeclared-register", "A register is used that no .reg of an enclosing scope declares."},
      {"duplicate-symbol", "A register, variable, parameter or function is declared twice in one scope."},
      {"unknown-symbol", "A name stands for no variable, parameter, function or opcode that is visible here."},
      {"unknown-label", "A branch names a label that its scope and the enclosing ones do not have."},
      {"duplicate-label", "A label is defined twice in one scope."},
      {"type-mismatch", "An operand's type or size does not fit the instruction's."},
      {"operand-kind", "An operand is of a kind that the instruction does not take, or their number is wrong."},
      {"illegal-modifier", "The instruction does not have this modifier, or not beside the others."},
      {"removed-instruction", "The instruction is gone from this PTX version or target."},
      {"target-too-low", "The instruction or directive needs a later .target."},
      {"target-arch-specific",
       "The instruction exists only on architecture- or family-specific targets (sm_90a, sm_100f)."},
      {"version-too-old", "The instruction, directive or target needs a later .version."},
      {"version-too-new", "The .version is above what ptxeq, or the installed toolkit, knows."},
      {"address-32bit", "The module asks for 32-bit addresses, which ptxas no longer assembles."},
      {"address-space", "An address belongs to another state space than the access says."},
      {"misaligned-access", "An access's address is not a multiple of its size."},
      {"alignment-assumed", "An access is aligned only under an assumption about a pointer argument."},
      {"out-of-bounds", "An access leaves the object that its address points into."},
      {"uninitialised-read", "A value is used that nothing wrote before."},
      {"predicate-unset", "A guard or branch uses a predicate that nothing wrote before."},
      {"stale-carry", "An instruction reads the carry flag without an earlier one that wrote it."},
      {"unspecified-result", "An output depends on a result that the PTX manual leaves unspecified."},
      {"shared-race", "Two threads access one byte of shared memory, one of them writing, with nothing to order them."},
      {"global-race", "Two threads access one byte of global memory, one of them writing, with nothing to order them."},
      {"warp-race", "Two lanes of one warp race: execution in lockstep is assumed where nothing orders them."},
      {"divergent-barrier", "Threads of a block that should meet at a barrier do not all reach it."},
      {"barrier-count", "A barrier's thread count is no multiple of the warp size or does not match who arrives."},
      {"deadlock", "Threads wait for others that never come."},
      {"aligned-op-divergent", "An .aligned instruction is executed by a part of a warp."},
      {"shfl-mask", "The member mask leaves out the executing lane, or names one that does not take part."},
      {"shfl-undefined-source", "A shuffle reads from a lane that is inactive or not in the mask."},
      {"nc-load-of-written-memory", "ld.global.nc reads memory that the kernel writes."},
      {"async-copy-not-waited", "The target of an asynchronous copy is used before the copy is waited for."},
      {"wgmma-not-waited", "The registers of a wgmma are used before it is waited for."},
      {"proxy-fence-missing", "Generic and asynchronous proxy access one location without a proxy fence."},
      {"mbarrier-reinit", "An mbarrier is initialised again without mbarrier.inval."},
      {"missing-release", "Data are published through a flag without a release and acquire pattern."},
      {"scope-too-narrow", "A fence or atomic has a scope that does not include both threads."},
      {"contractible-fp", "mul and add without rounding modifier may be fused, and the result depends on it."},
      {"approx-bound", "An approximate instruction is used outside the range for which its error is bounded."},
      {"rounding-mode", "A rounding mode differs from the reference."},
      {"precision-downgrade", "The kernel computes in a narrower format than its reference."},
      {"register-pressure", "The kernel needs more registers than a thread can have at this block size."},
      {"low-occupancy", "Registers or shared memory keep most of a multiprocessor idle."},
      {"shared-capacity", "A block needs more shared memory than the target has."},
      {"shared-bank-conflict", "Lanes of a warp access different words of one shared-memory bank."},
      {"uncoalesced-access", "A warp's global access touches more memory sectors than its data need."},
      {"scalar-access", "Adjacent scalar accesses could be one vector access."},
      {"param-mismatch", "The kernel's parameters do not fit the arguments, or the other kernel's parameters."},
      {"writes-nothing", "The kernel writes no memory that outlives it."},
  };
  return codes;
}

}  // namespace ptxeq
