# reex_discover_tests(TARGET [options]): an entry of ctest for each case of a test binary, which reex explores.
#
#   BASE REV               compare with this commit
#   BUDGET SECONDS         of each case (60); the entry's time limit is 30 seconds more
#   BOUND N                most preemptions, or none
#   HEURISTIC NAME         with BASE
#   OPTIONS OPTION...      other options of reex
#   FILTER PATTERN         only these cases, in GoogleTest's filter language
#   ARGUMENTS ARGUMENT...  of the test
#   WORKING_DIRECTORY DIR  default: the folder of the target's build
#   TEST_PREFIX TEXT       of the entries' names (reex.)
#   LABELS LABEL...        in addition to reex and concurrency
#   PROPERTIES NAME VALUE  other properties of the entries
#   JUNIT_OUTPUT_DIR DIR   a JUnit report for each case
#   DISCOVERY_MODE MODE    PRE_TEST: when ctest runs (default); POST_BUILD: when the target is built
#   DISCOVERY_TIMEOUT N    seconds that listing the cases may take (30)
#
# The cases are those of GoogleTest, Catch2, doctest, Boost.Test, Qt Test or CppUTest. A binary without such a framework is one entry. A
# binary without a case to explore fails: as an entry that fails (PRE_TEST), or in the build (POST_BUILD). Every exit
# status of reex but 0 fails; 77 is skipped, and so is a case of a framework that starts no second thread.
set(REEX_ADD_TESTS_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/reexAddTests.cmake CACHE INTERNAL "")

function(reex_discover_tests target)
  set(single BASE BUDGET BOUND HEURISTIC FILTER WORKING_DIRECTORY TEST_PREFIX JUNIT_OUTPUT_DIR DISCOVERY_MODE
    DISCOVERY_TIMEOUT)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "${single}" "OPTIONS;ARGUMENTS;LABELS;PROPERTIES")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "reex_discover_tests: there is no target ${target}")
  endif()
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "reex_discover_tests: what is ${given_UNPARSED_ARGUMENTS}?")
  endif()
  foreach(otherwise "BUDGET=60" "TEST_PREFIX=reex." "DISCOVERY_MODE=PRE_TEST" "DISCOVERY_TIMEOUT=30"
      "WORKING_DIRECTORY=${CMAKE_CURRENT_BINARY_DIR}")
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" unused "${otherwise}")
    if(NOT DEFINED given_${CMAKE_MATCH_1})
      set(given_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  if(NOT given_BUDGET MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "reex_discover_tests: BUDGET is a number of seconds, not '${given_BUDGET}'")
  endif()

  set(options --budget ${given_BUDGET}s)
  foreach(one BASE BOUND HEURISTIC)
    if(DEFINED given_${one})
      string(TOLOWER ${one} name)
      list(APPEND options --${name} ${given_${one}})
    endif()
  endforeach()
  list(APPEND options ${given_OPTIONS})
  list(PREPEND given_LABELS reex concurrency)

  # A target may be explored in several ways.
  get_property(number TARGET ${target} PROPERTY REEX_DISCOVERIES)
  math(EXPR number "0${number} + 1")
  set_property(TARGET ${target} PROPERTY REEX_DISCOVERIES ${number})
  set(begin ${CMAKE_CURRENT_BINARY_DIR}/${target}_reex_${number})
  set(settings "")
  foreach(one FILTER ARGUMENTS WORKING_DIRECTORY TEST_PREFIX LABELS PROPERTIES JUNIT_OUTPUT_DIR DISCOVERY_TIMEOUT BUDGET)
    string(APPEND settings "set(reex_${one} [==[${given_${one}}]==])\n")
  endforeach()
  string(APPEND settings "set(reex_OPTIONS [==[${options}]==])\n")
  string(APPEND settings "set(reex_NAME ${target})\n")
  string(APPEND settings "set(reex_PROGRAM [==[$<TARGET_FILE:reex::reex>]==])\n")
  string(APPEND settings "set(reex_BINARY [==[$<TARGET_FILE:${target}>]==])\n")
  string(APPEND settings "set(reex_TESTS [==[${begin}_tests.cmake]==])\n")
  file(GENERATE OUTPUT ${begin}_settings.cmake CONTENT "${settings}")

  if(given_DISCOVERY_MODE STREQUAL "POST_BUILD")
    add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${begin}_tests.cmake
      COMMAND ${CMAKE_COMMAND} -D SETTINGS=${begin}_settings.cmake -P ${REEX_ADD_TESTS_SCRIPT} VERBATIM)
    file(WRITE ${begin}_include.cmake
      "if(EXISTS [==[${begin}_tests.cmake]==])\n  include([==[${begin}_tests.cmake]==])\n"
      "else()\n  add_test([==[${given_TEST_PREFIX}${target} is not built]==] NOT_AVAILABLE)\nendif()\n")
  elseif(given_DISCOVERY_MODE STREQUAL "PRE_TEST")
    file(WRITE ${begin}_include.cmake
      "include([==[${begin}_settings.cmake]==])\n"
      "if(EXISTS \"\${reex_BINARY}\")\n"
      "  if(\"\${reex_BINARY}\" IS_NEWER_THAN \"\${reex_TESTS}\" OR [==[${begin}_settings.cmake]==] IS_NEWER_THAN \"\${reex_TESTS}\")\n"
      "    set(SETTINGS [==[${begin}_settings.cmake]==])\n"
      "    set(reex_PRE_TEST ON)\n"
      "    include([==[${REEX_ADD_TESTS_SCRIPT}]==])\n"
      "  endif()\n"
      "  include(\"\${reex_TESTS}\")\n"
      "else()\n  add_test([==[${given_TEST_PREFIX}${target} is not built]==] NOT_AVAILABLE)\nendif()\n")
  else()
    message(FATAL_ERROR "reex_discover_tests: DISCOVERY_MODE is PRE_TEST or POST_BUILD")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${begin}_include.cmake)
endfunction()
