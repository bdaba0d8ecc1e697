// Libraries that are not instrumented: reex sees their accesses to the test's memory, and knows how they
// order threads.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

// Optimization decides which functions are called and which are inlined.
const std::vector<std::string> k_variants{"", ".gcc_O0", ".clang_O0", ".clang_O2"};

Ran run(const Folder& folder, const Words& program) {
  return explore(folder, {"-k", "0", "--bound", "1", "--schedules", "300", "--outcomes"}, program);
}

unsigned races(const Ran& ran) {
  unsigned count = 0;
  for (const auto& failure : ran.report["failures"]) count += failure["kind"] == "race" ? 1 : 0;
  return count;
}

class BenignUse : public testing::TestWithParam<const char*> {};

TEST_P(BenignUse, IsNoRace) {
  for (const std::string& variant : k_variants) {
    const Folder folder;
    const Ran ran = run(folder, {REEX_PROGRAMS "/library_use" + variant, GetParam()});
    ASSERT_TRUE(ran.report.is_object()) << variant << describe(ran);
    EXPECT_EQ(ran.status, 0) << variant << describe(ran);
    EXPECT_TRUE(ran.report["findings"].empty()) << variant << describe(ran);
    const Outcomes outcomes = outcomes_of(ran.report);
    EXPECT_TRUE(outcomes.size() == 1 && outcomes.contains("")) << variant << describe(ran);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, BenignUse,
    testing::Values("exception", "exception_text", "copied_error", "promised_exception", "promised_at_exit",
                    "promised_exception_at_exit", "abandoned_at_exit", "shared_pointer", "strings", "locale",
                    "streams", "regex", "regex_of_each", "initialized_once", "containers_in_turn",
                    "mapped_anew", "mapped_over", "stack_of_another", "string_behind", "streams_shared",
                    "stream_results", "pools_shared", "wide_streams_shared", "wide_stream_results"),
    [](const auto& given) { return std::string(given.param); });

class RacyUse : public testing::TestWithParam<const char*> {};

TEST_P(RacyUse, IsARace) {
  for (const std::string& variant : k_variants) {
    const Folder folder;
    const Ran ran = run(folder, {REEX_PROGRAMS "/library_use" + variant, GetParam()});
    ASSERT_TRUE(ran.report.is_object()) << variant << describe(ran);
    EXPECT_GE(races(ran), 1U) << variant << describe(ran);
    EXPECT_GE(ran.report["schedules"], 2) << variant << describe(ran);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, RacyUse,
    testing::Values("race_tree_erase", "race_tree_walk", "race_list_erase", "race_list_splice",
                    "race_list_reverse", "race_hash", "race_string_append", "race_string_assign",
                    "race_string_replace", "race_string_fill", "race_string_grow", "race_stream_numbers",
                    "race_stream_texts", "race_stream_text_taken", "race_stream_input", "race_stream_line",
                    "race_stream_extracted", "race_stream_block", "race_stream_state", "race_file_stream",
                    "race_unlocked_output", "race_pool", "race_wide_numbers", "race_wide_texts",
                    "race_wide_text_taken", "race_wide_input", "race_wide_line", "race_wide_extracted",
                    "race_wide_block", "race_wide_state", "race_stream_long_double", "race_stream_time",
                    "race_stream_time_taken", "race_locale"),
    [](const auto& given) { return std::string(given.param); });

struct Call {
  const char* name;
  int last;   // the last byte of the text that it accesses
  int beyond; // the first byte that it does not access
};

void PrintTo(const Call& call, std::ostream* out) { *out << call.name; }

class LibraryCall : public testing::TestWithParam<Call> {};

TEST_P(LibraryCall, AccessesExactlyItsRange) {
  const Call& call = GetParam();
  for (const std::string& variant : {std::string(), std::string(".clang_O2")}) {
    const std::string program = REEX_PROGRAMS "/library_calls" + variant;
    const Folder folder;
    const Ran inside = run(folder, {program, call.name, std::to_string(call.last)});
    ASSERT_TRUE(inside.report.is_object()) << describe(inside);
    EXPECT_GE(races(inside), 1U) << variant << describe(inside);
    const Ran outside = run(folder, {program, call.name, std::to_string(call.beyond)});
    ASSERT_TRUE(outside.report.is_object()) << describe(outside);
    EXPECT_EQ(outside.status, 0) << variant << describe(outside);
    EXPECT_EQ(races(outside), 0U) << variant << describe(outside);
  }
}

// One text is "abc", and the other is "abd".
INSTANTIATE_TEST_SUITE_P(Library, LibraryCall,
                         testing::Values(Call{"memcpy", 7, 8}, Call{"memcpy_to", 7, 8}, Call{"memmove", 7, 8},
                                         Call{"mempcpy", 7, 8}, Call{"memset", 7, 8}, Call{"memcmp", 2, 3},
                                         Call{"bcmp", 2, 3}, Call{"memchr", 1, 2}, Call{"strlen", 3, 4},
                                         Call{"strnlen", 1, 2}, Call{"strcmp", 2, 3}, Call{"strncmp", 1, 2},
                                         Call{"strchr", 1, 2}, Call{"strrchr", 3, 4}, Call{"strstr", 2, 3},
                                         Call{"strcpy", 3, 4}, Call{"strcpy_to", 3, 4}, Call{"stpcpy", 3, 4},
                                         Call{"strncpy", 5, 6}, Call{"strcat", 6, 7}, Call{"strncat", 4, 5},
                                         Call{"strdup", 3, 4}, Call{"strndup", 1, 2}, Call{"puts", 3, 4},
                                         Call{"fputs", 3, 4}, Call{"fwrite", 1, 2}, Call{"write", 1, 2},
                                         Call{"read", 1, 2}, Call{"send", 1, 2}, Call{"recv", 1, 2},
                                         Call{"pipe", 7, 8}, Call{"pipe2", 7, 8}, Call{"socketpair", 7, 8}),
                         [](const auto& given) { return std::string(given.param.name); });

// Without optimization nearly all members of std::string are calls, with it those that are long.
class StringCall : public testing::TestWithParam<Call> {};

TEST_P(StringCall, AccessesExactlyItsRange) {
  const Call& call = GetParam();
  for (const char* variant : {".gcc_O0", ".gcc_O2", ".clang_O0", ".wide_O0", ".wide_O2"}) {
    const auto made = [&](int byte) {
      const Folder folder;
      const Ran ran = run(
          folder, {std::string(REEX_PROGRAMS "/string_calls") + variant, call.name, std::to_string(byte)});
      EXPECT_TRUE(ran.report.is_object()) << describe(ran);
      EXPECT_EQ(ran.status, byte == call.last ? 1 : 0) << variant << describe(ran);
      EXPECT_EQ(races(ran) != 0, byte == call.last) << variant << describe(ran);
    };
    made(call.last);
    made(call.beyond);
  }
}

// The text is "abcdef" with room for more. Bytes of the object count from 1000 on.
INSTANTIATE_TEST_SUITE_P(
    Library, StringCall,
    testing::Values(Call{"size", 1008, 1016}, Call{"capacity", 1016, 1008}, Call{"find", 5, 7},
                    Call{"rfind", 5, 7}, Call{"find_first_of", 5, 7}, Call{"find_first_of_other", 5, 7},
                    Call{"find_last_of", 5, 7}, Call{"find_first_not_of", 5, 7},
                    Call{"find_last_not_of", 5, 7}, Call{"compare_part", 2, 3}, Call{"compare_sized", 2, 3},
                    Call{"compare_with_other", 2, 4}, Call{"compare_parts", 2, 3}, Call{"append", 9, 5},
                    Call{"append_list", 8, 5}, Call{"erase", 4, 0}, Call{"erase_at", 5, 0},
                    Call{"erase_range", 4, 5}, Call{"insert_char", 7, 1}, Call{"set_char", 1, 2},
                    Call{"set_list", 2, 3}, Call{"shrink", 1016, 1030}, Call{"insert", 8, 1},
                    Call{"insert_part", 6, 1}, Call{"insert_text", 7, 1}, Call{"insert_chars", 7, 1},
                    Call{"insert_other", 5, 7}, Call{"replace", 8, 1}, Call{"replace_text", 6, 1},
                    Call{"replace_chars", 6, 1}, Call{"replace_by_part", 2, 3}, Call{"assign_part", 2, 3},
                    Call{"assign_chars", 2, 3}, Call{"assign_moved", 1000, 1030}, Call{"append_part", 2, 3}),
    [](const auto& given) { return std::string(given.param.name); });

// Bytes of the object count from 1000 on, and the list of the parts from 1032 on.
class PathCall : public testing::TestWithParam<Call> {};

TEST_P(PathCall, AccessesExactlyItsRange) {
  const Call& call = GetParam();
  for (const char* variant : {".gcc_O0", ".gcc_O2", ".clang_O0", ".clang_O2"}) {
    const auto made = [&](const Words& more) {
      const Folder folder;
      Words program{std::string(REEX_PROGRAMS "/path_calls") + variant, call.name};
      program.insert(program.end(), more.begin(), more.end());
      const Ran ran = run(folder, program);
      EXPECT_TRUE(ran.report.is_object()) << describe(ran);
      const bool races_expected = more.size() == 1 && more[0] == std::to_string(call.last);
      EXPECT_EQ(ran.status, races_expected ? 1 : 0) << variant << describe(ran);
      EXPECT_EQ(races(ran) != 0, races_expected) << variant << describe(ran);
    };
    made({std::to_string(call.last)});
    made({std::to_string(call.beyond)});
    made({std::to_string(call.last), "in order"});
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, PathCall,
    testing::Values(Call{"append", 9, 5}, Call{"append_path", 9, 5}, Call{"concat", 9, 5},
                    Call{"concat_path", 9, 5}, Call{"assign", 1008, 1026}, Call{"assign_parts", 1032, 1026},
                    Call{"remove_filename", 1008, 0}, Call{"replace_filename", 1008, 1026},
                    Call{"replace_extension", 1008, 1026}, Call{"copy", 8, 1026}, Call{"compare", 8, 1026},
                    Call{"compare_text", 8, 1026}, Call{"equal", 1008, 1026}, Call{"join", 8, 1026},
                    Call{"parent", 1008, 1026}, Call{"filename", 1032, 1026}, Call{"extension", 8, 1026},
                    Call{"stem", 8, 1026}, Call{"normal", 8, 1026}, Call{"relative", 8, 1026},
                    Call{"has_root", 1008, 1026}, Call{"walk", 1032, 1026}, Call{"hash", 8, 1026},
                    Call{"exists", 8, 1026}, Call{"remove", 8, 1026}, Call{"absolute", 8, 1026},
                    Call{"rename", 8, 1026}, Call{"entry", 8, 1026}, Call{"iterator", 8, 1026}),
    [](const auto& given) { return std::string(given.param.name); });

// The library defines most of what can be done with them.
TEST(ForeignStrings, AreNotSeenAndThatIsTold) {
  struct Case {
    Words program;
    std::string told;
  };
  const Case cases[] = {{{REEX_PROGRAMS "/string_calls.old", "append", "5"},
                         "string_calls.old has strings of the ABI before C++11: "},
                        {{REEX_PROGRAMS "/libcxx"}, "libcxx has strings of libc++: "},
                        {{REEX_PROGRAMS "/string_calls.gcc_O2", "append", "5"}, ""}};
  for (const auto& [program, told] : cases) {
    const Folder folder;
    const Ran ran = run(folder, program);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_EQ(ran.status, 0) << describe(ran);
    std::string detail;
    for (const auto& gap : ran.report["gaps"])
      if (gap["kind"] == "unseen-calls" && gap["effect"] == "claims") detail += gap["detail"];
    EXPECT_EQ(detail.substr(0, told.size()), told) << describe(ran);
    EXPECT_EQ(detail.empty(), told.empty()) << describe(ran);
    EXPECT_EQ(ran.report["bound_completed"].is_null(), !told.empty()) << describe(ran);
  }
}

// What the kernel and libc access of memory that the test gives them.
class SystemCall : public testing::TestWithParam<Call> {};

TEST_P(SystemCall, AccessesExactlyItsRange) {
  const Call& call = GetParam();
  for (const char* isolation : {"restore", "fork"}) {
    const auto made = [&](const Words& more) {
      const Folder folder;
      Words program{REEX_PROGRAMS "/library_calls", call.name};
      program.insert(program.end(), more.begin(), more.end());
      const Words options{"-k", "0", "--bound", "1", "--schedules", "300", "--isolation", isolation};
      const Ran ran = explore(folder, options, program);
      EXPECT_TRUE(ran.report.is_object()) << describe(ran);
      const bool races_expected = more.size() == 1 && more[0] == std::to_string(call.last);
      EXPECT_EQ(ran.status, races_expected ? 1 : 0) << isolation << describe(ran);
      EXPECT_EQ(races(ran) != 0, races_expected) << isolation << describe(ran);
    };
    made({std::to_string(call.last)});
    made({std::to_string(call.beyond)});
    made({std::to_string(call.last), "in order"});
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, SystemCall,
    testing::Values(
        Call{"readv", 4, 5}, Call{"writev", 4, 5}, Call{"pread", 7, 8}, Call{"pwrite", 1, 2},
        Call{"preadv", 5, 6}, Call{"preadv2", 5, 3}, Call{"pwritev", 4, 3}, Call{"recvfrom", 1, 2},
        Call{"recvmsg", 1, 2}, Call{"sendmsg", 1, 2}, Call{"recvmmsg", 1, 2}, Call{"sendmmsg", 1, 2},
        Call{"accept", 1, 2}, Call{"eventfd_read", 7, 8}, Call{"getsockopt", 3, 4}, Call{"poll", 7, 8},
        Call{"select", 7, 8}, Call{"epoll_wait", 11, 12}, Call{"clock_gettime", 15, 16},
        Call{"clock_getres", 15, 16}, Call{"gettimeofday", 15, 16}, Call{"timespec_get", 15, 16},
        Call{"ftime", 15, 16}, Call{"time", 7, 8}, Call{"times", 31, 32}, Call{"getrusage", 143, 144},
        Call{"nanosleep", 15, 16}, Call{"clock_nanosleep", 15, 16}, Call{"sigaction", 151, 152},
        Call{"sigaction_before", 151, 152}, Call{"sigmask", 7, 8}, Call{"sigmask_before", 7, 8},
        Call{"sigpending", 7, 8}, Call{"sigwait", 3, 4}, Call{"sigtimedwait", 127, 128},
        Call{"setitimer", 31, 32}, Call{"getitimer", 31, 32}, Call{"timer_settime", 31, 32},
        Call{"timer_gettime", 31, 32}, Call{"timerfd_settime", 31, 32}, Call{"timerfd_gettime", 31, 32},
        Call{"getname", 2, 3}, Call{"setname", 3, 4}, Call{"sem_getvalue", 3, 4}, Call{"getrandom", 7, 8},
        Call{"getentropy", 7, 8}, Call{"fread", 1, 2}, Call{"fgets", 2, 3}, Call{"getline", 15, 16},
        Call{"snprintf", 3, 4}, Call{"sprintf", 2, 3}, Call{"gmtime_r", 55, 56}, Call{"localtime_r", 55, 56},
        Call{"mktime", 55, 56}, Call{"timegm", 55, 56}, Call{"strtol", 7, 8}, Call{"strtoull", 7, 8},
        Call{"strtod", 7, 8}, Call{"strtok_r", 7, 8}, Call{"modf", 7, 8}, Call{"frexp", 3, 4},
        Call{"asprintf", 7, 8}, Call{"posix_memalign", 7, 8}, Call{"pthread_create", 7, 8},
        Call{"pthread_key_create", 3, 4}, Call{"qsort", 7, 8}, Call{"rand_r", 3, 4}, Call{"drand48_r", 7, 8},
        Call{"random_r", 3, 4}, Call{"sincos", 7, 8}, Call{"sincos_second", 7, 8}, Call{"remquo", 3, 4},
        Call{"lgamma_r", 3, 4}, Call{"strsep", 7, 8}, Call{"strftime", 3, 5}, Call{"asctime_r", 27, 28},
        Call{"asctime_r_text", 25, 26}, Call{"ctime_r", 25, 26}, Call{"inet_ntop", 7, 8},
        Call{"inet_pton", 3, 4}, Call{"mbstowcs", 7, 12}, Call{"wmemset", 11, 12}, Call{"wmemcpy", 11, 12},
        Call{"fstat", 143, 144}, Call{"sigfillset", 127, 128}, Call{"sigaddset", 7, 8}),
    [](const auto& given) { return std::string(given.param.name); });

// What libc reads of texts, and what scanf leaves.
INSTANTIATE_TEST_SUITE_P(
    Texts, SystemCall,
    testing::Values(Call{"strtol_text", 2, 3}, Call{"strtod_text", 0, 1}, Call{"atoi", 0, 1},
                    Call{"strtok_r_text", 1, 2}, Call{"strtok_r_last", 3, 4}, Call{"strsep_text", 1, 2},
                    Call{"strsep_last", 3, 4}, Call{"strspn", 2, 3}, Call{"strcspn", 2, 3},
                    Call{"strpbrk", 1, 2}, Call{"strpbrk_in_vain", 3, 4}, Call{"strcasecmp", 2, 3},
                    Call{"strncasecmp", 1, 2}, Call{"strcasestr", 2, 3}, Call{"stpncpy", 5, 6},
                    Call{"strcoll", 3, 4}, Call{"sscanf", 3, 4}, Call{"sscanf_number", 7, 8},
                    Call{"sscanf_word", 2, 3}, Call{"sscanf_set", 11, 12}, Call{"sscanf_decimal", 8, 9},
                    Call{"sscanf_short", 1, 4}, Call{"snprintf_text", 1, 2}, Call{"snprintf_precision", 1, 2},
                    Call{"snprintf_behind", 3, 4}, Call{"sprintf_text", 3, 4}, Call{"asprintf_text", 3, 4},
                    Call{"printf_text", 3, 4}, Call{"fprintf_text", 3, 4}, Call{"inet_pton_text", 3, 4},
                    Call{"mbstowcs_text", 3, 4}),
    [](const auto& given) { return std::string(given.param.name); });

// Names of files, what the system tells of them, and what else is kept in objects of the test.
INSTANTIATE_TEST_SUITE_P(
    Objects, SystemCall,
    testing::Values(Call{"strchrnul", 1, 2}, Call{"memrchr", 7, 0}, Call{"rawmemchr", 1, 2},
                    Call{"memmem", 2, 3}, Call{"memccpy", 1, 2}, Call{"memccpy_to", 1, 2}, Call{"swab", 1, 2},
                    Call{"stat", 143, 144}, Call{"lstat", 143, 144}, Call{"fstatat", 143, 144},
                    Call{"statx", 255, 256}, Call{"stat_name", 3, 4}, Call{"statvfs", 111, 112},
                    Call{"readlink", 10, 11}, Call{"realpath", 1, 2}, Call{"getcwd", 1, 2},
                    Call{"rmdir_name", 3, 4}, Call{"rename_name", 3, 4}, Call{"access_name", 3, 4},
                    Call{"opendir_name", 3, 4}, Call{"open_name", 3, 4}, Call{"fopen_name", 3, 4},
                    Call{"mkstemp", 14, 16}, Call{"getenv_name", 3, 4}, Call{"setenv_value", 3, 4},
                    Call{"uname", 389, 390}, Call{"gethostname", 0, 200}, Call{"getaddrinfo", 7, 8},
                    Call{"getaddrinfo_name", 3, 4}, Call{"getpwuid_r", 7, 8}, Call{"strptime", 55, 56},
                    Call{"strptim_text", 1, 2}, Call{"strftime_tm", 55, 56}, Call{"localtime", 7, 8},
                    Call{"tsearch", 7, 8}, Call{"tfind", 7, 8}, Call{"hcreate_r", 15, 16},
                    Call{"regcomp", 63, 64}, Call{"regexec_text", 3, 4}, Call{"regexec_match", 7, 8},
                    Call{"iconv_text", 2, 3}, Call{"iconv", 5, 6}, Call{"mbrtowc", 3, 4},
                    Call{"wcrtomb", 0, 1}, Call{"mbsrtowcs", 7, 12}, Call{"mbsrtowcs_text", 3, 4},
                    Call{"strtok_text", 1, 2}, Call{"strtok_last", 3, 4}, Call{"erand48", 5, 6},
                    Call{"to_chars", 2, 3}, Call{"from_chars", 7, 8}, Call{"from_chars_text", 0, 1}),
    [](const auto& given) { return std::string(given.param.name); });

INSTANTIATE_TEST_SUITE_P(Formats, SystemCall,
                         testing::Values(Call{"snprintf_numbered", 1, 2}, Call{"wcs_snprintf", 15, 16},
                                         Call{"wcs_snprintf_precision", 7, 8}, Call{"swprintf", 11, 12},
                                         Call{"swprintf_text", 3, 4}, Call{"wcs_swprintf", 15, 16},
                                         Call{"wcs_fwprintf", 15, 16}, Call{"dprintf_text", 3, 4},
                                         Call{"sscanf_numbered", 7, 8}, Call{"sscanf_wide", 11, 12},
                                         Call{"swscanf", 7, 8}, Call{"swscanf_word", 2, 3},
                                         Call{"wcs_swscanf", 15, 16}, Call{"fscanf", 2, 3}),
                         [](const auto& given) { return std::string(given.param.name); });

// Texts of wchar_t, of four bytes each.
INSTANTIATE_TEST_SUITE_P(
    Wide, SystemCall,
    testing::Values(Call{"wcslen", 15, 16}, Call{"wcsnlen", 7, 8}, Call{"wcscmp", 11, 12},
                    Call{"wcsncmp", 7, 8}, Call{"wcscasecmp", 11, 12}, Call{"wcsncasecmp", 7, 8},
                    Call{"wcscoll", 15, 16}, Call{"wcschr", 7, 8}, Call{"wcsrchr", 15, 16},
                    Call{"wcschrnul", 7, 8}, Call{"wcsstr", 11, 12}, Call{"wcsspn", 11, 12},
                    Call{"wcscspn", 11, 12}, Call{"wcspbrk", 7, 8}, Call{"wcscpy", 15, 16},
                    Call{"wcscpy_to", 15, 16}, Call{"wcpcpy", 15, 16}, Call{"wcsncpy", 23, 24},
                    Call{"wcpncpy", 23, 24}, Call{"wcscat", 27, 28}, Call{"wcsncat", 19, 20},
                    Call{"wcsdup", 15, 16}, Call{"wcstol", 7, 8}, Call{"wcstol_text", 11, 12},
                    Call{"wcstod_text", 3, 4}, Call{"wcstok", 7, 8}, Call{"wcstok_text", 7, 8},
                    Call{"wcstok_last", 15, 16}, Call{"wcsrtombs", 2, 4}, Call{"wcsrtombs_text", 15, 16},
                    Call{"wcstombs_text", 15, 16}, Call{"wmemcmp", 11, 12}, Call{"wmemchr", 7, 8},
                    Call{"wmempcpy", 11, 12}, Call{"wcs_output", 15, 16}),
    [](const auto& given) { return std::string(given.param.name); });

// One read and two deletes give two races. The read becomes a scheduling point; a delete does not.
TEST(RacyFree, IsKnownByItsDelete) {
  for (const std::string& variant : k_variants) {
    const Folder folder;
    const Ran ran = run(folder, {REEX_PROGRAMS "/library_use" + variant, "two_deletes"});
    ASSERT_TRUE(ran.report.is_object()) << variant << describe(ran);
    EXPECT_EQ(races(ran), 2U) << variant << describe(ran);
    EXPECT_NE(ran.output.find("1 racing access became a scheduling point"), std::string::npos)
        << variant << describe(ran);
  }
}

TEST(LibraryUse, OfFreedMemoryIsAnError) {
  for (const std::string& variant : k_variants) {
    const Folder folder;
    const Ran ran = run(folder, {REEX_PROGRAMS "/library_use" + variant, "copy_of_freed"});
    ASSERT_TRUE(ran.report.is_object()) << variant << describe(ran);
    const Outcomes outcomes = outcomes_of(ran.report);
    EXPECT_TRUE(outcomes.size() == 1 && outcomes.contains(" (use-after-free)")) << variant << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
