/// Counts what one thread takes from the heap: the test program's own malloc stands before the
/// C library's, for all of the program's libraries.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Begins to count on the calling thread.
void allocation_count_begin(void);
/// Ends it: how many times the thread took or gave back memory.
int64_t allocation_count_end(void);
/// Whether counting works in this build: a sanitizer brings a heap of its own.
bool allocation_count_works(void);
