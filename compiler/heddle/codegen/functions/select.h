// Minimum, maximum and absolute value, for C, CUDA and OpenCL. NAN_WINS: a NaN on either side gives NaN, as in NumPy.

#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC_RTC__)
#include <stdint.h>
#endif

// @begin min
#ifdef NAN_WINS
static inline TYPE MIN(TYPE a, TYPE b) { return a < b || a != a ? a : b; }
#else
static inline TYPE MIN(TYPE a, TYPE b) { return a < b ? a : b; }
#endif
// @end

// @begin max
#ifdef NAN_WINS
static inline TYPE MAX(TYPE a, TYPE b) { return a > b || a != a ? a : b; }
#else
static inline TYPE MAX(TYPE a, TYPE b) { return a > b ? a : b; }
#endif
// @end

#ifdef ABS
// @begin abs
static inline TYPE ABS(TYPE a) { return a < 0 ? (TYPE)-a : a; }
// @end
#endif
