# Where there is enough memory for it, tests that run reex thousands of times have their temporary folders in memory:
# on a disk it is making and removing files that takes most of the time of a short run.
set(reex_in_memory "")
execute_process(COMMAND df --output=fstype,size -BM /dev/shm OUTPUT_VARIABLE memory ERROR_QUIET)
if(memory MATCHES "tmpfs +([0-9]+)M" AND CMAKE_MATCH_1 GREATER_EQUAL 2048)
  set(reex_in_memory TMPDIR=/dev/shm)
endif()

# Tests know the schedules of icb, their order and their number. Strategy auto, the default, has tests of its own.
set(reex_of_icb REEX_STRATEGY=icb)

# reex_add_tests(TARGET [IN_MEMORY] [PARTS n] [COST seconds] [TIMEOUT seconds] [LABELS label...]): runs the cases of a
# GoogleTest binary in n processes, each an entry of ctest: TARGET, or TARGET.1_of_n and so on (bundle/main.cpp). COST is
# about how long a part takes by itself: the longest are started first. IN_MEMORY is said above. See docs/testing.md.
function(reex_add_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 given "IN_MEMORY" "PARTS;COST;TIMEOUT" "LABELS")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "reex_add_tests: what is ${given_UNPARSED_ARGUMENTS}?")
  endif()
  foreach(otherwise PARTS=1 COST=1 TIMEOUT=120)
    string(REPLACE "=" ";" otherwise ${otherwise})
    list(GET otherwise 0 name)
    if(NOT given_${name})
      list(GET otherwise 1 given_${name})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE reex_test_main)
  foreach(part RANGE 1 ${given_PARTS})
    set(entry ${target})
    if(given_PARTS GREATER 1)
      set(entry ${target}.${part}_of_${given_PARTS})
    endif()
    # Brief: of hundreds of cases, the output of a failed entry has those that failed.
    add_test(NAME ${entry} COMMAND ${target} --gtest_brief=1 --part=${part}/${given_PARTS})
    set_tests_properties(${entry} PROPERTIES
      COST ${given_COST} TIMEOUT ${given_TIMEOUT} LABELS "${given_LABELS}")
    set(environment ${reex_of_icb})
    if(given_IN_MEMORY)
      list(APPEND environment ${reex_in_memory})
    endif()
    set_tests_properties(${entry} PROPERTIES ENVIRONMENT "${environment}")
  endforeach()
endfunction()
