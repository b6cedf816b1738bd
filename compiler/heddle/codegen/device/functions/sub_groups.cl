// How the work-items of a sub-group of 32 combine their values. COMBINE: the operator on two values; SHUFFLED: a value as
// shuffles take it.

// @begin warp
// Combines the values of the 32 work-items of a sub-group by a butterfly of shuffles; every one gets the result.
static inline TYPE WARP(TYPE value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    TYPE other = (TYPE)sub_group_shuffle_xor(SHUFFLED(value), offset);
    value = COMBINE(value, other);
  }
  return value;
}
// @end

// @begin runs
// Combines within runs of neighbouring lanes; the first lane of each run gets the result.
// Bit k of heads: lane k is a first one.
static inline TYPE RUNS(TYPE value, uint heads) {
  int lane = get_sub_group_local_id();
  uint behind = lane == 31 ? 0 : heads >> (lane + 1);
  int length = behind ? 32 - clz(behind & -behind) : 32 - lane;  // lanes from here to the end of the run
  for (int offset = 1; offset < 32; offset *= 2) {
    TYPE other = (TYPE)sub_group_shuffle(SHUFFLED(value), (lane + offset) % 32);
    if (offset < length) value = COMBINE(value, other);
  }
  return value;
}
// @end

// @begin heads
// Bit k: lane k has another key than the lane before it.
static inline uint HEADS(TYPE key) {
  int lane = get_sub_group_local_id();
  TYPE before = sub_group_shuffle(key, lane == 0 ? 0 : lane - 1);
  uint heads = lane == 0 || before != key ? 1u << lane : 0;
  for (int offset = 16; offset > 0; offset /= 2) heads |= sub_group_shuffle_xor(heads, offset);
  return heads;
}
// @end
