#include "git/unified_diff.h"

#include <memory>

#include <git2.h>

#include "git/diff_walk.h"
#include "git/error.h"
#include "git/library.h"
#include "git/open.h"

namespace reex::detail {

// libgit2 writes the two lines of git's own header before the names; they say nothing about texts that are
// in no repository.
std::string compare_texts(const std::string& path, std::string_view before, std::string_view after) {
  const LibraryUse use;
  git_diff_options options = diff_options();
  options.flags |= GIT_DIFF_FORCE_TEXT;
  git_patch* raw = nullptr;
  const int failed = git_patch_from_buffers(&raw, before.empty() ? nullptr : before.data(), before.size(),
                                            path.c_str(), after.data(), after.size(), path.c_str(), &options);
  const Pointer<git_patch, git_patch_free> patch(raw);
  git_buf buffer = {};
  if (failed != 0 || git_patch_to_buf(&buffer, raw) != 0)
    throw RepositoryError("the difference of " + path + " cannot be made: " + last_error());
  const std::string text(buffer.ptr, buffer.size);
  git_buf_dispose(&buffer);
  const std::size_t names = text.find("--- ");
  return names == std::string::npos ? "" : text.substr(names);
}

} // namespace reex::detail
