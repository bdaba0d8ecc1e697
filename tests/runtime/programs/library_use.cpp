// Accesses of libraries to the test's memory, with and without races; and memory that is reused for something
// else.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "scenario.h"

namespace {

void expect(bool condition) {
  if (!condition) std::printf("wrong\n");
}

// Runs the function in two threads.
template <typename Function>
void both(Function function) {
  std::thread one(function), two(function);
  one.join();
  two.join();
}

constexpr const char* k_long_text = "a text that does not fit into the string itself";

struct Thrown {
  int value = 7;
  std::string text = k_long_text;
};

// Two threads read the exception. The last one to release it destroys it.
template <typename Exception>
void share_exception(const Exception& thrown, void (*look)(const Exception&)) {
  std::exception_ptr pointer = std::make_exception_ptr(thrown);
  auto use = [pointer, look]() mutable {
    try {
      std::rethrow_exception(pointer);
    } catch (const Exception& caught) {
      look(caught);
    }
    pointer = nullptr;
  };
  std::thread one(use), two(std::move(use));
  pointer = nullptr;
  one.join();
  two.join();
}

void exception() {
  share_exception<Thrown>(
      {}, [](const Thrown& caught) { expect(caught.value == 7 && caught.text == k_long_text); });
}

void exception_text() {
  share_exception<std::runtime_error>(std::runtime_error(k_long_text), [](const std::runtime_error& caught) {
    expect(std::strcmp(caught.what(), k_long_text) == 0);
  });
}

// The copies share one text.
void copied_error() {
  auto error = std::make_unique<std::logic_error>(k_long_text);
  const auto use = [copy = *error] { expect(std::strlen(copy.what()) == std::strlen(k_long_text)); };
  std::thread one(use), two(use);
  error.reset();
  one.join();
  two.join();
}

void promised_exception() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  const auto use = [future] {
    try {
      future.get();
    } catch (const std::runtime_error& caught) {
      expect(std::string(caught.what()) == k_long_text);
    }
  };
  std::thread one(use), two(use);
  future = {};
  promise.set_exception(std::make_exception_ptr(std::runtime_error(k_long_text)));
  one.join();
  two.join();
}

// Code in libstdc++ makes the state ready, and may be its last owner.
void promised_at_exit() {
  std::promise<std::string> promise;
  std::future<std::string> future = promise.get_future();
  std::thread one([mine = std::move(promise)]() mutable { mine.set_value_at_thread_exit(k_long_text); });
  expect(future.get() == k_long_text);
  one.join();
}

void promised_exception_at_exit() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  const auto use = [future] {
    try {
      future.get();
    } catch (const Thrown& caught) {
      expect(caught.text == k_long_text);
    }
  };
  std::thread two(use);
  std::thread one([mine = std::move(promise)]() mutable {
    mine.set_exception_at_thread_exit(std::make_exception_ptr(Thrown{}));
  });
  use();
  future = {};
  one.join();
  two.join();
}

// Nobody waits any more.
void abandoned_at_exit() {
  std::promise<std::string> promise;
  auto future = std::make_unique<std::future<std::string>>(promise.get_future());
  std::thread one([mine = std::move(promise)]() mutable { mine.set_value_at_thread_exit(k_long_text); });
  future.reset();
  one.join();
}

void shared_pointer() {
  auto shared = std::make_shared<std::string>(k_long_text);
  const auto use = [mine = shared] { expect(*mine == k_long_text); };
  std::thread one(use), two(use);
  shared.reset();
  one.join();
  two.join();
}

void strings() {
  const std::string text = k_long_text;
  both([&text] {
    std::string mine = text;
    mine += text;
    mine.append("more").insert(3, "in between").erase(0, 2);
    mine.push_back('.');
    expect(mine.find("more") != std::string::npos && text.compare(0, 6, "a text") == 0);
  });
}

struct Digits : std::numpunct<char> {
  std::string do_truename() const override { return m_name; }
  std::string m_name = "ja";
};

