// Calls functions of libc on a text while another thread writes one byte of it. Arguments: the function, and
// the number of the byte; a third one: the other thread begins when the call has ended. It is compiled so
// that nothing is inlined.
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <thread>

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <iconv.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <unistd.h>

// As sys/timeb.h declares it, which calls it deprecated.
extern "C" int old_ftime(timeb* time) __asm__("ftime");

namespace {

alignas(16) char g_text[512] = "abc";
char g_other[16] = "abd";
char g_place[16];
volatile long g_result;
int g_full[2]; // a pipe with two bytes
int g_ends[2]; // sockets; two bytes are on their way to the second
int g_event;   // an eventfd of 1
int g_epoll;   // has g_event
int g_timer;   // a timerfd
int g_program; // a file
int g_nowhere; // /dev/null
int g_listens; // a socket
FILE* g_stream;
sem_t g_semaphore;
timer_t g_alarm;

template <typename Object>
Object* text_as() {
  return reinterpret_cast<Object*>(g_text);
}

// Two bytes of the text apart from each other, or room for two and three bytes.
iovec g_parts[2] = {{g_text, 1}, {g_text + 4, 2}};
iovec g_short[2] = {{g_text, 1}, {g_text + 4, 1}};
iovec g_whole[1] = {{g_text, 2}};
msghdr g_message = {nullptr, 0, g_whole, 1, nullptr, 0, 0};
mmsghdr g_messages[1] = {{{nullptr, 0, g_whole, 1, nullptr, 0, 0}, 0}};
timespec g_none{};
time_t g_date = 1000000000;
pthread_attr_t g_detached;
sockaddr_un g_address{}; // of g_listens
sockaddr* const g_named = reinterpret_cast<sockaddr*>(&g_address);
socklen_t g_length = sizeof g_address;
socklen_t g_room = sizeof(sockaddr_un);

drand48_data g_numbers{};
random_data g_random{};
char g_random_state[64];
double g_unused;
tm g_day{};
in_addr g_host{};
char g_long[64];
const char* volatile g_numbered = "%4$d %3$f %1$.*2$s";
const char* volatile g_scanned = "%2$d %1$ld";
int g_number;
wchar_t g_wide[16];
wchar_t g_wide_other[] = L"abd";
FILE* g_sink; // /dev/null
struct stat g_status;
addrinfo g_numeric{};
addrinfo* g_found;
const char g_digits[] = "1.5";
passwd g_user;
mbstate_t g_letters{};
regex_t g_pattern;
iconv_t g_conversion;

sigset_t just(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}
sigset_t g_waited = just(SIGUSR1);

void give_back(char* copy) {
  g_result = copy[0];
  std::free(copy);
}

int order_of_addresses(const void* a, const void* b) { return a < b ? -1 : a > b ? 1 : 0; }

int order_of_pairs(const void* a, const void* b) { return std::memcmp(a, b, 2); }

struct Call {
  const char* name;
  void (*make)();
};

constexpr Call k_calls[] = {
    {"memcpy", [] { std::memcpy(g_place, g_text, 8); }},
    {"memcpy_to", [] { std::memcpy(g_text, g_place, 8); }},
    {"memmove", [] { std::memmove(g_place, g_text, 8); }},
    {"mempcpy", [] { mempcpy(g_text, g_place, 8); }},
    {"memset", [] { std::memset(g_text, 0, 8); }},
    {"memcmp", [] { g_result = std::memcmp(g_text, g_other, 8); }},
    {"bcmp", [] { g_result = bcmp(g_text, g_other, 8); }},
    {"memchr", [] { g_result = std::memchr(g_text, 'b', 8) != nullptr; }},
    {"strlen", [] { g_result = static_cast<long>(std::strlen(g_text)); }},
    {"strnlen", [] { g_result = static_cast<long>(strnlen(g_text, 2)); }},
    {"strcmp", [] { g_result = std::strcmp(g_text, g_other); }},
    {"strncmp", [] { g_result = std::strncmp(g_text, g_other, 2); }},
    {"strchr", [] { g_result = std::strchr(g_text, 'b') != nullptr; }},
    {"strrchr", [] { g_result = std::strrchr(g_text, 'b') != nullptr; }},
    {"strstr", [] { g_result = std::strstr(g_text, "bc") != nullptr; }},
    {"strcpy", [] { std::strcpy(g_place, g_text); }},
    {"strcpy_to", [] { std::strcpy(g_text, g_other); }},
    {"stpcpy", [] { stpcpy(g_text, g_other); }},
    {"strncpy", [] { std::strncpy(g_text, g_other, 6); }},
    {"strcat", [] { std::strcat(g_text, g_other); }},
    {"strncat", [] { std::strncat(g_text, g_other, 1); }},
    {"strdup", [] { give_back(strdup(g_text)); }},
    {"strndup", [] { give_back(strndup(g_text, 2)); }},
    {"puts", [] { g_result = std::puts(g_text); }},
    {"fputs", [] { g_result = std::fputs(g_text, stdout); }},
    {"fwrite", [] { g_result = static_cast<long>(std::fwrite(g_text, 1, 2, stdout)); }},
    {"write", [] { g_result = write(1, g_text, 2); }},
    {"read", [] { g_result = read(g_full[0], g_text, 8); }},
    {"send", [] { g_result = send(g_ends[0], g_text, 2, 0); }},
    {"recv", [] { g_result = recv(g_ends[1], g_text, 8, 0); }},
    {"pipe", [] { g_result = pipe(reinterpret_cast<int*>(g_text)); }},
    {"pipe2", [] { g_result = pipe2(reinterpret_cast<int*>(g_text), O_CLOEXEC); }},
    {"socketpair", [] { g_result = socketpair(AF_UNIX, SOCK_STREAM, 0, reinterpret_cast<int*>(g_text)); }},
    {"readv", [] { g_result = readv(g_full[0], g_parts, 2); }},
    {"writev", [] { g_result = writev(g_nowhere, g_short, 2); }},
    {"pread", [] { g_result = pread(g_program, g_text, 8, 0); }},
    {"pwrite", [] { g_result = pwrite(g_nowhere, g_text, 2, 0); }},
    {"preadv", [] { g_result = preadv(g_program, g_parts, 2, 0); }},
    {"preadv2", [] { g_result = preadv2(g_program, g_parts, 2, 0, 0); }},
    {"pwritev", [] { g_result = pwritev(g_nowhere, g_short, 2, 0); }},
    {"recvfrom", [] { g_result = recvfrom(g_ends[1], g_text, 8, 0, nullptr, nullptr); }},
    {"recvmsg", [] { g_result = recvmsg(g_ends[1], &g_message, 0); }},
    {"sendmsg", [] { g_result = sendmsg(g_ends[0], &g_message, 0); }},
    {"recvmmsg", [] { g_result = recvmmsg(g_ends[1], g_messages, 1, 0, nullptr); }},
    {"sendmmsg", [] { g_result = sendmmsg(g_ends[0], g_messages, 1, 0); }},
    {"accept",
     [] {
       const int connects = socket(AF_UNIX, SOCK_STREAM, 0);
       if (connect(connects, g_named, g_length) == 0)
         g_result = accept(g_listens, text_as<sockaddr>(), &g_room);
     }},
    {"eventfd_read", [] { g_result = eventfd_read(g_event, text_as<eventfd_t>()); }},
    {"getsockopt", [] { g_result = getsockopt(g_ends[0], SOL_SOCKET, SO_TYPE, g_text, &g_room); }},
    {"poll",
     [] {
       *text_as<pollfd>() = {g_event, POLLIN, 0};
       g_result = poll(text_as<pollfd>(), 1, 0);
     }},
    {"select",
     [] {
       FD_SET(g_event, text_as<fd_set>());
       timeval none{};
       g_result = select(g_event + 1, text_as<fd_set>(), nullptr, nullptr, &none);
     }},
    {"epoll_wait", [] { g_result = epoll_wait(g_epoll, text_as<epoll_event>(), 2, 0); }},
    {"clock_gettime", [] { g_result = clock_gettime(CLOCK_MONOTONIC, text_as<timespec>()); }},
    {"clock_getres", [] { g_result = clock_getres(CLOCK_MONOTONIC, text_as<timespec>()); }},
    {"gettimeofday", [] { g_result = gettimeofday(text_as<timeval>(), nullptr); }},
    {"timespec_get", [] { g_result = timespec_get(text_as<timespec>(), TIME_UTC); }},
    {"ftime", [] { g_result = old_ftime(text_as<timeb>()); }},
    {"time", [] { g_result = time(text_as<time_t>()); }},
    {"times", [] { g_result = times(text_as<tms>()); }},
    {"getrusage", [] { g_result = getrusage(RUSAGE_SELF, text_as<rusage>()); }},
    {"nanosleep", [] { g_result = nanosleep(text_as<timespec>(), nullptr); }},
    {"clock_nanosleep", [] { g_result = clock_nanosleep(CLOCK_MONOTONIC, 0, text_as<timespec>(), nullptr); }},
    {"sigaction", [] { g_result = sigaction(SIGUSR2, text_as<struct sigaction>(), nullptr); }},
    {"sigaction_before", [] { g_result = sigaction(SIGUSR2, nullptr, text_as<struct sigaction>()); }},
    {"sigmask", [] { g_result = pthread_sigmask(SIG_UNBLOCK, text_as<sigset_t>(), nullptr); }},
    {"sigmask_before", [] { g_result = pthread_sigmask(SIG_SETMASK, nullptr, text_as<sigset_t>()); }},
    {"sigpending", [] { g_result = sigpending(text_as<sigset_t>()); }},
    {"sigwait", [] { g_result = sigwait(&g_waited, text_as<int>()); }},
    {"sigtimedwait", [] { g_result = sigtimedwait(&g_waited, text_as<siginfo_t>(), &g_none); }},
    {"setitimer", [] { g_result = setitimer(ITIMER_REAL, text_as<itimerval>(), nullptr); }},
    {"getitimer", [] { g_result = getitimer(ITIMER_REAL, text_as<itimerval>()); }},
    {"timer_settime", [] { g_result = timer_settime(g_alarm, 0, text_as<itimerspec>(), nullptr); }},
    {"timer_gettime", [] { g_result = timer_gettime(g_alarm, text_as<itimerspec>()); }},
    {"timerfd_settime", [] { g_result = timerfd_settime(g_timer, 0, text_as<itimerspec>(), nullptr); }},
    {"timerfd_gettime", [] { g_result = timerfd_gettime(g_timer, text_as<itimerspec>()); }},
    {"getname", [] { g_result = pthread_getname_np(pthread_self(), g_text, 16); }},
    {"setname", [] { g_result = pthread_setname_np(pthread_self(), g_text); }},
    {"sem_getvalue", [] { g_result = sem_getvalue(&g_semaphore, text_as<int>()); }},
    {"getrandom", [] { g_result = getrandom(g_text, 8, 0); }},
    {"getentropy", [] { g_result = getentropy(g_text, 8); }},
    {"fread", [] { g_result = static_cast<long>(std::fread(g_text, 1, 2, g_stream)); }},
    {"fgets", [] { g_result = std::fgets(g_text, 3, g_stream) != nullptr; }},
    {"snprintf", [] { g_result = std::snprintf(g_text, 4, "%d", 12345); }},
    {"sprintf", [] { g_result = std::sprintf(g_text, "%d", 12); }},
    {"gmtime_r", [] { g_result = gmtime_r(&g_date, text_as<tm>()) != nullptr; }},
    {"localtime_r", [] { g_result = localtime_r(&g_date, text_as<tm>()) != nullptr; }},
    {"mktime", [] { g_result = mktime(text_as<tm>()); }},
    {"timegm", [] { g_result = timegm(text_as<tm>()); }},
    {"strtol", [] { g_result = std::strtol(g_other, text_as<char*>(), 16); }},
    {"strtoull", [] { g_result = static_cast<long>(std::strtoull(g_other, text_as<char*>(), 16)); }},
    {"strtod", [] { g_result = static_cast<long>(std::strtod(g_other, text_as<char*>())); }},
    {"strtok_r", [] { g_result = strtok_r(g_other, " ", text_as<char*>()) != nullptr; }},
    {"strtol_text", [] { g_result = std::strtol(g_text, nullptr, 12); }}, // c is no digit
    {"strtod_text", [] { g_result = static_cast<long>(std::strtod(g_text, nullptr)); }},
    {"atoi", [] { g_result = std::atoi(g_text); }},
    {"strtok_r_text",
     [] {
       char* position = nullptr;
       g_result = strtok_r(g_text, "b", &position) != nullptr;
     }},
    {"strtok_r_last",
     [] {
       char* position = nullptr;
       g_result = strtok_r(g_text, " ", &position) != nullptr;
     }},
    {"strsep_text",
     [] {
       char* position = g_text;
       g_result = strsep(&position, "b") != nullptr;
     }},
    {"strsep_last",
     [] {
       char* position = g_text;
       g_result = strsep(&position, " ") != nullptr;
     }},
    {"strspn", [] { g_result = static_cast<long>(std::strspn(g_text, "ab")); }},
    {"strcspn", [] { g_result = static_cast<long>(std::strcspn(g_text, "c")); }},
    {"strpbrk", [] { g_result = std::strpbrk(g_text, "b") != nullptr; }},
    {"strpbrk_in_vain", [] { g_result = std::strpbrk(g_text, "x") != nullptr; }},
    {"strcasecmp", [] { g_result = strcasecmp(g_text, "ABD"); }},
    {"strncasecmp", [] { g_result = strncasecmp(g_text, "ABD", 2); }},
    {"strcasestr", [] { g_result = strcasestr(g_text, "BC") != nullptr; }},
    {"stpncpy", [] { g_result = stpncpy(g_text, g_other, 6) != nullptr; }},
    {"strcoll", [] { g_result = strcoll(g_text, g_other); }},
    {"sscanf", [] { g_result = std::sscanf(g_text, "%1s", g_place); }},
    {"sscanf_number", [] { g_result = std::sscanf("7 8", "%*d %ld", text_as<long>()); }},
    {"sscanf_word", [] { g_result = std::sscanf("7 xy z", "%hhd%2s", g_place, g_text); }},
    {"sscanf_set", [] { g_result = std::sscanf("xy]z", "%[^]z]%n", g_text, text_as<int>() + 2); }},
    {"sscanf_decimal", [] { g_result = std::sscanf("1.5 2", "%lf%c", text_as<double>(), g_text + 8); }},
    {"sscanf_short", [] { g_result = std::sscanf("7 x", "%hd %d", text_as<short>(), text_as<int>() + 1); }},
    {"snprintf_text", [] { g_result = std::snprintf(g_place, 16, "%5.1f%% %hhd %.2s", 1.5, 1, g_text); }},
    {"snprintf_precision", [] { g_result = std::snprintf(g_place, 16, "%-*.*s%Lf", 9, 2, g_text, 1.5L); }},
    {"snprintf_behind",
     [] {
       g_result = std::snprintf(g_place, 16, "%zu %Lf %p %c %s", sizeof(int), 1.5L, nullptr, 'x', g_text);
     }},
    {"sprintf_text", [] { g_result = std::sprintf(g_place, "%s", g_text); }},
    {"asprintf_text",
     [] {
       char* made = nullptr;
       g_result = asprintf(&made, "%d %s", 1, g_text);
       std::free(made);
     }},
    {"printf_text", [] { g_result = std::printf("%f %s\n", 1.5, g_text); }},
    {"fprintf_text", [] { g_result = std::fprintf(stdout, "%d %s\n", 1, g_text); }},
    {"inet_pton_text", [] { g_result = inet_pton(AF_INET, g_text, g_place); }},
    {"mbstowcs_text", [] { g_result = static_cast<long>(mbstowcs(g_wide, g_text, 16)); }},
    {"rand_r", [] { g_result = rand_r(text_as<unsigned>()); }},
    {"drand48_r", [] { g_result = drand48_r(&g_numbers, text_as<double>()); }},
    {"random_r", [] { g_result = random_r(&g_random, text_as<int>()); }},
    {"sincos", [] { sincos(1.5, text_as<double>(), &g_unused); }},
    {"sincos_second", [] { sincos(1.5, &g_unused, text_as<double>()); }},
    {"remquo", [] { g_result = remquo(7.5, 2.5, text_as<int>()) == 0; }},
    {"lgamma_r", [] { g_result = lgamma_r(2.5, text_as<int>()) > 0; }},
    {"strsep",
     [] {
       *text_as<char*>() = g_other;
       g_result = strsep(text_as<char*>(), "b") == g_other;
     }},
    {"strftime", [] { g_result = static_cast<long>(strftime(g_text, 16, "%Y", &g_day)); }},
    {"asctime_r", [] { g_result = asctime_r(text_as<tm>(), g_long) != nullptr; }},
    {"asctime_r_text", [] { g_result = asctime_r(&g_day, g_text) != nullptr; }},
    {"ctime_r", [] { g_result = ctime_r(&g_date, g_text) != nullptr; }},
    {"inet_ntop", [] { g_result = inet_ntop(AF_INET, &g_host, g_text, 16) != nullptr; }},
    {"inet_pton", [] { g_result = inet_pton(AF_INET, "1.2.3.4", g_text); }},
    {"mbstowcs", [] { g_result = static_cast<long>(mbstowcs(text_as<wchar_t>(), "ab", 4)); }},
    {"wmemset", [] { g_result = wmemset(text_as<wchar_t>(), L'a', 3) != nullptr; }},
    {"wmemcpy", [] { g_result = wmemcpy(g_wide, text_as<wchar_t>(), 3) != nullptr; }},
    {"fstat", [] { g_result = fstat(g_program, text_as<struct stat>()); }},
    {"sigfillset", [] { g_result = sigfillset(text_as<sigset_t>()); }},
    {"sigaddset", [] { g_result = sigaddset(text_as<sigset_t>(), SIGUSR2); }},
    {"snprintf_numbered", [] { g_result = std::snprintf(g_place, 16, g_numbered, g_text, 2, 1.5, 9); }},
    {"wcs_snprintf", [] { g_result = std::snprintf(g_place, 16, "%d %ls", 1, text_as<wchar_t>()); }},
    {"wcs_snprintf_precision", [] { g_result = std::snprintf(g_place, 16, "%.2ls", text_as<wchar_t>()); }},
    {"swprintf", [] { g_result = std::swprintf(text_as<wchar_t>(), 8, L"%d", 12); }},
    {"swprintf_text", [] { g_result = std::swprintf(g_wide, 16, L"%f %s", 1.5, g_text); }},
    {"wcs_swprintf", [] { g_result = std::swprintf(g_wide, 16, L"%ls", text_as<wchar_t>()); }},
    {"wcs_fwprintf", [] { g_result = std::fwprintf(g_sink, L"%ls", text_as<wchar_t>()); }},
    {"dprintf_text", [] { g_result = dprintf(g_nowhere, "%s", g_text); }},
    {"sscanf_numbered", [] { g_result = std::sscanf("7 8", g_scanned, text_as<long>(), &g_number); }},
    {"sscanf_wide", [] { g_result = std::sscanf("xyz", "%2ls", text_as<wchar_t>()); }},
    {"swscanf", [] { g_result = std::swscanf(L"7 8", L"%*d %ld", text_as<long>()); }},
    {"swscanf_word", [] { g_result = std::swscanf(L"xyz", L"%2s", g_text); }},
    {"wcs_swscanf", [] { g_result = std::swscanf(text_as<wchar_t>(), L"%d", &g_number); }},
    {"fscanf", [] { g_result = std::fscanf(g_stream, "%2s", g_text); }},
    {"strchrnul", [] { g_result = strchrnul(g_text, 'b') != nullptr; }},
    {"wcslen", [] { g_result = static_cast<long>(wcslen(text_as<wchar_t>())); }},
    {"wcsnlen", [] { g_result = static_cast<long>(wcsnlen(text_as<wchar_t>(), 2)); }},
    {"wcscmp", [] { g_result = wcscmp(text_as<wchar_t>(), g_wide_other); }},
    {"wcsncmp", [] { g_result = wcsncmp(text_as<wchar_t>(), g_wide_other, 2); }},
    {"wcscasecmp", [] { g_result = wcscasecmp(text_as<wchar_t>(), L"ABD"); }},
    {"wcsncasecmp", [] { g_result = wcsncasecmp(text_as<wchar_t>(), L"ABD", 2); }},
    {"wcscoll", [] { g_result = wcscoll(text_as<wchar_t>(), g_wide_other); }},
    {"wcschr", [] { g_result = wcschr(text_as<wchar_t>(), L'b') != nullptr; }},
    {"wcsrchr", [] { g_result = wcsrchr(text_as<wchar_t>(), L'b') != nullptr; }},
    {"wcschrnul", [] { g_result = wcschrnul(text_as<wchar_t>(), L'b') != nullptr; }},
    {"wcsstr", [] { g_result = wcsstr(text_as<wchar_t>(), L"bc") != nullptr; }},
    {"wcsspn", [] { g_result = static_cast<long>(wcsspn(text_as<wchar_t>(), L"ab")); }},
    {"wcscspn", [] { g_result = static_cast<long>(wcscspn(text_as<wchar_t>(), L"c")); }},
    {"wcspbrk", [] { g_result = wcspbrk(text_as<wchar_t>(), L"b") != nullptr; }},
    {"wcscpy", [] { wcscpy(g_wide, text_as<wchar_t>()); }},
    {"wcscpy_to", [] { wcscpy(text_as<wchar_t>(), g_wide_other); }},
    {"wcpcpy", [] { wcpcpy(text_as<wchar_t>(), g_wide_other); }},
    {"wcsncpy", [] { wcsncpy(text_as<wchar_t>(), g_wide_other, 6); }},
    {"wcpncpy", [] { wcpncpy(text_as<wchar_t>(), g_wide_other, 6); }},
    {"wcscat", [] { wcscat(text_as<wchar_t>(), g_wide_other); }},
    {"wcsncat", [] { wcsncat(text_as<wchar_t>(), g_wide_other, 1); }},
    {"wcsdup", [] { give_back(reinterpret_cast<char*>(wcsdup(text_as<wchar_t>()))); }},
    {"wcstol", [] { g_result = wcstol(g_wide_other, text_as<wchar_t*>(), 16); }},
    {"wcstol_text", [] { g_result = wcstol(text_as<wchar_t>(), nullptr, 12); }},
    {"wcstod_text", [] { g_result = static_cast<long>(wcstod(text_as<wchar_t>(), nullptr)); }},
    {"wcstok", [] { g_result = wcstok(g_wide_other, L" ", text_as<wchar_t*>()) != nullptr; }},
    {"wcstok_text",
     [] {
       wchar_t* position = nullptr;
       g_result = wcstok(text_as<wchar_t>(), L"b", &position) != nullptr;
     }},
    {"wcstok_last",
     [] {
       wchar_t* position = nullptr;
       g_result = wcstok(text_as<wchar_t>(), L" ", &position) != nullptr;
     }},
    {"wcsrtombs",
     [] {
       const wchar_t* from = g_wide_other;
       g_result = static_cast<long>(wcsrtombs(g_text, &from, 8, &g_letters));
     }},
    {"wcsrtombs_text",
     [] {
       const auto* from = text_as<const wchar_t>();
       g_result = static_cast<long>(wcsrtombs(g_long, &from, 8, &g_letters));
     }},
    {"wcstombs_text", [] { g_result = static_cast<long>(wcstombs(g_long, text_as<wchar_t>(), 8)); }},
    {"wmemcmp", [] { g_result = wmemcmp(text_as<wchar_t>(), g_wide_other, 4); }},
    {"wmemchr", [] { g_result = wmemchr(text_as<wchar_t>(), L'b', 4) != nullptr; }},
    {"wmempcpy", [] { g_result = wmempcpy(text_as<wchar_t>(), g_wide, 3) != nullptr; }},
    {"wcs_output", [] { g_result = fputws(text_as<wchar_t>(), g_sink); }},
    {"memrchr", [] { g_result = memrchr(g_text, 'b', 8) != nullptr; }},
    {"rawmemchr", [] { g_result = rawmemchr(g_text, 'b') != nullptr; }},
    {"memmem", [] { g_result = memmem(g_text, 8, "bc", 2) != nullptr; }},
    {"memccpy", [] { g_result = memccpy(g_place, g_text, 'b', 8) != nullptr; }},
    {"memccpy_to", [] { g_result = memccpy(g_text, g_other, 'b', 8) != nullptr; }},
    {"swab", [] { swab(g_other, g_text, 2); }},
    {"stat", [] { g_result = stat("/proc", text_as<struct stat>()); }},
    {"lstat", [] { g_result = lstat("/proc", text_as<struct stat>()); }},
    {"fstatat", [] { g_result = fstatat(AT_FDCWD, "/proc", text_as<struct stat>(), 0); }},
    {"statx", [] { g_result = statx(AT_FDCWD, "/proc", 0, STATX_SIZE, text_as<struct statx>()); }},
    {"stat_name", [] { g_result = stat(g_text, &g_status); }},
    {"statvfs", [] { g_result = statvfs("/proc", text_as<struct statvfs>()); }},
    {"readlink", [] { g_result = readlink("/proc/mounts", g_text, 64); }}, // self/mounts
    {"realpath", [] { g_result = realpath("/proc/..", g_text) != nullptr; }},
    {"getcwd", [] { g_result = getcwd(g_text, 64) != nullptr; }},
    {"rmdir_name", [] { g_result = rmdir(g_text); }},
    {"rename_name", [] { g_result = std::rename("/nowhere/a", g_text); }},
    {"access_name", [] { g_result = access(g_text, R_OK); }},
    {"opendir_name", [] { g_result = opendir(g_text) != nullptr; }},
    {"open_name", [] { g_result = open(g_text, O_RDONLY); }},
    {"fopen_name", [] { g_result = std::fopen(g_text, "r") != nullptr; }},
    {"mkstemp", [] { g_result = mkstemp(g_text); }},
    {"getenv_name", [] { g_result = std::getenv(g_text) != nullptr; }},
    {"setenv_value", [] { g_result = setenv("REEX_TEXT", g_text, 1); }},
    {"uname", [] { g_result = uname(text_as<utsname>()); }},
    {"gethostname", [] { g_result = gethostname(g_text, 128); }},
    {"getaddrinfo", [] { g_result = getaddrinfo("127.0.0.1", nullptr, &g_numeric, text_as<addrinfo*>()); }},
    {"getaddrinfo_name", [] { g_result = getaddrinfo(g_text, nullptr, &g_numeric, &g_found); }},
    {"getpwuid_r", [] { g_result = getpwuid_r(0, &g_user, g_long, 64, text_as<passwd*>()); }},
    {"strptime", [] { g_result = strptime("2000", "%Y", text_as<tm>()) != nullptr; }},
    {"strptim_text", [] { g_result = strptime(g_text, "a", &g_day) != nullptr; }},
    {"strftime_tm", [] { g_result = static_cast<long>(strftime(g_place, 16, "%Y", text_as<tm>())); }},
    {"localtime", [] { g_result = localtime(text_as<time_t>()) != nullptr; }},
    {"tsearch", [] { g_result = tsearch(&g_user, text_as<void*>(), order_of_addresses) != nullptr; }},
    {"tfind", [] { g_result = tfind(&g_user, text_as<void*>(), order_of_addresses) != nullptr; }},
    {"hcreate_r", [] { g_result = hcreate_r(8, text_as<hsearch_data>()); }},
    {"regcomp", [] { g_result = regcomp(text_as<regex_t>(), "a", 0); }},
    {"regexec_text", [] { g_result = regexec(&g_pattern, g_text, 0, nullptr, 0); }},
    {"regexec_match", [] { g_result = regexec(&g_pattern, "xb", 1, text_as<regmatch_t>(), 0); }},
    {"iconv_text",
     [] {
       char* from = g_text;
       char* to = g_long;
       std::size_t left = 3, room = 64;
       g_result = static_cast<long>(iconv(g_conversion, &from, &left, &to, &room));
     }},
    {"iconv",
     [] {
       char* from = g_other;
       char* to = g_text;
       std::size_t left = 3, room = 64;
       g_result = static_cast<long>(iconv(g_conversion, &from, &left, &to, &room));
     }},
    {"mbrtowc", [] { g_result = static_cast<long>(mbrtowc(text_as<wchar_t>(), "a", 1, &g_letters)); }},
    {"wcrtomb", [] { g_result = static_cast<long>(wcrtomb(g_text, L'a', &g_letters)); }},
    {"mbsrtowcs",
     [] {
       const char* from = "ab";
       g_result = static_cast<long>(mbsrtowcs(text_as<wchar_t>(), &from, 4, &g_letters));
     }},
    {"mbsrtowcs_text",
     [] {
       const char* from = g_text;
       g_result = static_cast<long>(mbsrtowcs(g_wide, &from, 4, &g_letters));
     }},
    {"strtok_text", [] { g_result = std::strtok(g_text, "b") != nullptr; }},
    {"strtok_last", [] { g_result = std::strtok(g_text, " ") != nullptr; }},
    {"erand48", [] { g_result = erand48(text_as<unsigned short>()) > 1; }},
    {"to_chars", [] { g_result = std::to_chars(g_text, g_text + 8, 1.5).ptr != g_text; }},
    {"from_chars_text", [] { g_result = std::from_chars(g_text, g_text + 8, g_unused).ptr != g_text; }},
    {"from_chars",
     [] { g_result = std::from_chars(g_digits, g_digits + 3, *text_as<double>()).ptr != g_text; }},
    {"modf", [] { g_result = static_cast<long>(std::modf(1.5, text_as<double>())); }},
    {"frexp", [] { g_result = static_cast<long>(std::frexp(1.5, text_as<int>())); }},
    {"asprintf", [] { g_result = asprintf(text_as<char*>(), "%d", 12); }},
    {"posix_memalign", [] { g_result = posix_memalign(text_as<void*>(), 64, 64); }},
    {"pthread_key_create", [] { g_result = pthread_key_create(text_as<pthread_key_t>(), nullptr); }},
    {"pthread_create",
     [] {
       auto* const thread = text_as<pthread_t>();
       g_result = pthread_create(
           thread, &g_detached, [](void*) -> void* { return nullptr; }, nullptr);
     }},
    {"qsort", [] { std::qsort(g_text, 4, 2, order_of_pairs); }},
    {"getline", [] { g_result = getline(text_as<char*>(), text_as<std::size_t>() + 1, g_stream); }},
};

// What the calls need beside two pipes and two sockets.
bool prepare(const char* call) {
  const auto is = [call](const char* name) { return std::strcmp(call, name) == 0; };
  if (is("getline") || std::strstr(call, "time") != nullptr || std::strstr(call, "sleep") != nullptr ||
      std::strncmp(call, "sig", 3) == 0 || is("select") || is("tsearch") || is("tfind") || is("hcreate_r"))
    g_text[0] = g_text[1] = g_text[2] = 0;
  if (std::strncmp(call, "wcs", 3) == 0 || std::strncmp(call, "wmem", 4) == 0)
    std::memcpy(g_text, L"abc", sizeof L"abc");
  if (is("mkstemp")) std::strcpy(g_text, "/nowhere/XXXXXX");
  if (is("getcwd") && chdir("/") != 0) return false;
  if (std::strncmp(call, "iconv", 5) == 0) g_conversion = iconv_open("UTF-16LE", "ASCII");
  if (std::strncmp(call, "regexec", 7) == 0 && regcomp(&g_pattern, "b", 0) != 0) return false;
  g_numeric.ai_flags = AI_NUMERICHOST;
  pthread_attr_init(&g_detached);
  pthread_attr_setdetachstate(&g_detached, PTHREAD_CREATE_DETACHED);
  initstate_r(1, g_random_state, sizeof g_random_state, &g_random);
  g_day.tm_year = 100;
  g_day.tm_mday = 1;
  g_event = eventfd(1, 0);
  g_epoll = epoll_create1(0);
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  if (epoll_ctl(g_epoll, EPOLL_CTL_ADD, g_event, &wanted) != 0) return false;
  g_timer = timerfd_create(CLOCK_MONOTONIC, 0);
  g_program = open("/proc/self/exe", O_RDONLY);
  g_stream = std::fopen("/proc/self/maps", "r");
  g_nowhere = open("/dev/null", O_WRONLY);
  g_sink = std::fopen("/dev/null", "w");
  pthread_setname_np(pthread_self(), "ab");
  sem_init(&g_semaphore, 0, 1);
  sigevent silent{};
  silent.sigev_notify = SIGEV_NONE;
  if (timer_create(CLOCK_MONOTONIC, &silent, &g_alarm) != 0) return false;
  if (is("sigwait") || is("sigtimedwait")) {
    pthread_sigmask(SIG_BLOCK, &g_waited, nullptr);
    kill(getpid(), SIGUSR1);
  }
  if (!is("accept")) return true;
  g_listens = socket(AF_UNIX, SOCK_STREAM, 0);
  g_address.sun_family = AF_UNIX; // the kernel finds a name
  return bind(g_listens, g_named, sizeof(sa_family_t)) == 0 && listen(g_listens, 1) == 0 &&
         getsockname(g_listens, g_named, &g_length) == 0;
}

} // namespace

int main(int count, char** arguments) {
  if (count < 3) return 99;
  if (pipe(g_full) != 0 || write(g_full[1], "xy", 2) != 2) return 99;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, g_ends) != 0 || send(g_ends[0], "xy", 2, 0) != 2) return 99;
  if (!prepare(arguments[1])) return 99;
  for (const Call& call : k_calls) {
    if (std::strcmp(call.name, arguments[1]) != 0) continue;
    volatile char* const place = g_text + std::atoi(arguments[2]);
    std::thread one(call.make);
    if (count > 3) one.join();
    std::thread two([place] { *place = *place; });
    if (count <= 3) one.join();
    two.join();
    return 0;
  }
  return 99;
}
