// One thread comes for a quota that the other one gives back, and leaves a job if there is none.
#include <atomic>
#include <cassert>
#include <thread>

extern "C" {
struct isc_quota;
struct isc_job;
void isc_quota_init(isc_quota* quota, unsigned max);
void isc_quota_destroy(isc_quota* quota);
int isc_quota_acquire_cb(isc_quota* quota, isc_job* job, void (*callback)(void*), void* argument);
void isc_quota_release(isc_quota* quota);
[[noreturn]] void isc_assertion_failed(const char*, int, int, const char*) { std::abort(); }
}

namespace {
alignas(64) char quota_bytes[1024];
alignas(64) char job_bytes[256];
isc_quota* const quota = reinterpret_cast<isc_quota*>(quota_bytes);
std::atomic<int> runs{0};
void run(void*) {
  ++runs;
  isc_quota_release(quota);
}
}  // namespace

int main() {
  isc_quota_init(quota, 1);
  assert(isc_quota_acquire_cb(quota, nullptr, nullptr, nullptr) == 0);
  std::thread other([] {
    if (isc_quota_acquire_cb(quota, reinterpret_cast<isc_job*>(job_bytes), run, nullptr) == 0) run(nullptr);
  });
  isc_quota_release(quota);
  other.join();
  assert(runs == 1);
  isc_quota_destroy(quota);
}
