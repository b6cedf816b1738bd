// What a kernel knows of the vector registers of the machine that compiles it.

// @begin VECTOR_BYTES
// The bytes of a vector register.
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
// @end

// @begin REGISTERS_HOLD
// Whether half of the vector registers hold so many bytes.
#if defined(__AVX512F__) || defined(__aarch64__)
#define VECTOR_REGISTERS 32
#else
#define VECTOR_REGISTERS 16
#endif
#define REGISTERS_HOLD(bytes) (VECTOR_REGISTERS * VECTOR_BYTES >= 2 * (bytes))
// @end

// @begin VECTOR_MASKS
// Whether instructions mask vectors.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
#define VECTOR_MASKS 1
#else
#define VECTOR_MASKS 0
#endif
// @end

// @begin ONE_BY_ONE
// In front of a loop that takes longer in vectors. Only gcc makes vectors of a sum whose order stays.
#if defined(__GNUC__) && !defined(__clang__)
#define ONE_BY_ONE _Pragma("omp simd simdlen(1)")
#else
#define ONE_BY_ONE
#endif
// @end
