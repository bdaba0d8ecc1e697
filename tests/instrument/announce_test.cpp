// The hooks that the assembler adds to what g++ writes: where they stand, and where none does.
#include "reex/hooks/assembler/announce.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace reex {
namespace {

// A function that has hooks, without a frame pointer; the body's lines are indented.
std::string function(const std::string& body) {
  return "\t.type\tf, @function\nf:\n\t.cfi_startproc\n\tpushq\t%rbx\n\t.cfi_def_cfa_offset 16\n"
         "\tcall\t__tsan_func_entry@PLT\n" +
         body + "\tcall\t__tsan_func_exit@PLT\n\tret\n\t.cfi_endproc\n";
}

std::string hook(const std::string& operand, const std::string& name) {
  return "\tmovq\t%r11, -64(%rsp)\n\tleaq\t" + operand + ", %r11\n\tcall\treex_" + name + "\n";
}

// What becomes of the function, without the routines behind it.
std::string announced(const std::string& body) {
  const std::string all = announce_accesses(function(body));
  return all.substr(0, all.find("\t.section\t.text.reex"));
}

void expect_none(const std::string& body) { EXPECT_EQ(announce_accesses(function(body)), function(body)); }

TEST(Announce, AStoreOfWhatACallReturns) {
  EXPECT_EQ(announced("\tcall\tmake@PLT\n.LVL1:\n\tmovq\t%rax, 8(%rbx)\n\tmovl\t%edx, 16(%rbx)\n"),
            function("\tcall\tmake@PLT\n.LVL1:\n" + hook("8(%rbx)", "write8") + "\tmovq\t%rax, 8(%rbx)\n" +
                     hook("16(%rbx)", "write4") + "\tmovl\t%edx, 16(%rbx)\n"));
  EXPECT_EQ(announced("\tcall\t*(%r12)\n\tmovq\t%xmm0, %rcx\n\tmovq\t%rcx, last(%rip)\n"),
            function("\tcall\t*(%r12)\n\tmovq\t%xmm0, %rcx\n" + hook("last(%rip)", "write8") +
                     "\tmovq\t%rcx, last(%rip)\n"));
}

// An object in memory: the caller says where it shall be, and copies it from there.
TEST(Announce, ACopyOfWhatACallLeavesOnTheStack) {
  const std::string call = "\tleaq\t16(%rsp), %rdi\n\tcall\tmake@PLT\n";
  EXPECT_EQ(announced(call +
                      "\tmovdqa\t16(%rsp), %xmm0\n\tmovq\t32(%rsp), %rax\n\tmovq\t%rax, last+16(%rip)\n"
                      "\tmovaps\t%xmm0, last(%rip)\n"),
            function(call + "\tmovdqa\t16(%rsp), %xmm0\n\tmovq\t32(%rsp), %rax\n" +
                     hook("last+16(%rip)", "write8") + "\tmovq\t%rax, last+16(%rip)\n" +
                     hook("last(%rip)", "write16") + "\tmovaps\t%xmm0, last(%rip)\n"));
  const std::string loop = "\tmovq\t%rbx, %rdi\n\tleaq\t16(%rsp), %rsi\n\tmovl\t$40, %ecx\n";
  EXPECT_EQ(announced(call + loop + "\trep movsq\n"),
            function(call + loop + hook("(%rdi)", "write_range8") + "\trep movsq\n"));
  expect_none(
      call + "\tmovq\t16(%rsp), %r12\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_write8@PLT\n\tmovq\t%r12, (%rbx)\n");
  expect_none(call + "\tmovq\t16(%rsp), %rax\n\tmovq\t%rax, 64(%rsp)\n");
  expect_none(call + "\tmovq\t8(%rsp), %rax\n\tmovq\t%rax, (%rbx)\n");
}

// Or the caller lets it be made where it shall be in the end.
TEST(Announce, AnObjectThatIsReturnedInMemory) {
  const auto large = [](const std::string& body) {
    return "\t.type\tf, @function\nf:\n\tmovq\t%rdi, %rbp\n\tcall\t__tsan_func_entry@PLT\n" + body +
           "\tmovq\t%rbp, %rax\n\tret\n";
  };
  const auto of_large = [&](const std::string& body) {
    const std::string all = announce_accesses(large(body));
    return all.substr(0, all.find("\t.section\t.text.reex"));
  };
  const std::string branch = "\tcmpq\t$3, %rsi\n\tjle\t.L3\n\tmovq\t%rsi, %rdx\n.L2:\n";
  const std::string other = ".L3:\n\tcall\tother\n\tmovq\t%rax, %rdx\n\tjmp\t.L2\n";
  EXPECT_EQ(
      of_large(branch + "\tmovq\t%rdx, (%rbp)\n\tmovups\t%xmm0, 8(%rbp)\n\tjmp\t.L4\n" + other + ".L4:\n"),
      large(branch + hook("(%rbp)", "write8") + "\tmovq\t%rdx, (%rbp)\n" + hook("8(%rbp)", "write16") +
            "\tmovups\t%xmm0, 8(%rbp)\n\tjmp\t.L4\n" + other + ".L4:\n"));
  EXPECT_EQ(of_large("\tmovq\t%rbp, %rdi\n\trep stosq\n"),
            large("\tmovq\t%rbp, %rdi\n" + hook("(%rdi)", "write_range8") + "\trep stosq\n"));
  // A function that returns something else got the address for another reason.
  const std::string set = "\tmovq\t8(%rsp), %rdi\n\tcall\t__tsan_write8@PLT\n\tmovq\t%rsi, 8(%rbp)\n";
  EXPECT_EQ(announce_accesses(large(set + "\tmovq\t%rsi, %rax\n\tret\n")),
            large(set + "\tmovq\t%rsi, %rax\n\tret\n"));
  // A member that is set has a hook. What another register holds is something else.
  for (const std::string body : {
           "\tleaq\t8(%rbp), %rdi\n\tcall\t__tsan_write8@PLT\n\tmovq\t%rsi, 8(%rbp)\n",
           "\tmovq\t%rsi, %rbx\n\tmovq\t%rdx, (%rbx)\n",
           "\tmovq\t%rbp, %rbx\n\tcall\tother\n\tmovq\t8(%rbx), %rbx\n\tmovq\t%r12, (%rbx)\n",
           "\tmovq\t%rbp, %rax\n\tmulq\t%rcx\n\tmovq\t%rdx, (%rax)\n",
           "\tmovq\t%rbp, %rcx\n\tmulx\t%rsi, %rcx, %rax\n\tmovq\t%rdx, (%rcx)\n",
           "\tmovq\t%rbp, 8(%rsp)\n\tmovq\t%rsi, 8(%rsp)\n\tmovq\t8(%rsp), %rbx\n\tmovq\t%rdx, (%rbx)\n",
           "\tcmpq\t%rsi, 8(%rbp)\n\ttestb\t$1, (%rbp)\n\tmovq\t(%rbp), %rbx\n",
       })
    EXPECT_EQ(announce_accesses(large(body)), large(body));
}

// Wherever the compiler keeps the address meanwhile, and however it writes.
TEST(Announce, AnObjectThatIsReturnedFromWhereverItsAddressIs) {
  const auto hooked = [](const std::string& before, const std::string& write, const std::string& operand,
                         const std::string& name) {
    const auto large = [&](const std::string& body) {
      return "\t.type\tf, @function\nf:\n\tmovq\t%rdi, %rbp\n\tmovq\t%rdi, "
             "24(%rsp)\n\tcall\t__tsan_func_entry@PLT\n" +
             before + body + "\tmovq\t24(%rsp), %rax\n\tret\n";
    };
    const std::string all = announce_accesses(large(write));
    EXPECT_EQ(all.substr(0, all.find("\t.section\t.text.reex")), large(hook(operand, name) + write));
  };
  for (const std::string before : {
           "\tnegq\t%rsi\n\tmovq\t%rbp, %rbx\n",
           "\tmovq\t24(%rsp), %rbx\n",
           "\tcall\tother\n\tmovq\t24(%rsp), %rbx\n",
           "\tleaq\t8(%rbp), %rbx\n",
           "\tmovq\t%rsi, %rbx\n\taddq\t%rbp, %rbx\n",
           "\tmovq\t%rsi, %rbx\n\tcmovne\t%rbp, %rbx\n",
           "\ttestq\t%rsi, %rsi\n\tjne\t.L2\n\tmovq\t%rbp, %rbx\n.L2:\n",
           "\tmovq\t%rbp, %rbx\n.L2:\n\taddq\t$8, %rbx\n\tcmpq\t%rbx, %rsi\n\tjne\t.L2\n",
           // Where an exception is caught:
           "\tmovq\t%rbp, %rbx\n\tcall\tother\n\tmovl\t$0, "
           "%ebx\n\tjmp\t.L3\n.L4:\n\tcall\t__cxa_begin_catch\n",
           // A table of jumps:
           "\tmovq\t%rbp, %rbx\n\tnotrack jmp\t*%rax\n.L4:\n",
       })
    hooked(before, "\tmovq\t%rdx, (%rbx)\n", "(%rbx)", "write8");
  hooked("", "\tmovq\t%rsi, 8(%rbp,%rcx,8)\n", "8(%rbp,%rcx,8)", "write8");
  hooked("", "\taddq\t%rsi, (%rbp)\n", "(%rbp)", "write8");
  hooked("", "\tincl\t4(%rbp)\n", "4(%rbp)", "write4");
  hooked("", "\tsarw\t4(%rbp)\n", "4(%rbp)", "write2");
  hooked("", "\torb\t$1, 4(%rbp)\n", "4(%rbp)", "write1");
  hooked("", "\tsete\t4(%rbp)\n", "4(%rbp)", "write1");
  hooked("", "\tfstpt\t16(%rbp)\n", "16(%rbp)", "write8");
  hooked("", "\tpextrw\t$0, %xmm0, (%rbp)\n", "(%rbp)", "write2");
}

// It needs no hook for anything else. What it may keep below its stack pointer stays.
TEST(Announce, AnObjectThatIsReturnedInMemoryByALeaf) {
  const auto leaf = [](const std::string& body) {
    return "\t.type\tf, @function\nf:\n\t.cfi_startproc\n" + body +
           "\tret\n\t.cfi_endproc\n\t.type\tg, @function\ng:\n\tjmp\t__tsan_init@PLT\n";
  };
  const auto with_hook = [](const std::string& operand, const std::string& store) {
    return "\tleaq\t-128(%rsp), %rsp\n\t.cfi_adjust_cfa_offset 128\n" + hook(operand, "write8") +
           "\tleaq\t128(%rsp), %rsp\n\t.cfi_adjust_cfa_offset -128\n" + store;
  };
  const std::string all =
      announce_accesses(leaf("\tmovq\t%rsi, (%rdi)\n\tmovq\t%rdi, %rax\n\tmovq\t%rsi, 8(%rdi)\n"));
  EXPECT_EQ(all.substr(0, all.find("\t.section\t.text.reex")),
            leaf(with_hook("(%rdi)", "\tmovq\t%rsi, (%rdi)\n") + "\tmovq\t%rdi, %rax\n" +
                 with_hook("8(%rdi)", "\tmovq\t%rsi, 8(%rdi)\n")));
  // One that returns something else writes what others have: it is exempted.
  const std::string other = announce_accesses(leaf("\tmovq\t%rsi, (%rdi)\n\tmovq\t%rsi, %rax\n"));
  EXPECT_EQ(other.find("reex_write8"), std::string::npos) << other;
  EXPECT_NE(other.find("reex_exempted_store8"), std::string::npos) << other;
}

TEST(Announce, AStorePastTheCache) {
  for (const auto& [store, name] :
       {std::pair{"\tmovnti\t%eax, 8(%rbx)\n", "write4"}, std::pair{"\tmovnti\t%r9d, 8(%rbx)\n", "write4"},
        std::pair{"\tmovnti\t%r9, 8(%rbx)\n", "write8"}, std::pair{"\tmovntps\t%xmm0, 8(%rbx)\n", "write16"},
        std::pair{"\tvmovntdq\t%ymm0, 8(%rbx)\n", "write32"}})
    EXPECT_EQ(announced(store), function(hook("8(%rbx)", name) + store));
  expect_none("\tmovntdqa\t(%rbx), %xmm0\n");
}

TEST(Announce, NoStoreThatHasAHook) {
  expect_none("\tcall\tmake@PLT\n\tmovq\t%rax, %r12\n\tleaq\t8(%rbx), %rdi\n\tcall\t__tsan_write8@PLT\n"
              "\tmovq\t%r12, 8(%rbx)\n");
}

TEST(Announce, ALoadOfWhatACallIsPassed) {
  EXPECT_EQ(announced("\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n"),
            function(hook("8(%rbx)", "read8") + "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n"));
  EXPECT_EQ(announced("\tmovl\t(%rax,%rcx,4), %edx\n\tmovl\t%edx, %esi\n\tcall\tuse@PLT\n"),
            function(hook("(%rax,%rcx,4)", "read4") +
                     "\tmovl\t(%rax,%rcx,4), %edx\n\tmovl\t%edx, %esi\n\tcall\tuse@PLT\n"));
  EXPECT_EQ(announced("\tmovdqu\t(%rbx), %xmm3\n\tmovups\t%xmm3, (%rsp)\n\tpushq\t16(%rbx)\n\tcall\tuse\n"),
            function(hook("(%rbx)", "read16") + "\tmovdqu\t(%rbx), %xmm3\n\tmovups\t%xmm3, (%rsp)\n" +
                     hook("16(%rbx)", "read8") + "\tpushq\t16(%rbx)\n\tcall\tuse\n"));
}

TEST(Announce, ALoopThatCopiesToTheStack) {
  const std::string loop = "\tmovq\t%rsp, %rdi\n\tmovl\t$50, %ecx\n\tmovq\t%rbx, %rsi\n";
  EXPECT_EQ(announced(loop + "\trep movsq\n\tcall\tuse\n"),
            function(loop + hook("(%rsi)", "range8") + "\trep movsq\n\tcall\tuse\n"));
  expect_none("\tmovq\t%rbp, %rdi\n\tmovl\t$50, %ecx\n\tmovq\t%rbx, %rsi\n\trep movsq\n\tcall\tuse\n");
}

TEST(Announce, NoLoadThatHasAHook) {
  expect_none("\tleaq\t8(%rbx), %rdi\n\tcall\t__tsan_read4@PLT\n\tmovl\t8(%rbx), %edi\n\tcall\tuse@PLT\n");
  expect_none("\tleaq\t8(%rbx), %rbp\n\tmovq\t%rbp, %rdi\n\tcall\t__tsan_read4@PLT\n\tmovl\t8(%rbx), %edi\n"
              "\tcall\tuse@PLT\n");
  expect_none("\tmovq\tcount@GOTPCREL(%rip), %rbx\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4@PLT\n"
              "\tmovl\tcount(%rip), %edi\n\tcall\tuse@PLT\n");
}

TEST(Announce, ALoadOfMoreThanItsHooksName) {
  const std::string first = "\tleaq\t8(%rbx), %rdi\n\tcall\t__tsan_read4@PLT\n";
  const std::string second = "\tleaq\t12(%rbx), %rdi\n\tcall\t__tsan_read4@PLT\n";
  EXPECT_EQ(announced(first + "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n"),
            function(first + hook("8(%rbx)", "read8") + "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n"));
  EXPECT_EQ(announced(second + "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n"),
            function(second + hook("8(%rbx)", "read8") + "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n"));
  expect_none(first + second + "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n");
  expect_none(second + first + "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n");
}

TEST(Announce, CallsWithoutThePlt) {
  const std::string hooked = "\tleaq\t8(%rbx), %rdi\n\tcall\t*__tsan_read4@GOTPCREL(%rip)\n"
                             "\tmovl\t8(%rbx), %edi\n";
  expect_none(hooked + "\tcall\t*use@GOTPCREL(%rip)\n");
  const std::string entry = "\t.type\tf, @function\nf:\n\tcall\t*__tsan_func_entry@GOTPCREL(%rip)\n";
  const std::string all = announce_accesses(entry + "\tcall\t*make@GOTPCREL(%rip)\n\tmovq\t%rax, (%rbx)\n");
  EXPECT_NE(all.find("\n" + hook("(%rbx)", "write8") + "\tmovq"), std::string::npos) << all;
}

TEST(Announce, ALoadThatIsHookedElsewhereOnly) {
  const std::string hooked = "\tleaq\t8(%rbx), %rdi\n\tcall\t__tsan_read4@PLT\n\tmovl\t8(%rbx), %ebp\n";
  EXPECT_EQ(announced(hooked + "\tmovq\t16(%rbx), %rdi\n\tcall\tuse@PLT\n"),
            function(hooked + hook("16(%rbx)", "read8") + "\tmovq\t16(%rbx), %rdi\n\tcall\tuse@PLT\n"));
  EXPECT_EQ(announced(hooked + "\tcall\tother@PLT\n\tmovl\t8(%rbx), %edi\n\tcall\tuse@PLT\n"),
            function(hooked + "\tcall\tother@PLT\n" + hook("8(%rbx)", "read4") +
                     "\tmovl\t8(%rbx), %edi\n\tcall\tuse@PLT\n"));
}

TEST(Announce, NoLoadThatIsNotPassed) {
  expect_none("\tmovq\t8(%rbx), %rdi\n\tmovq\t%rbp, %rdi\n\tcall\tuse@PLT\n");
  expect_none("\tmovq\t.LC0(%rip), %rdi\n\tcall\tuse@PLT\n");
  expect_none("\tmovq\tuse@GOTPCREL(%rip), %rdi\n\tcall\tother@PLT\n");
}

// An object at 32 from the stack pointer, whose address is taken, and a spilled register below.
TEST(Announce, OnTheStackWhatOthersSee) {
  const std::string taken = "\tleaq\t32(%rsp), %rdi\n\tcall\tshare@PLT\n";
  EXPECT_EQ(announced(taken + "\tcall\tmake@PLT\n\tmovq\t%rax, 40(%rsp)\n\tmovq\t40(%rsp), %rdi\n"
                              "\tcall\tuse@PLT\n"),
            function(taken + "\tcall\tmake@PLT\n" + hook("40(%rsp)", "write8") + "\tmovq\t%rax, 40(%rsp)\n" +
                     hook("40(%rsp)", "read8") + "\tmovq\t40(%rsp), %rdi\n\tcall\tuse@PLT\n"));
  expect_none(taken + "\tcall\tmake@PLT\n\tmovq\t%rax, 8(%rsp)\n");
  // What is stored without a hook is seen by nobody else. The hook before is of what was passed.
  const std::string of_passed = "\t.type\tf, @function\nf:\n\tleaq\t8(%rdi), %rdi\n\tcall\t__tsan_read8@PLT\n"
                                "\tmovq\t%r12, 40(%rsp)\n" +
                                taken + "\tmovq\t40(%rsp), %rdi\n\tcall\tuse@PLT\n";
  EXPECT_EQ(announce_accesses(of_passed), of_passed);
  expect_none(taken + "\tmovq\t8(%rsp), %rdi\n\tcall\tuse@PLT\n");
}

// The parts of a large object, as AVX copies them.
TEST(Announce, ACopyInWideRegisters) {
  EXPECT_EQ(announced("\tvmovdqu\t(%rbx), %ymm0\n\tvmovdqu\t%ymm0, (%rsp)\n\tvmovdqu64\t32(%rbx), %zmm1\n"
                      "\tvmovdqu64\t%zmm1, 32(%rsp)\n\tcall\tuse\n"),
            function(hook("(%rbx)", "read32") + "\tvmovdqu\t(%rbx), %ymm0\n\tvmovdqu\t%ymm0, (%rsp)\n" +
                     hook("32(%rbx)", "read64") +
                     "\tvmovdqu64\t32(%rbx), %zmm1\n\tvmovdqu64\t%zmm1, 32(%rsp)\n\tcall\tuse\n"));
  EXPECT_EQ(announced("\tcall\tmake\n\tvmovaps\t%ymm0, (%rbx)\n"),
            function("\tcall\tmake\n" + hook("(%rbx)", "write32") + "\tvmovaps\t%ymm0, (%rbx)\n"));
  expect_none("\tvmovdqu32\t(%rbx), %zmm0{%k1}{z}\n\tvmovdqu64\t%zmm0, (%rsp)\n\tcall\tuse\n");
}

TEST(Announce, ACopyThatPutsPartsTogether) {
  EXPECT_EQ(announced("\tmovq\t(%rbx), %xmm0\n\tmovhps\t8(%rbx), %xmm0\n\tmovups\t%xmm0, (%rsp)\n"
                      "\tcall\tuse\n"),
            function(hook("(%rbx)", "read8") + "\tmovq\t(%rbx), %xmm0\n" + hook("8(%rbx)", "read8") +
                     "\tmovhps\t8(%rbx), %xmm0\n\tmovups\t%xmm0, (%rsp)\n\tcall\tuse\n"));
  EXPECT_EQ(announced("\tvmovdqu\t(%rbx), %xmm0\n\tvinserti128\t$0x1, 16(%rbx), %ymm0, %ymm1\n"
                      "\tvmovdqu\t%ymm1, (%rsp)\n\tcall\tuse\n"),
            function(hook("(%rbx)", "read16") + "\tvmovdqu\t(%rbx), %xmm0\n" + hook("16(%rbx)", "read16") +
                     "\tvinserti128\t$0x1, 16(%rbx), %ymm0, %ymm1\n\tvmovdqu\t%ymm1, (%rsp)\n"
                     "\tcall\tuse\n"));
  EXPECT_EQ(announced("\tcall\tmake\n\tvmovq\t%rax, %xmm1\n\tvpinsrq\t$1, %rdx, %xmm1, %xmm1\n"
                      "\tvmovdqu\t%xmm1, (%rbx)\n\tvextracti128\t$1, %ymm1, 16(%rbx)\n"),
            function("\tcall\tmake\n\tvmovq\t%rax, %xmm1\n\tvpinsrq\t$1, %rdx, %xmm1, %xmm1\n" +
                     hook("(%rbx)", "write16") + "\tvmovdqu\t%xmm1, (%rbx)\n" + hook("16(%rbx)", "write16") +
                     "\tvextracti128\t$1, %ymm1, 16(%rbx)\n"));
}

// What the routine keeps is what the code may have in use.
TEST(Announce, KeepsAllRegistersInUse) {
  const std::string load = "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n";
  const auto keeps_all = [&](const std::string& before) {
    const std::string all = announce_accesses(function(before + load));
    EXPECT_NE(all.find("\tcall\treex_read8\n"), std::string::npos) << all;
    return all.find("\txsave\t") != std::string::npos;
  };
  EXPECT_FALSE(keeps_all(""));
  EXPECT_FALSE(keeps_all("\tvmovdqu\t32(%rbx), %xmm15\n"));
  EXPECT_TRUE(keeps_all("\tvmovdqu\t32(%rbx), %xmm16\n"));
  EXPECT_TRUE(keeps_all("\tvpxor\t%ymm1, %ymm1, %ymm1\n"));
  EXPECT_TRUE(keeps_all("\tkmovw\t%eax, %k1\n"));
  EXPECT_TRUE(keeps_all("\tfldt\t32(%rbx)\n"));
}

TEST(Announce, NothingWithoutHooks) {
  const std::string other = "\t.type\tg, @function\ng:\n\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n\tret\n";
  EXPECT_EQ(announce_accesses(other), other);
  const std::string intel = "\t.intel_syntax noprefix\n" + function("\tmovq\t8(%rbx), %rdi\n\tcall\tuse\n");
  EXPECT_EQ(announce_accesses(intel), intel);
}

// Digests and random numbers: without a bound, what is known of two registers doubles at each addition.
TEST(Announce, LongSums) {
  const auto repeated = [](const std::string& lines) {
    std::string all;
    for (int i = 0; i < 100; ++i) all += lines;
    return all;
  };
  expect_none(repeated("\tleaq\t(%rax,%rdx), %rax\n\tleaq\t(%rdx,%rax), %rdx\n") + "\tcall\tuse@PLT\n");
  const std::string sums = repeated("\taddl\t%eax, %edi\n\taddl\t%edi, %eax\n") + "\tcall\tuse@PLT\n";
  EXPECT_EQ(announced("\tmovl\t8(%rbx), %edi\n\tmovl\t(%rbx), %eax\n" + sums),
            function(hook("8(%rbx)", "read4") + "\tmovl\t8(%rbx), %edi\n" + hook("(%rbx)", "read4") +
                     "\tmovl\t(%rbx), %eax\n" + sums));
}

// At another way to the same place nothing is known of what was before.
TEST(Announce, LabelsOfJumpsForget) {
  EXPECT_EQ(announced("\tleaq\t8(%rbx), %rdi\n\tcall\t__tsan_read8@PLT\n.L2:\n\tmovq\t8(%rbx), %rdi\n"
                      "\tcall\tuse@PLT\n"),
            function("\tleaq\t8(%rbx), %rdi\n\tcall\t__tsan_read8@PLT\n.L2:\n" + hook("8(%rbx)", "read8") +
                     "\tmovq\t8(%rbx), %rdi\n\tcall\tuse@PLT\n"));
}

// Inline assembly. A hook stands before what touches memory, and one behind what may write it atomically.
std::string assembly(const std::string& lines) { return "#APP\n" + lines + "#NO_APP\n"; }
std::string before(const std::string& operand, const std::string& name) {
  return hook(operand, name) + "\tnopl\t0x78656572(%rax)\n";
}
const std::string k_behind = "\tmovq\t%r11, -64(%rsp)\n\tcall\treex_behind\n";

TEST(Announce, AtomicOperationsOfInlineAssembly) {
  const auto expect = [](const std::string& users, const std::string& hooked) {
    EXPECT_EQ(announced(assembly(users)), function(assembly(hooked)));
  };
  expect("# 8 \"f.c\" 1\n\tlock; cmpxchgl %edx,(%rdi); sete %cl\n# 0 \"\" 2\n",
         before("(%rdi)", "compare4") + "\tlock cmpxchgl %edx,(%rdi)\n" + k_behind + "\tsete %cl\n");
  expect("\tlock\n\txadd %rax, 8(%rbx,%rcx,4)\n",
         before("8(%rbx,%rcx,4)", "exchange8") + "\tlock xadd %rax, 8(%rbx,%rcx,4)\n" + k_behind);
  expect("1:\txchg word(%rip), %cl\n\tjne 1b\n",
         "1:\n" + before("word(%rip)", "exchange1") + "\txchg word(%rip), %cl\n" + k_behind + "\tjne 1b\n");
  expect("\tlock cmpxchg16b (%rsi)\n",
         before("(%rsi)", "compare16") + "\tlock cmpxchg16b (%rsi)\n" + k_behind);
  expect("\tmovw (%rdi), %ax\n\tmov %r9d, (%rdi)\n", before("(%rdi)", "load2") + "\tmovw (%rdi), %ax\n" +
                                                         before("(%rdi)", "store4") + "\tmov %r9d, (%rdi)\n" +
                                                         k_behind);
  expect("\tcmpl $0, (%rdi)\n", before("(%rdi)", "load4") + "\tcmpl $0, (%rdi)\n");
}

// A bit may lie in another word than the operand names.
TEST(Announce, BitsThatRegistersName) {
  const auto expect = [](const std::string& users, const std::string& operand, const std::string& move,
                         const std::string& name) {
    const std::string before =
        "\tmovq\t%r11, -64(%rsp)\n\tleaq\t" + operand + ", %r11\n\tmovq\t%r10, -56(%rsp)\n" + move +
        "\tmovq\t-56(%rsp), %r10\n\tcall\treex_" + name + "\n\tnopl\t0x78656572(%rax)\n";
    EXPECT_EQ(announced(assembly(users + "\tjc .L2\n")),
              function(assembly(before + users + k_behind + "\tjc .L2\n")));
  };
  const std::string kept = ", %r10\n\tmovq\t%r10, -48(%rsp)\n\tmovslq\t-47(%rsp), %r10\n";
  expect("\tlock bts %esi, (%rdi)\n", "(%rdi)",
         "\tmovslq\t%esi, %r10\n\tleaq\t(,%r10,8)" + kept + "\tleaq\t(%r11,%r10,4), %r11\n", "exchange4");
  expect("\tlock btrq %r10, word(%rip)\n", "word(%rip)",
         "\tmovq\t%r10, %r10\n\tleaq\t(,%r10,4)" + kept + "\tleaq\t(%r11,%r10,8), %r11\n", "exchange8");
}

TEST(Announce, PlainAccessesOfInlineAssembly) {
  EXPECT_EQ(announced(assembly("\tmovups (%rsi), %xmm3\n")),
            function(assembly(hook("(%rsi)", "read16") + "\tmovups (%rsi), %xmm3\n")));
  // Without a lock, none but one thread may change it.
  EXPECT_EQ(announced(assembly("\tincl (%rdi)\n\taddl (%rdi), %eax\n")),
            function(assembly(hook("(%rdi)", "read4") + before("(%rdi)", "store4") + "\tincl (%rdi)\n" +
                              k_behind + before("(%rdi)", "load4") + "\taddl (%rdi), %eax\n")));
}

// Without hooks, a mark says that there are accesses.
TEST(Announce, InlineAssemblyThatStaysAsItIs) {
  const std::string mark = "\tnopl\t0x6e657375(%rax)\n";
  const auto expect_mark = [&](const std::string& users) {
    EXPECT_EQ(announced(assembly(users)), function(assembly(mark + users)));
  };
  const std::string load = "\tmovl (%rdi), %eax\n";
  for (const char* other : {"\tpushq %rax\n", "\tmovq %rax, %rsp\n", "\tcall f\n", "\tsyscall\n",
                            "\tjrcxz 1f\n", "\t.section .x\n", "\t.if 1\n", "\t.ascii \"; lock\"\n"}) {
    for (const std::string& access :
         {load, std::string("\tlock; incl (%rdi)\n"), std::string("\trep movsb\n")}) {
      expect_mark(other + access);
      expect_mark(access + other);
    }
    expect_none(assembly(other));
    expect_none(assembly(other + std::string("\tlock; addl $0, (%rsp)\n\tstmxcsr (%rdi)\n\tjne 1b\n")));
  }
  for (const char* single : {"\trep movsb\n", "\tbtsl %eax, (%rdi)\n", "\tlock btsw %ax, (%rdi)\n",
                             "\tlock btsl %r11d, (%rdi)\n", "\tsete (%rdi)\n"})
    expect_mark(single);
  for (const char* single :
       {"\trep; nop\n", "\tlock; addl $0, (%rsp)\n", "\txchg %eax, %ecx\n", "\tmovl %fs:8, %eax\n",
        "\tleaq (%rdi), %rax\n", "\tpause\n", "\tprefetcht0 (%rdi)\n"})
    expect_none(assembly(single));
  // One access has a hook, another one does not.
  EXPECT_EQ(announced(assembly(load + "\tsete (%rdi)\n")),
            function(assembly(before("(%rdi)", "load4") + load + mark + "\tsete (%rdi)\n")));
  // Beside functions: a function whose stack is not known.
  const std::string beside = "f:\n" + load + "\tret\n";
  EXPECT_EQ(announce_accesses(function("") + assembly(beside)), function("") + assembly(beside));
}

// Beside functions with hooks, one without any that accesses what others may is exempted.
std::string beside(const std::string& body) {
  return function("") + "\t.type\tg, @function\ng:\n\t.cfi_startproc\n" + body + "\tret\n\t.cfi_endproc\n";
}
std::string announced_beside(const std::string& body) {
  const std::string all = announce_accesses(beside(body));
  return all.substr(0, all.find("\t.section\t.text.reex"));
}
const std::string k_calls = "\tcall\tuse@PLT\n"; // so it keeps nothing below its stack pointer

TEST(Announce, AccessesOfExemptedFunctions) {
  const auto expect = [](const std::string& lines, const std::string& hooked) {
    EXPECT_EQ(announced_beside(k_calls + lines), beside(k_calls + hooked)) << lines;
  };
  const std::string mark = "\tnopl\t0x6e657375(%rax)\n";
  expect("\tmovl\t(%rbx), %eax\n", before("(%rbx)", "exempted_load4") + "\tmovl\t(%rbx), %eax\n");
  expect("\tmovzbl\tflag(%rip), %eax\n",
         before("flag(%rip)", "exempted_load1") + "\tmovzbl\tflag(%rip), %eax\n");
  expect("\tmovq\t%rax, 8(%rbx)\n",
         before("8(%rbx)", "exempted_store8") + "\tmovq\t%rax, 8(%rbx)\n" + k_behind);
  expect("\tcmpl\t$0, (%rbx)\n", before("(%rbx)", "exempted_load4") + "\tcmpl\t$0, (%rbx)\n");
  expect("\tlock xaddl\t%eax, (%rbx)\n",
         before("(%rbx)", "exempted_exchange4") + "\tlock xaddl\t%eax, (%rbx)\n" + k_behind);
  // As a whole, too, if there is a hook for so many bytes.
  expect("\tmovsd\t(%rbx), %xmm0\n", before("(%rbx)", "exempted_load8") + "\tmovsd\t(%rbx), %xmm0\n");
  expect("\tmovups\t%xmm0, (%rbx)\n",
         before("(%rbx)", "exempted_store16") + "\tmovups\t%xmm0, (%rbx)\n" + k_behind);
  expect("\tvmovups\t(%rbx), %ymm0\n", mark + "\tvmovups\t(%rbx), %ymm0\n");
  // Nobody comes between what it reads and what it writes.
  expect("\tincl\t(%rbx)\n", mark + before("(%rbx)", "exempted_store4") + "\tincl\t(%rbx)\n" + k_behind);
  expect("\taddsd\t(%rbx), %xmm0\n", mark + "\taddsd\t(%rbx), %xmm0\n");
  // Of no size that has a hook.
  for (const char* line : {"\tfldt\t(%rbx)\n", "\tfstpt\t(%rbx)\n", "\trep stosq\n", "\trep movsq\n"})
    expect(line, mark + line);
  const std::string to_stack = "\tleaq\t8(%rsp), %rdi\n";
  expect(to_stack + "\trep movsb\n", to_stack + mark + "\trep movsb\n"); // from elsewhere
}

TEST(Announce, NoExemptedFunctionIsOneThatNeedsNoHooks) {
  for (const char* lines :
       {"\tmovl\t8(%rsp), %eax\n", "\tleaq\t8(%rsp), %rbx\n\tmovl\t(%rbx), %eax\n",
        "\tmovsd\t.LC0(%rip), %xmm0\n", "\tmovq\tvalue@GOTPCREL(%rip), %rax\n", "\tmovl\t%fs:8, %eax\n",
        "\tleaq\t(%rdi), %rax\n", "\tcall\t*8(%rax)\n", "\tjmp\t*.L4(,%rax,8)\n",
        "\tleaq\t8(%rsp), %rdi\n\trep stosq\n", "\tfldt\t8(%rsp)\n", "\tfldcw\t(%rdi)\n",
        "\tleaq\t8(%rsp), %rdi\n\tleaq\t88(%rsp), %rsi\n\trep movsq\n"})
    EXPECT_EQ(announced_beside(lines), beside(lines));
  // Behind the frame pointer, and of a function that the compiler makes of its own accord.
  const std::string framed =
      "\tpushq\t%rbp\n\t.cfi_def_cfa_offset 16\n\tmovq\t%rsp, %rbp\n\t.cfi_def_cfa_register 6\n"
      "\tmovl\t-8(%rbp), %eax\n";
  EXPECT_EQ(announced_beside(framed), beside(framed));
  const std::string thunk = function("") + "\t.type\t_ZTv0_n24_N1AD1Ev, @function\n_ZTv0_n24_N1AD1Ev:\n"
                                           "\tmovq\t(%rdi), %r10\n\tret\n";
  EXPECT_EQ(announce_accesses(thunk), thunk);
}

} // namespace
} // namespace reex
