/// The inline C functions of the caches, except for those with which a thread waits or tells which one it is: the
/// explorer defines these.
#define evl_pause evl_machine_pause
#define evl_thread_number evl_machine_thread_number
#include "../../../../Sources/CInline/inline.h"
#undef evl_pause
#undef evl_thread_number

#include "../../../../Sources/CInline/allocations.h"
#include "../../../../Sources/CInline/counter.h"
#include "../../../../Sources/CInline/executable.h"
#include "../../../../Sources/CInline/files.h"
#include "../../../../Sources/CInline/memory.h"
#include "../../../../Sources/CInline/process.h"
#include "../../../../Sources/CInline/region.h"
#include "../../../../Sources/CInline/sha256.h"
#include "../../../../Sources/CInline/threads.h"

void evl_pause(void);
uint32_t evl_thread_number(void);
