// Objects of many sizes and kinds are passed and returned by value, through memory; functions have inline
// assembly, or are exempted from hooks. Prints a sum of all, which is the same however the program was
// compiled.
#include <cstdio>
#include <cstring>

namespace {

template <class Member, int count>
struct Array {
  Member member[count];
};
template <class First, class Second>
struct Two {
  First first;
  Second second;
};

unsigned long g_sum = 0;

template <class Type>
void add(const Type& value, int bytes) {
  unsigned char byte[sizeof(Type)];
  std::memcpy(byte, &value, sizeof byte);
  for (int i = 0; i < bytes; ++i) g_sum = g_sum * 31 + byte[i];
}

template <class Type>
Type make(unsigned char seed) {
  unsigned char byte[sizeof(Type)];
  for (unsigned char& one : byte) one = seed = static_cast<unsigned char>(seed * 5 + 3) & 0x3f;
  Type value;
  std::memcpy(&value, byte, sizeof value);
  return value;
}

template <class Type>
__attribute__((noinline)) Type returned(unsigned char seed) {
  return make<Type>(seed);
}
template <class Type>
__attribute__((noinline)) void pass(int bytes, Type value, double scale, Type again, long last) {
  add(value, bytes);
  add(again, bytes);
  g_sum += static_cast<unsigned long>(scale) + static_cast<unsigned long>(last);
}

// What is on the x87 stack while the object is loaded.
template <class Type>
__attribute__((noinline)) void weigh(long double scale, Type value, long double again, int bytes) {
  add(value, bytes);
  g_sum += static_cast<unsigned long>(scale) + static_cast<unsigned long>(again * 16);
}

template <class Type>
struct Holder {
  double scale;
  Type one, other;
  long last;
};

template <class Type>
__attribute__((noinline)) void use(Holder<Type>* holder, int bytes) {
  holder->one = returned<Type>(7);
  holder->other = returned<Type>(9);
  pass(bytes, holder->one, holder->scale, holder->other, holder->last);
  weigh(1.5L * holder->last, holder->other, 1 / (2.5L + bytes), bytes);
  Type local[2] = {};
  local[1] = returned<Type>(11);
  pass(bytes, local[1], holder->scale, holder->one, holder->last);
  holder->last += static_cast<long>(g_sum & 0xff);
}

// Inline assembly, in functions with and without a stack of their own: registers, flags, and what lies below
// the stack pointer stay.
__attribute__((noinline)) long exchange(long* word, long expected, long value) {
  long kept[6] = {value, expected, 3, 4, 5, 6};
  asm volatile("" : "+m"(kept));
  bool done = false;
  asm volatile("lock; cmpxchgq %3, %0; sete %1"
               : "+m"(*word), "=q"(done), "+a"(expected)
               : "r"(value)
               : "cc");
  asm volatile("xaddq %0, %1; 1: cmpq $9, %1; adcq %2, %0" : "+r"(value), "+m"(*word) : "r"(expected) : "cc");
  asm volatile("movups %1, %%xmm5\n\tmovups %%xmm5, %0" : "=m"(kept) : "m"(kept) : "xmm5");
  return kept[0] + 7 * kept[1] + kept[5] + (done ? 100 : 0) + value;
}
__attribute__((noinline)) void set(long* word, long value) {
  asm volatile("movq %1, %0" : "=m"(*word) : "r"(value));
}
__attribute__((noinline)) double mixed(long* word, double one, double two) {
  const double sum = one * two;
  asm volatile("lock; addq $2, %0; xchgq %%rcx, %0; xchgq %%rcx, %0" : "+m"(*word) : : "rcx", "cc");
  return sum + one + two;
}
void assembly() {
  long word = 5;
  g_sum += static_cast<unsigned long>(exchange(&word, 5, 8) + exchange(&word, 5, 9));
  set(&word, word + 1);
  g_sum = g_sum * 31 + static_cast<unsigned long>(word) + static_cast<unsigned long>(mixed(&word, 1.5, 2.5)) +
          static_cast<unsigned long>(word);
}

// Functions that are exempted from hooks, and get those of reex's assembler.
#define EXEMPTED __attribute__((noinline, no_sanitize("thread")))

EXEMPTED long mixed_up(const long* number, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + number[i];
  return sum;
}
EXEMPTED double weighed(double* number, int count, double scale) {
  for (int i = 0; i < count; ++i) number[i] = number[i] * 2 + scale;
  return number[count / 2] + number[0];
}
EXEMPTED int thrown(const int* number, int count) {
  if (count == 0) throw number[0];
  return number[count] + thrown(number, count - 1);
}
EXEMPTED void turned(int* number, int count) {
  int* const other = static_cast<int*>(__builtin_alloca(static_cast<unsigned>(count) * sizeof(int)));
  for (int i = 0; i < count; ++i) other[i] = number[count - 1 - i] + i;
  for (int i = 0; i < count; ++i) number[i] = other[i];
}
EXEMPTED void changed(long* number, const short* more, const unsigned char* byte, bool* less) {
  ++number[0];
  number[1] -= more[0];
  number[2] <<= 3;
  number[3] |= byte[1];
  number[4] = number[4] / (byte[0] | 1);
  *less = more[1] < byte[2];
}
EXEMPTED int chosen(int* number, int which) {
  switch (which) {
  case 0:
    return number[0];
  case 1:
    return number[1] * 2;
  case 2:
    return number[2] - 5;
  case 3:
    number[3] = 9;
    return 1;
  case 4:
    return ~number[4];
  case 5:
    return -number[5];
  default:
    return 77;
  }
}
EXEMPTED long with_many(long a, long b, long c, long d, long e, long f, long g, const long* h) {
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + *h * 8;
}
EXEMPTED long atomically(unsigned* word, long* other) {
  const unsigned before = __atomic_fetch_add(word, 3U, __ATOMIC_SEQ_CST);
  const long swapped = __atomic_exchange_n(other, 7L, __ATOMIC_SEQ_CST);
  return static_cast<long>(before) + swapped + (__sync_bool_compare_and_swap(word, before + 3, 11U) ? 1 : 0);
}
using Large = Two<Array<long, 5>, double>;
EXEMPTED Large copied(const Large* large, Two<int, float> more) {
  Large result = *large;
  result.first.member[more.first] += static_cast<long>(more.second);
  return result;
}
EXEMPTED long called(long (*function)(long), long* const* number) {
  return function(**number) + function((*number)[1]);
}

void exempted() {
  long number[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  int small[8] = {2, 7, 1, 8, 2, 8, 1, 8};
  double scaled[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const short more[2] = {-5, 9};
  const unsigned char byte[3] = {6, 65, 10};
  bool less = false;
  unsigned word = 40;
  Large large = {{{1, 2, 3, 4, 5}}, 2.5};
  changed(number, more, byte, &less);
  turned(small, 8);
  const auto note = [](long value) { g_sum = g_sum * 31 + static_cast<unsigned long>(value); };
  for (const long value : number) note(value);
  for (int which = 0; which < 7; ++which) note(chosen(small, which));
  try {
    note(thrown(small, 5));
  } catch (int value) {
    note(value);
  }
  note(mixed_up(number, 8));
  note(static_cast<long>(weighed(scaled, 8, 3)));
  note(with_many(1, 2, 3, 4, 5, 6, 7, number));
  note(atomically(&word, number + 2));
  large = copied(&large, {2, 4});
  note(mixed_up(large.first.member, 5) + static_cast<long>(large.second * 2));
  long* const first = number;
  note(called([](long value) { return value * 2; }, &first));
  note(word + (less ? 1 : 0));
}

template <class Type>
void all(int bytes = sizeof(Type)) {
  Holder<Type> holder = {2.0, {}, {}, 3};
  for (int round = 0; round < 3; ++round) use(&holder, bytes);
}

} // namespace

int main() {
  all<Array<char, 1>>();
  all<Array<char, 3>>();
  all<Array<char, 7>>();
  all<Array<short, 3>>();
  all<Array<int, 3>>();
  all<Array<long, 2>>();
  all<Array<long, 3>>();
  all<Array<long, 4>>();
  all<Array<long, 9>>();
  all<Array<long, 16>>();
  all<Array<float, 1>>();
  all<Array<float, 2>>();
  all<Array<float, 3>>();
  all<Array<double, 2>>();
  all<Array<double, 5>>();
  all<Two<double, long>>();
  all<Two<long, double>>();
  all<Two<float, int>>();
  all<Two<int, float>>();
  all<Two<Two<int, int>, Two<float, float>>>();
  all<Two<char, long>>(1); // the rest is padding
  all<Two<long double, int>>(10);
  assembly();
  exempted();
  std::printf("%lu %f\n", g_sum, Holder<long>{1.5, 2, 3, 4}.scale);
}
