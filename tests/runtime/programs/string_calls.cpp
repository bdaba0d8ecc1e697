// Calls members of std::string that libstdc++ instantiates, while another thread writes one byte of the text,
// or, from 1000 on, of the object. Arguments: the member, and the number of the byte. It is compiled as
// C++17, because later standards instantiate most members in the program.
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

#ifdef WIDE
using Char = wchar_t;
#define TEXT(text) L##text
#else
using Char = char;
#define TEXT(text) text
#endif
using String = std::basic_string<Char>;

constexpr int k_object = 1000;

String make_text() {
  String text;
  text.reserve(100);
  text += TEXT("abcdef");
  return text;
}

String g_text = make_text();
String g_other = TEXT("bcx");
volatile long g_result;

struct Call {
  const char* name;
  void (*make)();
};

constexpr Call k_calls[] = {
    {"size", [] { g_result = static_cast<long>(g_text.size()); }},
    {"capacity", [] { g_result = static_cast<long>(g_text.capacity()); }},
    {"find", [] { g_result = static_cast<long>(g_text.find(TEXT("de"))); }},
    {"rfind", [] { g_result = static_cast<long>(g_text.rfind(g_other)); }},
    {"find_first_of", [] { g_result = static_cast<long>(g_text.find_first_of(TEXT("xy"))); }},
    {"find_first_of_other", [] { g_result = static_cast<long>(g_text.find_first_of(g_other, 1)); }},
    {"find_last_of", [] { g_result = static_cast<long>(g_text.find_last_of(TEXT("xy"))); }},
    {"find_first_not_of", [] { g_result = static_cast<long>(g_text.find_first_not_of(TEXT("abcdef"))); }},
    {"find_last_not_of", [] { g_result = static_cast<long>(g_text.find_last_not_of(TEXT("abcdef"), 9, 6)); }},
    {"compare_part", [] { g_result = g_text.compare(1, 2, TEXT("bc")); }},
    {"compare_sized", [] { g_result = g_text.compare(1, 2, TEXT("bcx"), 2); }},
    {"compare_with_other", [] { g_result = g_text.compare(1, 3, g_other); }},
    {"compare_parts", [] { g_result = g_other.compare(0, 2, g_text, 1, 2); }},
    {"append", [] { g_text.append(TEXT("xyz")); }},
    {"append_list",
     [] {
       g_text += {'x', 'y'};
     }},
    {"erase", [] { g_text.erase(1, 2); }},
    {"erase_at", [] { g_text.erase(g_text.begin() + 1); }},
    {"erase_range", [] { g_text.erase(g_text.begin() + 1, g_text.begin() + 3); }},
    {"insert_char", [] { g_text.insert(g_text.begin() + 2, TEXT('x')); }},
    {"set_char", [] { g_text = TEXT('x'); }},
    {"set_list",
     [] {
       g_text = {'x', 'y'};
     }},
    {"insert", [] { g_text.insert(2, g_other); }},
    {"insert_part", [] { g_text.insert(2, g_other, 1, 1); }},
    {"insert_text", [] { g_text.insert(2, TEXT("xy")); }},
    {"insert_chars", [] { g_text.insert(2, 2, TEXT('x')); }},
    {"insert_other", [] { g_other.insert(1, g_text); }},
    {"replace", [] { g_text.replace(2, 1, g_other); }},
    {"replace_text", [] { g_text.replace(2, 1, TEXT("xy")); }},
    {"replace_chars", [] { g_text.replace(2, 1, 2, TEXT('x')); }},
    {"replace_by_part", [] { g_other.replace(0, 1, g_text, 1, 2); }},
    {"assign_part", [] { g_other.assign(g_text, 1, 2); }},
    {"assign_chars", [] { g_text.assign(2, TEXT('x')); }},
    {"assign_moved", [] { g_other.assign(std::move(g_text)); }},
    {"append_part", [] { g_other.append(g_text, 1, 2); }},
    {"shrink", [] { g_text.shrink_to_fit(); }},
};

} // namespace

int main(int count, char** arguments) {
  if (count != 3) return 99;
  const int number = std::atoi(arguments[2]);
  volatile char* const place = number < k_object ? reinterpret_cast<char*>(g_text.data() + number)
                                                 : reinterpret_cast<char*>(&g_text) + number - k_object;
  for (const Call& call : k_calls) {
    if (std::strcmp(call.name, arguments[1]) != 0) continue;
    std::thread one(call.make);
    std::thread two([place] { *place = *place; });
    one.join();
    two.join();
    return 0;
  }
  return 99;
}
