// How the threads of a warp or block combine their values. COMBINE: the operator on two values; SHUFFLED: a value as
// shuffles take it.

// @begin warp
// Combines the values of the 32 lanes of a warp by a butterfly of shuffles; every lane gets the result.
static inline TYPE WARP(TYPE value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    TYPE other = (TYPE)__shfl_xor_sync(0xffffffffu, SHUFFLED(value), offset);
    value = COMBINE(value, other);
  }
  return value;
}
// @end

// @begin block
// Combines within each warp, then over the warps through shared memory; every thread of the block gets the result.
static inline TYPE BLOCK(TYPE value, TYPE* of_warps) {
  value = WARP(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warps[0];
  for (int warp = 1; warp < (blockDim.x + 31) / 32; warp++) {
    TYPE other = of_warps[warp];
    value = COMBINE(value, other);
  }
  __syncthreads();
  return value;
}
// @end

// @begin runs
// Combines within runs of neighbouring lanes; the first lane of each run gets the result.
// Bit k of heads: lane k is a first one.
static inline TYPE RUNS(TYPE value, unsigned int heads) {
  int lane = threadIdx.x % 32;
  unsigned int behind = lane == 31 ? 0 : heads >> (lane + 1);
  int length = behind ? __ffs(behind) : 32 - lane;  // lanes from here to the end of the run
  for (int offset = 1; offset < 32; offset *= 2) {
    TYPE other = (TYPE)__shfl_down_sync(0xffffffffu, SHUFFLED(value), offset);
    if (offset < length) value = COMBINE(value, other);
  }
  return value;
}
// @end

// @begin heads
// Bit k: lane k has another key than the lane before it.
static inline unsigned int HEADS(TYPE key) {
  TYPE before = __shfl_up_sync(0xffffffffu, key, 1);
  return __ballot_sync(0xffffffffu, threadIdx.x % 32 == 0 || before != key);
}
// @end
