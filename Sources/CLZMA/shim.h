#include <lzma.h>

/// The flag of concatenated streams: the original is a macro that Swift can't read.
static const uint32_t evl_lzma_concatenated = LZMA_CONCATENATED;
