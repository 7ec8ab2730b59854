/// The inline C functions of the caches, except for those by which a thread waits, or tells which one it is: the explorer
/// defines these.
#define evl_pause evl_machine_pause
#define evl_sleep_while evl_machine_sleep_while
#define evl_thread_number evl_machine_thread_number
#define evl_wake evl_machine_wake
#include "../../../../Sources/CInline/allocations.h"
#include "../../../../Sources/CInline/child.h"
#include "../../../../Sources/CInline/counter.h"
#include "../../../../Sources/CInline/executable.h"
#include "../../../../Sources/CInline/files.h"
#include "../../../../Sources/CInline/inline.h"
#include "../../../../Sources/CInline/memory.h"
#include "../../../../Sources/CInline/process.h"
#include "../../../../Sources/CInline/region.h"
#include "../../../../Sources/CInline/sha256.h"
#include "../../../../Sources/CInline/threads.h"
#undef evl_pause
#undef evl_sleep_while
#undef evl_thread_number
#undef evl_wake

void evl_pause(void);
void evl_sleep_while(const void *word, uint32_t value);
uint32_t evl_thread_number(void);
void evl_wake(const void *word, int count);
