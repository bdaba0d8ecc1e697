// Opens a repository with libgit2. Only for files in git/.
#pragma once

#include <memory>
#include <string>

#include <git2.h>

namespace reex::detail {

template <typename T, void (*free_function)(T*)>
struct Deleter {
  void operator()(T* object) const { free_function(object); }
};
template <typename T, void (*free_function)(T*)>
using Pointer = std::unique_ptr<T, Deleter<T, free_function>>;

using RepositoryPointer = Pointer<git_repository, git_repository_free>;
using ObjectPointer = Pointer<git_object, git_object_free>;

// The repository that contains `path`. Throws RepositoryError. LibraryUse must be alive.
RepositoryPointer open(const std::string& path);

// The id as 40 hexadecimal digits.
std::string hex(const git_oid& oid);

} // namespace reex::detail
