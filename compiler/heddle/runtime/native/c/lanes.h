#pragma once

#include <stdint.h>

/* Vectors of double that one register of the machine holds. */
#if defined(__AVX512F__)
enum { LANE_COUNT = 8 };
#elif defined(__AVX__)
enum { LANE_COUNT = 4 };
#else
enum { LANE_COUNT = 2 };
#endif

typedef double Lanes __attribute__((vector_size(LANE_COUNT * 8)));
typedef double LanesAnywhere __attribute__((vector_size(LANE_COUNT * 8), aligned(8)));

/* Values that are operands of several sums stay in a register; otherwise compilers read them for each sum anew. */
#if defined(__AVX512F__)
#define IN_REGISTER(value) __asm__("" : "+v"(value))
#elif defined(__SSE2__)
#define IN_REGISTER(value) __asm__("" : "+x"(value))
#else
#define IN_REGISTER(value) (void)(value)
#endif
