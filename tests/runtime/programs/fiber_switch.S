# void switch_stacks(void** save, void* load): the registers that a call keeps go to the stack, which becomes
# *save, and come from the stack `load`.
        .text
        .globl  switch_stacks
        .type   switch_stacks, @function
switch_stacks:
        push    %rbp
        push    %rbx
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        mov     %rsp, (%rdi)
        mov     %rsi, %rsp
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        pop     %rbp
        ret
        .size   switch_stacks, .-switch_stacks
        .section .note.GNU-stack, "", @progbits
