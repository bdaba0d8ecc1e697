#include "reex/explorer/profile_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "reex/explorer/explore.h"
#include "reex/explorer/identity.h"
#include "reex/process/descriptor.h"
#include "reex/run/sha256.h"

namespace reex {
namespace {

using Json = nlohmann::json;

constexpr int k_format = 1;
constexpr const char* k_parts[] = {"program", "mapped", "stack"}; // in the order of MemoryPart

// What decides which operations there are and how samples choose among them. Other runs may have other
// seeds, and go on for longer.
std::map<std::string, std::string> fits(const ExploreOptions& options) {
  static const std::set<std::string> k_others = {"--seed",         "--schedules", "--keep-going",
                                                 "--reduction",    "--outcomes",  "--iterations",
                                                 "--promote-from", "--profile",   "--memory-limit"};
  std::map<std::string, std::string> all = {{"test", options.test_name}, {"arguments", ""}};
  for (const std::string& argument : options.arguments) all["arguments"] += argument + '\n';
  for (const auto& [name, value] : identity_of(options))
    if (!k_others.contains(name)) all[name] = value;
  return all;
}

[[noreturn]] void damaged(const std::string& why) {
  throw ProfileError("it is no profile of this version of reex, or damaged (" + why +
                     "): remove it to learn a new one");
}

Json json_of(const LearnedObject& object) {
  return {{"part", k_parts[static_cast<std::size_t>(object.part)]},
          {"offset", object.offset},
          {"total", object.total},
          {"first_thread", object.first_thread},
          {"several_threads", object.several_threads},
          {"written", object.written},
          {"counts", object.counts}};
}

Json json_of(const LearnedProfile& profile) {
  Json objects = Json::array();
  for (const LearnedObject& object : profile.objects) objects.push_back(json_of(object));
  Json promoted = Json::array();
  for (const PromotedAccess& access : profile.promoted)
    promoted.push_back({{"module", access.module}, {"offset", access.offset}, {"location", access.location}});
  return {{"executions", profile.executions},
          {"parents", profile.parents},
          {"operations", profile.all},
          {"impacted", profile.impacted},
          {"objects", objects},
          {"longest", profile.longest},
          {"patience", profile.patience ? Json(*profile.patience) : Json()},
          {"max_steps", profile.max_steps},
          {"libraries", profile.modules},
          {"promoted_accesses", promoted}};
}

std::vector<std::uint64_t> read_counts(const Json& value, std::size_t threads) {
  constexpr std::uint64_t k_most = std::uint64_t{1} << 48; // sums of them do not overflow
  auto counts = value.get<std::vector<std::uint64_t>>();
  if (counts.size() != threads) damaged("there is not one count for each thread");
  for (const std::uint64_t count : counts)
    if (count > k_most) damaged("a count is too large");
  return counts;
}

LearnedObject read_object(const Json& value, std::size_t threads) {
  LearnedObject object;
  const auto* const part =
      std::find(std::begin(k_parts), std::end(k_parts), value.at("part").get<std::string>());
  if (part == std::end(k_parts)) damaged("an object is in no part of the memory");
  object.part = static_cast<MemoryPart>(part - std::begin(k_parts));
  value.at("offset").get_to(object.offset);
  value.at("first_thread").get_to(object.first_thread);
  value.at("several_threads").get_to(object.several_threads);
  value.at("written").get_to(object.written);
  object.counts = read_counts(value.at("counts"), threads);
  object.total = read_counts(Json::array({value.at("total")}), 1).front();
  return object;
}

LearnedProfile read_profile(const Json& value) {
  LearnedProfile profile;
  value.at("executions").get_to(profile.executions);
  if (profile.executions == 0) damaged("of no execution");
  value.at("parents").get_to(profile.parents);
  const std::size_t threads = profile.parents.size();
  if (threads > k_sampled_threads) damaged("there are too many threads");
  for (const std::uint16_t parent : profile.parents)
    if (parent >= threads) damaged("a thread was made by none");
  profile.all = read_counts(value.at("operations"), threads);
  profile.impacted = read_counts(value.at("impacted"), threads);
  if (value.at("objects").size() > k_profiled_objects) damaged("there are too many objects");
  for (const Json& object : value.at("objects")) profile.objects.push_back(read_object(object, threads));
  profile.longest = read_counts(Json::array({value.at("longest")}), 1).front();
  if (!value.at("patience").is_null()) profile.patience = value.at("patience").get<std::uint32_t>();
  value.at("max_steps").get_to(profile.max_steps);
  value.at("libraries").get_to(profile.modules);
  for (const Json& access : value.at("promoted_accesses"))
    profile.promoted.push_back({access.at("module").get<std::string>(),
                                access.at("offset").get<std::uint64_t>(),
                                access.at("location").get<std::string>()});
  return profile;
}

void check_fit(const Json& value, const LearnedProfile& profile, const ExploreOptions& options) {
  auto learned = value.get<std::map<std::string, std::string>>();
  const auto refuse = [](const std::string& name) {
    throw ProfileError("it was learned of another " + name +
                       ": give another FILE, or remove it to learn a new one");
  };
  const auto wanted = fits(options);
  // Each strategy has options of its own.
  if (learned["--strategy"] != wanted.at("--strategy")) refuse("--strategy");
  for (const auto& [name, text] : wanted)
    if (!learned.contains(name) || learned.at(name) != text) refuse(name);
  for (const PromotedAccess& access : options.promoted)
    if (std::none_of(profile.promoted.begin(), profile.promoted.end(), [&](const PromotedAccess& known) {
          return known.module == access.module && known.offset == access.offset;
        }))
      refuse("--promote-from");
}

// 0, or the error.
int write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<std::size_t>(count);
  }
  return fsync(file) != 0 ? errno : 0;
}

// Gives the file a name that nobody has. 0, or the error.
int name_file(const std::string& made, const std::string& path) {
  if (link(made.c_str(), path.c_str()) == 0) return 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return errno;
  // A file system without links.
  return renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
}

} // namespace

std::shared_ptr<LearnedProfile> read_profile_file(const std::string& path, const ExploreOptions& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) return nullptr;
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file)
    throw ProfileError(std::string("it cannot be read (") + std::strerror(errno) + "): give another FILE");
  const Json document = Json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("profile")) damaged("it has no profile");
  try {
    if (document.at("format").get<int>() != k_format) damaged("its format is another one");
    auto profile = std::make_shared<LearnedProfile>(read_profile(document.at("profile")));
    check_fit(document.at("fits"), *profile, options);
    profile->digest = sha256_hex(document.dump());
    return profile;
  } catch (const Json::exception& error) {
    damaged(error.what());
  }
}

bool write_profile_file(const std::string& path, const LearnedProfile& profile,
                        const ExploreOptions& options) {
  namespace fs = std::filesystem;
  const Json document = {{"format", k_format}, {"fits", fits(options)}, {"profile", json_of(profile)}};
  const fs::path place(path);
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  std::string made = (folder / ('.' + place.filename().string() + ".XXXXXX")).string();
  const Descriptor file(mkostemp(made.data(), O_CLOEXEC));
  int error = file ? write_all(*file, document.dump(2) + '\n') : errno;
  if (error == 0) error = fchmod(*file, 0644) == 0 ? name_file(made, path) : errno;
  if (file) unlink(made.c_str());
  if (error == EEXIST) return false;
  if (error != 0)
    throw ProfileError(std::string("it cannot be written (") + std::strerror(error) + "): give another FILE");
  return true;
}

} // namespace reex
