#!/bin/bash
# symbols.sh LIBREEX_RT: checks that the runtime defines every function of libc that creates, names, stops or signals a
# thread. The exceptions are listed here; they do nothing to a thread. And checks that no variable of the runtime has a
# constructor: one of a large table would write megabytes in each process of each test.
set -eu
runtime=$1
libc=$(ldd "$runtime" | awk '$1 == "libc.so.6" {print $3}')
harmless='
  __libc_allocate_rtsig __libc_current_sigrtmax __libc_current_sigrtmin __libc_unwind_link_get
  __pthread_cleanup_routine __pthread_get_minstack __pthread_keys __sigsetjmp __sigaddset __sigdelset __sigismember
  _sys_siglist psiginfo psignal sigabbrev_np sigaddset sigandset sigdelset sigdescr_np sigemptyset sigfillset
  sigisemptyset sigismember sigorset strsignal sys_sigabbrev sys_siglist
  pthread_atfork pthread_equal pthread_self pthread_getconcurrency pthread_setconcurrency
  sigreturn sigstack sigvec pthread_kill_other_threads_np thrd_current thrd_equal pthread_getattr_default_np pthread_setattr_default_np'
functions() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | sort -u; }
# Attributes are plain data. The others belong to processes, floating point, or the debugger. Timers that are read from
# a descriptor (timerfd) are system calls that reex watches.
missing=$(functions "$libc" |
  grep -E '(^|_)(pthread|sem|thrd|mtx|cnd|tss|call_once|alarm|ualarm|timer|itimer|pause|raise|kill|killpg|tgkill)(_|$)|sig[a-z]|itimer$' |
  grep -vE 'attr_|_thread_db|posix_spawn|copysign|signbit|significand|^_dl_|timerfd|^semctl|^semget|^semop|sem_timedop' |
  comm -23 - <(functions "$runtime") | comm -23 - <(tr -s ' \n' '\n\n' <<<"$harmless" | sort -u))
if [ -n "$missing" ]; then
  echo "libc's own, and neither the runtime's nor known to be harmless:" $missing
  exit 1
fi
constructors=$(nm "$runtime" | awk '$3 ~ /_sub_I_|_static_initialization/ {print $3}')
if [ -n "$constructors" ]; then
  echo "the runtime has variables that are no constants at first:" $constructors
  exit 1
fi
