// The entry of libreex_clang.so.
#include "impact/clang/library.h"

extern "C" {
__attribute__((visibility("default"))) extern const reex::impact::ClangLibrary reex_clang_library;
const reex::impact::ClangLibrary reex_clang_library = {
    reex::impact::parse_with_libclang, reex::impact::statements_with_libclang,
    reex::impact::precompile_with_libclang, reex::impact::libclang_version, reex::impact::resource_folder};
}