void locale() {
  auto made = std::make_unique<std::locale>(std::locale::classic(), new Digits);
  const auto use = [mine = *made] {
    std::ostringstream out;
    out.imbue(mine);
    out << std::boolalpha << true << 1.5;
    expect(out.str() == "ja1.5");
  };
  std::thread one(use), two(use);
  made.reset();
  one.join();
  two.join();
}

void streams() {
  both([] {
    std::istringstream in("12 words");
    int number = 0;
    std::string word;
    in >> number >> word;
    expect(number == 12 && word == "words");
    std::cerr.flush();
  });
}

// Threads may share the standard streams, and others in turn. One of a thread's own is none of the others'
// business.
void streams_shared() {
  std::ostringstream text;
  std::mutex mutex;
  both([&] {
    std::clog << 1 << std::flush;
    const std::lock_guard lock(mutex);
    text << 1 << " and " << 1.5 << std::string(" is ") << 'x' << std::endl;
    text.write("ab", 2).put('c').flush();
  });
  expect(text.str() == "1 and 1.5 is x\nabc1 and 1.5 is x\nabc");
}

void wide_streams_shared() {
  std::wostringstream text;
  std::mutex mutex;
  std::tm time{};
  time.tm_year = 101;
  both([&] {
    const std::lock_guard lock(mutex);
    text << 1 << L" and " << 1.5L << std::wstring(L" is ") << L'x' << std::put_time(&time, L" %Y")
         << std::endl;
    text.write(L"ab", 2).put(L'c').flush();
  });
  expect(text.str() == L"1 and 1.5 is x 2001\nabc1 and 1.5 is x 2001\nabc");
}

void wide_stream_results() {
  both([] {
    std::wstringstream text;
    text << 12 << L' ' << 1.5L << L" 2001 word\nline";
    int number = 0;
    long double half = 0;
    std::tm time{};
    std::wstring word;
    text >> number >> half >> std::ws >> std::get_time(&time, L"%Y") >> word;
    expect(number == 12 && half == 1.5L && time.tm_year == 101 && word == L"word");
    text.get();
    expect(text.tellg() == 17 && std::getline(text, word) && word == L"line");
    expect(!(text >> number));
  });
}

// What the functions return and throw comes to the caller.
void stream_results() {
  both([] {
    std::stringstream text;
    text << 12 << ' ' << 1.5 << " word\nline";
    expect(text.tellp() == 16);
    int number = 0;
    double half = 0;
    std::string word;
    text >> number >> half >> word;
    expect(number == 12 && half == 1.5 && word == "word");
    text.get();
    expect(text.tellg() == 12 && std::getline(text, word) && word == "line");
    expect(!(text >> number));
    text.clear();
    text.exceptions(std::ios::failbit);
    bool thrown = false;
    try {
      text >> number;
    } catch (const std::ios_base::failure&) {
      thrown = true;
    }
    expect(thrown);
    int sign = 0, quotient = 0;
    expect(remquo(7.5, 2.5, &quotient) == 0 && quotient == 3 && lgamma_r(1, &sign) == 0);
  });
}

// One resource locks by itself, and the other one is used in turn.
void pools_shared() {
  std::pmr::synchronized_pool_resource locked;
  std::pmr::unsynchronized_pool_resource in_turn;
  std::mutex mutex;
  both([&] {
    locked.deallocate(locked.allocate(16), 16);
    const std::lock_guard lock(mutex);
    in_turn.deallocate(in_turn.allocate(16), 16);
  });
}

void regex() {
  const std::regex pattern("(a|b)+c");
  both([&pattern] {
    std::smatch found;
    const std::string text = "abac";
    expect(std::regex_match(text, found, pattern) && found[1] == "a");
  });
}

// Each parses a pattern, by facets that keep what they have computed.
void regex_of_each() {
  both([] { expect(std::regex_match("key=12", std::regex("([a-z]+)=(\\d+)"))); });
}

const std::map<std::string, int>& table() {
  static const std::map<std::string, int> made{{"one", 1}, {"two", 2}};
  return made;
}

void initialized_once() {
  static std::once_flag once;
  static std::set<std::string> names;
  both([] {
    std::call_once(once, [] { names = {"x", k_long_text}; });
    expect(names.count(k_long_text) == 1 && table().at("two") == 2);
  });
}

