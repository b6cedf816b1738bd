// How the work-items of a group, or 32 neighbours among them, combine their values in local memory. COMBINE: the operator
// on two values, of type TYPE in registers and ELEMENT in memory.

// @begin warp
// Combines the values of 32 neighbouring work-items in local memory; every one gets the result.
static inline __attribute__((always_inline)) TYPE WARP(TYPE value, __local ELEMENT* lanes) {
  int item = get_local_id(0), lane = item % 32;
  lanes[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 16; offset > 0; offset /= 2) {
    TYPE other = lanes[lane < offset ? item + offset : item];
    if (lane < offset) lanes[item] = value = COMBINE(value, other);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  value = lanes[item - lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}
// @end

// @begin block
// Combines the values of all work-items of the group in local memory; every one gets the result.
static inline __attribute__((always_inline)) TYPE BLOCK(TYPE value, __local ELEMENT* items) {
  int item = get_local_id(0), count = get_local_size(0);
  items[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 512; offset > 0; offset /= 2) {
    bool takes = item < offset && item + offset < count;
    TYPE other = items[takes ? item + offset : item];
    if (takes) items[item] = value = COMBINE(value, other);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  value = items[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}
// @end

// @begin runs
// Combines within runs of neighbouring lanes; the first lane of each run gets the result.
// Bit k of heads: lane k is a first one.
static inline __attribute__((always_inline)) TYPE RUNS(TYPE value, uint heads, __local ELEMENT* lanes) {
  int item = get_local_id(0), lane = item % 32;
  uint behind = lane == 31 ? 0 : heads >> (lane + 1);
  int length = behind ? 32 - clz(behind & -behind) : 32 - lane;  // lanes from here to the end of the run
  lanes[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (heads >> lane & 1) {
    for (int offset = 1; offset < length; offset++) {
      TYPE other = lanes[item + offset];
      value = COMBINE(value, other);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}
// @end

// @begin heads
// Bit k: lane k has another key than the lane before it.
static inline __attribute__((always_inline)) uint HEADS(TYPE key, __local TYPE* keys) {
  int item = get_local_id(0), first = item - item % 32;
  keys[item] = key;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint heads = 1;
  for (int lane = 1; lane < 32; lane++) heads |= (uint)(keys[first + lane] != keys[first + lane - 1]) << lane;
  barrier(CLK_LOCAL_MEM_FENCE);
  return heads;
}
// @end
