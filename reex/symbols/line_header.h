// Inside reex/symbols: the file tables of a raw .debug_line section. libdw reads line tables but does not
// hand out the MD5 checksums of DWARF 5 (section 6.2.4.1, DW_LNCT_MD5).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace reex::detail {

// The checksums by path, as the tables spell it: relative to the compilation folder or absolute. Tables of
// DWARF 4 and files without a checksum are left out. Reads what it can of a damaged section.
std::map<std::string, std::string>
line_table_md5s(std::string_view debug_line, std::string_view debug_line_str, std::string_view debug_str);

} // namespace reex::detail