void containers_in_turn() {
  std::mutex mutex;
  std::map<int, std::string> map;
  std::list<int> list;
  both([&] {
    std::lock_guard lock(mutex);
    const int key = static_cast<int>(map.size());
    for (int i = 0; i < 8; ++i) map.emplace(key + 10 * i, k_long_text);
    for (auto at = map.begin(); at != map.end();) at = at->first % 20 == 0 ? map.erase(at) : std::next(at);
    list.push_back(key);
    list.push_front(key);
    list.reverse();
    list.sort();
    list.pop_back();
  });
}

// Each thread maps pages for itself, at the same address, one thread after the other. Nothing orders the
// threads.
void mapped_anew() {
  constexpr std::size_t k_size = 4 * 4096;
  both([] {
    void* memory = mmap(nullptr, k_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static_cast<char*>(memory)[5] = 1;
    std::memset(memory, 2, k_size);
    munmap(memory, k_size);
  });
}

void mapped_over() {
  constexpr std::size_t k_size = 4096;
  static char* const place = static_cast<char*>(
      mmap(nullptr, 2 * k_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  both([] {
    mmap(place, k_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    place[7] = 1;
  });
}

__attribute__((noinline)) void set(volatile int* place) { *place = 2; }

// The second thread gets the stack of the first one, and nothing orders the two threads.
void stack_of_another() {
  const auto use = [] {
    volatile int local = 1;
    set(&local);
  };
  std::thread(use).detach();
  std::thread(use).detach();
}

__attribute__((noinline)) void look_at(const volatile int* number) { expect(*number < 3); }

void two_deletes() {
  auto* one = new int(1);
  auto* two = new int(2);
  std::thread reader([=] {
    look_at(one);
    look_at(two);
  });
  delete one;
  delete two;
  reader.join();
}

// Runs the first function in one thread, and the second function in another one.
template <typename First, typename Second>
void race(First first, Second second) {
  std::thread one(first), two(second);
  one.join();
  two.join();
}

template <typename Container>
long sum_backwards(const Container& numbers) {
  long sum = 0;
  for (auto at = numbers.end(); at != numbers.begin();) sum += *--at;
  return sum;
}

template <typename Container>
long sum(const Container& numbers) {
  long sum = 0;
  for (const int number : numbers) sum += number;
  return sum;
}

volatile long g_seen;

void race_tree_erase() {
  std::set<int> numbers{1, 2, 3, 4, 5};
  race([&] { numbers.erase(3); }, [&] { expect(numbers.find(4) != numbers.end()); });
}

void race_tree_walk() {
  std::set<int> numbers{1, 2, 3};
  race([&] { numbers.insert(0); }, [&] { expect(sum_backwards(numbers) == 6); });
}

void race_list_erase() {
  std::list<int> numbers{1, 2, 3};
  race([&] { numbers.pop_front(); }, [&] { expect(*std::next(numbers.begin()) == 2); });
}

void race_list_splice() {
  std::list<int> numbers{1, 2};
  std::list<int> more{3, 4};
  race([&] { numbers.splice(numbers.end(), more); }, [&] { expect(sum(more) == 7); });
}

void race_list_reverse() {
  std::list<int> numbers{1, 2, 3};
  race([&] { numbers.reverse(); }, [&] { expect(sum(numbers) == 6); });
}

// The hash reads the text of the key.
void race_hash() {
  std::string text = k_long_text;
  race([&] { text[20] = '.'; }, [&] { g_seen = static_cast<long>(std::hash<std::string>()(text)); });
}

template <typename Change>
void race_string(Change change) {
  std::string text = "a text";
  text.reserve(100);
  race([&] { change(text); }, [&] { g_seen = static_cast<long>(text.size()); });
}

void race_string_append() {
  race_string([](std::string& text) { text.append(k_long_text); });
}
void race_string_assign() {
  const std::string other = k_long_text;
  race_string([&other](std::string& text) { text = other; });
}
void race_string_replace() {
  race_string([](std::string& text) { text.replace(0, 1, k_long_text); });
}
void race_string_fill() {
  race_string([](std::string& text) { text.resize(50, '.'); });
}
void race_string_grow() {
  std::string text = "a text";
  race([&] { text.reserve(200); }, [&] { g_seen = text.data()[0]; });
}

template <typename Stream, typename First, typename Second>
void race_stream(Stream& stream, First first, Second second) {
  race([&] { first(stream); }, [&] { second(stream); });
}

void race_stream_numbers() {
  std::ostringstream text;
  race_stream(
      text, [](std::ostream& to) { to << 1; }, [](std::ostream& to) { to << 1.5; });
}
void race_stream_texts() {
  std::ostringstream text;
  race_stream(
      text, [](std::ostream& to) { to << "a"; }, [](std::ostream& to) { to << std::string("b"); });
}
void race_stream_text_taken() {
  std::ostringstream text;
  race_stream(
      text, [](std::ostream& to) { to << 1; },
      [](std::ostringstream& from) { g_seen = static_cast<long>(from.str().size()); });
}
void race_stream_input() {
  std::istringstream text("abc");
  race_stream(
      text, [](std::istream& from) { from.get(); }, [](std::istream& from) { from.get(); });
}
void race_stream_line() {
  std::istringstream text("a line\nand another one\n");
  std::string line;
  race([&] { std::getline(text, line); }, [&] { g_seen = static_cast<long>(line.size()); });
}
void race_stream_extracted() {
  std::istringstream text("12");
  int number = 0;
  race([&] { text >> number; }, [&] { g_seen = number; });
}
void race_stream_block() {
  std::istringstream text("1234");
  char block[4] = {};
  race([&] { text.read(block, 4); }, [&] { g_seen = block[3]; });
}
void race_stream_state() {
  std::istringstream text("12");
  race([&] { text.setstate(std::ios::failbit); }, [&] { g_seen = static_cast<long>(text.fail()); });
}
void race_file_stream() {
  std::ofstream file("/dev/null");
  race_stream(
      file, [](std::ostream& to) { to << 1; }, [](std::ostream& to) { to.write("a", 1); });
}
void race_unlocked_output() {
  std::FILE* const file = std::fopen("/dev/null", "w");
  std::fputs("a", file);
  race([&] { fputs_unlocked("b", file); }, [&] { fwrite_unlocked("c", 1, 1, file); });
}
void race_pool() {
  std::pmr::unsynchronized_pool_resource pool;
  const auto use = [&] { pool.deallocate(pool.allocate(16), 16); };
  race(use, use);
}

void race_wide_numbers() {
  std::wostringstream text;
  race_stream(
      text, [](std::wostream& to) { to << 1; }, [](std::wostream& to) { to << 1.5; });
}
void race_wide_texts() {
  std::wostringstream text;
  race_stream(
      text, [](std::wostream& to) { to << L"a"; }, [](std::wostream& to) { to << std::wstring(L"b"); });
}
void race_wide_text_taken() {
  std::wostringstream text;
  race_stream(
      text, [](std::wostream& to) { to << 1; },
      [](std::wostringstream& from) { g_seen = static_cast<long>(from.str().size()); });
}
void race_wide_input() {
  std::wistringstream text(L"abc");
  race_stream(
      text, [](std::wistream& from) { from.get(); }, [](std::wistream& from) { from.get(); });
}
void race_wide_line() {
  std::wistringstream text(L"a line\nand another one\n");
  std::wstring line;
  race([&] { std::getline(text, line); }, [&] { g_seen = static_cast<long>(line.size()); });
}
void race_wide_extracted() {
  std::wistringstream text(L"12");
  int number = 0;
  race([&] { text >> number; }, [&] { g_seen = number; });
}
void race_wide_block() {
  std::wistringstream text(L"1234");
  wchar_t block[4] = {};
  race([&] { text.read(block, 4); }, [&] { g_seen = block[3]; });
}
void race_wide_state() {
  std::wistringstream text(L"12");
  race([&] { text.setstate(std::ios::failbit); }, [&] { g_seen = static_cast<long>(text.fail()); });
}
void race_stream_long_double() {
  std::ostringstream text;
  race_stream(
      text, [](std::ostream& to) { to << 1.5L; }, [](std::ostream& to) { to << 2.5L; });
}
void race_stream_time() {
  std::ostringstream text;
  std::tm time{};
  race([&] { text << std::put_time(&time, "%Y"); }, [&] { time.tm_year = 1; });
}
void race_stream_time_taken() {
  std::istringstream text("2001");
  std::tm time{};
  race([&] { text >> std::get_time(&time, "%Y"); }, [&] { g_seen = time.tm_year; });
}
void race_locale() {
  std::locale one;
  const std::locale other(std::locale::classic());
  race([&] { one = other; }, [&] { g_seen = std::locale(one) == other; });
}

// One thread reads what is in a string, and another thread appends to it.
void string_behind() {
  std::string text = "a text";
  text.reserve(100);
  const char* first = text.data();
  race([&] { text.append(k_long_text); }, [first] { g_seen = first[0]; });
}

void copy_of_freed() {
  char* text = new char[64]{};
  std::thread([text] { delete[] text; }).join();
  char copy[64];
  std::size_t volatile size = sizeof copy;
  std::memcpy(copy, text, size);
  std::printf("%d\n", copy[0]);
}

constexpr Scenario k_scenarios[] = {{"exception", exception},
                                    {"exception_text", exception_text},
                                    {"copied_error", copied_error},
                                    {"promised_exception", promised_exception},
                                    {"promised_at_exit", promised_at_exit},
                                    {"promised_exception_at_exit", promised_exception_at_exit},
                                    {"abandoned_at_exit", abandoned_at_exit},
                                    {"shared_pointer", shared_pointer},
                                    {"strings", strings},
                                    {"locale", locale},
                                    {"streams", streams},
                                    {"streams_shared", streams_shared},
                                    {"stream_results", stream_results},
                                    {"pools_shared", pools_shared},
                                    {"regex", regex},
                                    {"regex_of_each", regex_of_each},
                                    {"initialized_once", initialized_once},
                                    {"containers_in_turn", containers_in_turn},
                                    {"mapped_anew", mapped_anew},
                                    {"mapped_over", mapped_over},
                                    {"stack_of_another", stack_of_another},
                                    {"string_behind", string_behind},
                                    {"two_deletes", two_deletes},
                                    {"copy_of_freed", copy_of_freed},
                                    {"race_tree_erase", race_tree_erase},
                                    {"race_tree_walk", race_tree_walk},
                                    {"race_list_erase", race_list_erase},
                                    {"race_list_splice", race_list_splice},
                                    {"race_list_reverse", race_list_reverse},
                                    {"race_hash", race_hash},
                                    {"race_string_append", race_string_append},
                                    {"race_string_assign", race_string_assign},
                                    {"race_string_replace", race_string_replace},
                                    {"race_string_fill", race_string_fill},
                                    {"race_string_grow", race_string_grow},
                                    {"race_stream_numbers", race_stream_numbers},
                                    {"race_stream_texts", race_stream_texts},
                                    {"race_stream_text_taken", race_stream_text_taken},
                                    {"race_stream_input", race_stream_input},
                                    {"race_stream_line", race_stream_line},
                                    {"race_stream_extracted", race_stream_extracted},
                                    {"race_stream_block", race_stream_block},
                                    {"race_stream_state", race_stream_state},
                                    {"race_file_stream", race_file_stream},
                                    {"race_unlocked_output", race_unlocked_output},
                                    {"race_wide_numbers", race_wide_numbers},
                                    {"race_wide_texts", race_wide_texts},
                                    {"race_wide_text_taken", race_wide_text_taken},
                                    {"race_wide_input", race_wide_input},
                                    {"race_wide_line", race_wide_line},
                                    {"race_wide_extracted", race_wide_extracted},
                                    {"race_wide_block", race_wide_block},
                                    {"race_wide_state", race_wide_state},
                                    {"race_stream_long_double", race_stream_long_double},
                                    {"race_stream_time", race_stream_time},
                                    {"race_stream_time_taken", race_stream_time_taken},
                                    {"race_locale", race_locale},
                                    {"wide_streams_shared", wide_streams_shared},
                                    {"wide_stream_results", wide_stream_results},
                                    {"race_pool", race_pool}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
