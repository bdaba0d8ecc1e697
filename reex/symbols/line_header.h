// Reads the file tables of a raw .debug_line section. libdw reads line tables, but does not give out the MD5
// checksums of DWARF 5 (section 6.2.4.1, DW_LNCT_MD5). Only for files in reex/symbols/.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace reex::detail {

// The checksum of each path. Paths are as in the tables: absolute, or relative to the compilation folder. The
// result does not contain tables of DWARF 4 and files without a checksum. Of a damaged section, it contains
// what could be read.
std::map<std::string, std::string>
line_table_md5s(std::string_view debug_line, std::string_view debug_line_str, std::string_view debug_str);

} // namespace reex::detail
