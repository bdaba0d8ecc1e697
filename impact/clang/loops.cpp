#include "impact/clang/loops.h"

#include <cctype>
#include <string>

#include "impact/clang/clang_names.h"

namespace reex::impact {

bool is_loop(CXCursorKind kind) {
  return kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt || kind == CXCursor_ForStmt ||
         kind == CXCursor_CXXForRangeStmt;
}

bool is_endless(CXCursor loop, UserFiles& files) {
  const Position begin = begin_of(loop);
  std::string head;
  for (const char c : files.text(begin.file, begin.offset, end_of(loop).offset)) {
    if (c == '{' || head.size() > 11) break;
    if (std::isspace(static_cast<unsigned char>(c)) == 0) head += c;
  }
  return head.starts_with("for(;;)") || head.starts_with("while(true)") || head.starts_with("while(1)");
}

} // namespace reex::impact
