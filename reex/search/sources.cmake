# The sources of the search. The runtime and the explorer each compile them with their own flags.
set(reex_search_sources
  ${CMAKE_CURRENT_LIST_DIR}/audit.cpp
  ${CMAKE_CURRENT_LIST_DIR}/choice.cpp
  ${CMAKE_CURRENT_LIST_DIR}/equivalence.cpp
  ${CMAKE_CURRENT_LIST_DIR}/estimate.cpp
  ${CMAKE_CURRENT_LIST_DIR}/frontier.cpp
  ${CMAKE_CURRENT_LIST_DIR}/order.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pct.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pos.cpp
  ${CMAKE_CURRENT_LIST_DIR}/profile.cpp
  ${CMAKE_CURRENT_LIST_DIR}/random_walk.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sampling.cpp
  ${CMAKE_CURRENT_LIST_DIR}/search.cpp
  ${CMAKE_CURRENT_LIST_DIR}/seen.cpp
  ${CMAKE_CURRENT_LIST_DIR}/shard.cpp
  ${CMAKE_CURRENT_LIST_DIR}/strategy.cpp
  ${CMAKE_CURRENT_LIST_DIR}/surw.cpp)
