// Helpers of the reader's tests.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "grammar/reader.h"

namespace ptxeq::grammar::test {

inline std::string module_text(const std::string& rest) {
  return ".version 8.8\n.target sm_90\n.address_size 64\n" + rest;
}
// A kernel with registers of each kind around `body`.
inline std::string kernel_text(const std::string& body, const std::string& before = "") {
  return module_text(before +
                     "\n.visible .entry k(.param .u64 p, .param .align 4 .b8 s[12])\n{\n"
                     ".reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n.reg .pred %p<9>;\n" +
                     body + "\nret;\n}\n");
}

inline std::string rendered(const Result& result) {
  std::string text;
  const std::vector<std::string> none;
  for (const Finding& finding : result.findings) text += render(finding, result.module ? result.module->lines : none);
  return text;
}

inline ir::Module must_read(const std::string& text) {
  Result result = read(text, "t.ptx");
  INFO(rendered(result));
  REQUIRE(result.ok());
  return std::move(*result.module);
}

inline ir::Function must_read_kernel(const std::string& body, const std::string& before = "") {
  return *must_read(kernel_text(body, before)).find("k");
}

// The code of the first finding; "" when the text is right.
inline std::string refusal(const std::string& text) {
  const Result result = read(text, "t.ptx");
  return result.findings.empty() ? "" : result.findings.front().code;
}
inline std::string kernel_refusal(const std::string& body, const std::string& before = "") {
  return refusal(kernel_text(body, before));
}

}  // namespace ptxeq::grammar::test
