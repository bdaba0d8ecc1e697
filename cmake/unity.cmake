# REEX_UNITY: the files of a folder are compiled together, which takes a third of the time. Names in anonymous
# namespaces must then differ within a folder (tests/format/check_unity.sh).
option(REEX_UNITY "compile the files of a folder together" OFF)

# Not the libraries of the test process and of its records: their files are short, and each stands for itself.
function(reex_unity)
  foreach(target IN LISTS ARGN)
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
      cmake_path(IS_PREFIX folder ${source} own)
      if(NOT own) # made by the build, or of another folder's target
        continue()
      endif()
      cmake_path(GET source PARENT_PATH group)
      cmake_path(RELATIVE_PATH group BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      string(REPLACE / _ group ${group})
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()

if(REEX_UNITY)
  reex_unity(reex_cli_parts reex_report reex_impact reex_clang_module reex_git reex_git_module reex_explorer reex_process
             reex_replay reex_run reex_symbols reex_trace reex_schedules reex_test_list reex_frameworks)
endif()
