// o[i] = 2 x[i] + 1 for i < n, a thread an element or in a loop by steps of the whole launch, and specs for it.
#pragma once

#include <string>

namespace ptxeq::check::test {

inline const char* const head =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 x, .param .u64 o, .param .u32 n) {\n"
    ".reg .b64 %rd<9>; .reg .b32 %r<30>, %i, %n, %v, %g, %t; .reg .pred %p<9>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [o]; ld.param.u32 %n, [n];\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mov.u32 %r4, %nctaid.x;\n"
    "mad.lo.u32 %g, %r1, %r2, %r3; mul.lo.u32 %t, %r2, %r4;\n";
inline const char* const load = "mul.wide.u32 %rd3, %i, 4; add.u64 %rd4, %rd1, %rd3; ld.global.u32 %v, [%rd4];\n";
inline const char* const work = "shl.b32 %v, %v, 1; add.u32 %v, %v, 1;\n";
inline const char* const store = "add.u64 %rd5, %rd2, %rd3; st.global.u32 [%rd5], %v;\n";

inline std::string kernel(const std::string& body) { return head + body + "done: ret;\n}\n"; }

// A thread an element; `fault` may change %v, or leave.
inline std::string direct(const std::string& guard = "setp.ge.u32 %p1, %i, %n;", const std::string& fault = "") {
  return kernel("mov.u32 %i, %g;\n" + guard + " @%p1 bra done;\n" + load + work + fault + store);
}

// Steps of the whole launch; `before`, `in_pass` and `step` may change what happens.
inline std::string strided(const std::string& before = "", const std::string& in_pass = "",
                           const std::string& step = "add.u32 %i, %i, %t;", const std::string& after = "") {
  return kernel("mov.u32 %i, %g;\n" + before + "setp.ge.u32 %p1, %i, %n; @%p1 bra out;\nloop:\n" + load + work +
                in_pass + store + step + " setp.lt.u32 %p2, %i, %n; @%p2 bra loop;\nout:\n" + after);
}

inline std::string spec(const std::string& a_least, const std::string& type = "u32",
                        const std::string& range = "[0, 1073741824]",
                        const std::string& launch = "grid = \"any\"\nblock = \"any\"\nmax_threads = 1073741824\n") {
  const auto side = [&](const std::string& name, const std::string& least) {
    return "[" + name + "]\nkernel = \"k\"\n" + launch + (least.empty() ? "" : "min_threads = \"" + least + "\"\n") +
           "args = [\"x\", \"o\", \"n\"]\n";
  };
  return "float = \"bits\"\n[buffer.x]\ntype = \"u32\"\ncount = \"n\"\nrole = \"in\"\n[buffer.o]\ntype = \"u32\"\n"
         "count = \"n\"\nrole = \"inout\"\n[scalar.n]\ntype = \"" +
         type + "\"\nrange = " + range + "\n" + side("a", a_least) + side("ref", "n");
}

}  // namespace ptxeq::check::test
