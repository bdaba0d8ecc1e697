// Uses a std::filesystem::path while another thread writes one byte of its text, or, from 1000 on, of the
// object. Arguments: the use, and the number of the byte; a third one: the other thread begins when the use
// has ended.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

namespace {

namespace fs = std::filesystem;

constexpr int k_object = 1000;

fs::path make_path() {
  std::string text;
  text.reserve(100);
  text += "/ab/cd.ef";
  return fs::path(std::move(text));
}

fs::path g_path = make_path();
const fs::path g_other = "/xy/z.t";
std::error_code g_error;
volatile long g_result;

long size(const fs::path& path) { return static_cast<long>(path.native().size()); }

struct Use {
  const char* name;
  void (*make)();
};

constexpr Use k_uses[] = {
    {"append", [] { g_path /= "xy"; }},
    {"append_path", [] { g_path /= fs::path("xy"); }},
    {"concat", [] { g_path += "xy"; }},
    {"concat_path", [] { g_path += fs::path("xy"); }},
    {"assign", [] { g_path = g_other; }},
    {"assign_parts", [] { g_path = g_other; }},
    {"remove_filename", [] { g_path.remove_filename(); }},
    {"replace_filename", [] { g_path.replace_filename("xy"); }},
    {"replace_extension", [] { g_path.replace_extension(".xy"); }},
    {"copy", [] { g_result = size(fs::path(g_path)); }},
    {"compare", [] { g_result = g_other.compare(g_path); }},
    {"compare_text", [] { g_result = g_path.compare("/ab"); }},
    {"equal", [] { g_result = g_path == g_other; }},
    {"join", [] { g_result = size(g_path / "xy"); }},
    {"parent", [] { g_result = size(g_path.parent_path()); }},
    {"filename", [] { g_result = size(g_path.filename()); }},
    {"extension", [] { g_result = size(g_path.extension()); }},
    {"stem", [] { g_result = size(g_path.stem()); }},
    {"normal", [] { g_result = size(g_path.lexically_normal()); }},
    {"relative", [] { g_result = size(g_other.lexically_relative(g_path)); }},
    {"has_root", [] { g_result = g_path.has_root_directory(); }},
    {"walk", [] { g_result = std::distance(g_path.begin(), g_path.end()); }},
    {"hash", [] { g_result = static_cast<long>(fs::hash_value(g_path)); }},
    {"exists", [] { g_result = fs::exists(g_path); }},
    {"remove", [] { g_result = fs::remove(g_path, g_error); }},
    {"absolute", [] { g_result = size(fs::absolute(g_path)); }},
    {"rename", [] { fs::rename(g_other, g_path, g_error); }},
    {"entry", [] { g_result = fs::directory_entry(g_path, g_error).is_directory(g_error); }},
    {"iterator", [] { g_result = fs::directory_iterator(g_path, g_error) == fs::directory_iterator(); }},
};

} // namespace

int main(int count, char** arguments) {
  if (count < 3) return 99;
  const int number = std::atoi(arguments[2]);
  volatile char* const place = number < k_object ? const_cast<char*>(g_path.c_str() + number)
                                                 : reinterpret_cast<char*>(&g_path) + number - k_object;
  for (const Use& use : k_uses) {
    if (std::strcmp(use.name, arguments[1]) != 0) continue;
    std::thread one(use.make);
    if (count > 3) one.join();
    std::thread two([place] { *place = *place; });
    if (count <= 3) one.join();
    two.join();
    return 0;
  }
  return 99;
}
