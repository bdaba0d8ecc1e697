// Other names of the same functions. Each is a jump, which keeps the caller's frame and return address,
// because these identify an operation. C11's objects have the layout of POSIX's. c11.cpp has the functions
// whose results or arguments differ.

#define SAME_AS(name, function)                                                                              \
  asm(".text\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n\tjmp " #function                \
      "@PLT\n\t.size " #name ", . - " #name);

SAME_AS(__pthread_mutex_init, pthread_mutex_init)
SAME_AS(__pthread_mutex_destroy, pthread_mutex_destroy)
SAME_AS(__pthread_mutex_lock, pthread_mutex_lock)
SAME_AS(__pthread_mutex_trylock, pthread_mutex_trylock)
SAME_AS(__pthread_mutex_unlock, pthread_mutex_unlock)
SAME_AS(pthread_mutex_consistent_np, pthread_mutex_consistent)
SAME_AS(__pthread_rwlock_init, pthread_rwlock_init)
SAME_AS(__pthread_rwlock_destroy, pthread_rwlock_destroy)
SAME_AS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock)
SAME_AS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock)
SAME_AS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock)
SAME_AS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock)
SAME_AS(__pthread_rwlock_unlock, pthread_rwlock_unlock)
SAME_AS(__pthread_once, pthread_once)
SAME_AS(__pthread_key_create, pthread_key_create)
SAME_AS(__pthread_setspecific, pthread_setspecific)
SAME_AS(__pthread_getspecific, pthread_getspecific)
SAME_AS(pthread_yield, sched_yield)

SAME_AS(__sigaction, sigaction)
SAME_AS(__libc_sigaction, sigaction)
SAME_AS(bsd_signal, signal)
SAME_AS(ssignal, signal)
SAME_AS(__sysv_signal, sysv_signal)
SAME_AS(gsignal, raise)
SAME_AS(__sigsuspend, sigsuspend)
SAME_AS(__sigtimedwait, sigtimedwait)
SAME_AS(longjmp, siglongjmp)
SAME_AS(_longjmp, siglongjmp)
SAME_AS(__longjmp_chk, siglongjmp)

SAME_AS(call_once, pthread_once)
SAME_AS(mtx_lock, pthread_mutex_lock)
SAME_AS(mtx_unlock, pthread_mutex_unlock)
SAME_AS(mtx_destroy, pthread_mutex_destroy)
SAME_AS(cnd_wait, pthread_cond_wait)
SAME_AS(cnd_signal, pthread_cond_signal)
SAME_AS(cnd_broadcast, pthread_cond_broadcast)
SAME_AS(cnd_destroy, pthread_cond_destroy)
SAME_AS(tss_get, pthread_getspecific)
SAME_AS(thrd_yield, sched_yield)
