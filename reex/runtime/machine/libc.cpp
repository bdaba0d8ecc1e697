#include "reex/runtime/machine/libc.h"

#include <dlfcn.h>

namespace reex {
namespace {

Libc g_libc;

template <typename T>
void find(T*& function, const char* name) {
  function = reinterpret_cast<T*>(dlsym(RTLD_NEXT, name));
  if (function == nullptr) function = reinterpret_cast<T*>(dlsym(RTLD_DEFAULT, name));
}

} // namespace

const Libc& libc() { return g_libc; }

void find_libc() {
  find(g_libc.pthread_create, "pthread_create");
  find(g_libc.pthread_getattr_np, "pthread_getattr_np");
  find(g_libc.call_tls_dtors, "__call_tls_dtors");
  find(g_libc.cxa_finalize, "__cxa_finalize");
  find(g_libc.rseq_offset, "__rseq_offset");
  find(g_libc.rseq_size, "__rseq_size");
  find(g_libc.vfprintf, "vfprintf");
  find(g_libc.vfprintf_chk, "__vfprintf_chk");
  find(g_libc.fputs, "fputs");
  find(g_libc.puts, "puts");
  find(g_libc.fputc, "fputc");
  find(g_libc.fwrite, "fwrite");
  find(g_libc.fflush, "fflush");
  find(g_libc.fclose, "fclose");
  find(g_libc.flockfile, "flockfile");
  find(g_libc.ftrylockfile, "ftrylockfile");
  find(g_libc.funlockfile, "funlockfile");
  find(g_libc.fgetc, "fgetc");
  find(g_libc.fgets, "fgets");
  find(g_libc.fgets_chk, "__fgets_chk");
  find(g_libc.fread, "fread");
  find(g_libc.fread_chk, "__fread_chk");
  find(g_libc.getdelim, "getdelim");
  find(g_libc.fork, "fork");
  find(g_libc.fork_alone, "_Fork");
  if (g_libc.fork_alone == nullptr) g_libc.fork_alone = g_libc.fork;
  find(g_libc.register_atfork, "__register_atfork");
  find(g_libc.posix_spawn, "posix_spawn");
  find(g_libc.posix_spawnp, "posix_spawnp");
  find(g_libc.popen, "popen");
  find(g_libc.system, "system");
  find(g_libc.fopen, "fopen");
  find(g_libc.sigaction, "sigaction");
  find(g_libc.siglongjmp, "siglongjmp");
  g_libc.verbose_terminate =
      reinterpret_cast<void (*)()>(dlsym(RTLD_NEXT, "_ZN9__gnu_cxx27__verbose_terminate_handlerEv"));
  find(g_libc.start_main, "__libc_start_main");
}

} // namespace reex
