// The entry of libreex_git.so.
#include "git/library.h"

namespace {

constexpr reex::detail::GitLibrary k_library = {reex::detail::make_repository, reex::detail::make_history,
                                                reex::detail::make_config, reex::detail::read_diff,
                                                reex::detail::compare_texts};

} // namespace

extern "C" {

__attribute__((visibility("default"))) extern const reex::detail::GitLibrary reex_git_library;
const reex::detail::GitLibrary reex_git_library = k_library;

// Where libgit2 uses mbedTLS, its initialization reads the certificates of all authorities of the system,
// which takes longer than all else that a small run does. reex talks to no other machine. The module is the
// first to be asked for a symbol that its libraries look up, so they find this function.
__attribute__((visibility("default"))) int mbedtls_x509_crt_parse_file(void* chain, const char* path);
int mbedtls_x509_crt_parse_file(void* /*chain*/, const char* /*path*/) { return 0; }
}
