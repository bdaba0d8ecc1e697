# REEX_PRECOMPILE: the headers that most files include are compiled once for each library. It saves a fifth of the time
# of a first build. ccache does not keep what is compiled so, so it is of no use for those who build again and again.
option(REEX_PRECOMPILE "precompile the headers that most files include" OFF)

if(REEX_PRECOMPILE)
  foreach(target reex_cli_parts reex_report reex_explorer reex_impact reex_process reex_replay reex_git_module)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <filesystem> <fstream> <functional> <map>
      <memory> <optional> <set> <sstream> <string> <string_view> <unordered_map> <utility> <vector>)
  endforeach()
  foreach(target reex_cli_parts reex_report)
    target_precompile_headers(${target} PRIVATE <fmt/format.h>)
  endforeach()
endif()
