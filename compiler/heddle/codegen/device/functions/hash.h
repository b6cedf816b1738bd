// Hash tables with open addressing for CUDA and OpenCL, in which threads collect the keys of a row together. TARGET: a
// key that other threads may change, of type ELEMENT; EMPTY: what stands for none; WORD: the unsigned integer of its
// size, which EXCHANGE compares and exchanges.

// @begin insert
// The place of key, from 0, in keys[lower : lower + room), which it takes where the table does not have it yet: room
// is below 2^32, and one place at least is empty (linear probing; Nagasaka, Nukada and Matsuoka 2017).
static inline int64_t INSERT(TARGET* keys, int64_t lower, int64_t room, int64_t key) {
  uint32_t hash = (uint32_t)(key ^ key >> 32) * 2654435761u;
  uint32_t place = (uint32_t)((uint64_t)hash * (uint64_t)room >> 32);
  while (true) {
    TARGET* cell = keys + (lower + place);
    ELEMENT seen = *cell;
    if (seen == EMPTY) seen = (ELEMENT)EXCHANGE((WORD_TARGET*)cell, (WORD)EMPTY, (WORD)key);
    if (seen == EMPTY || seen == (ELEMENT)key) return place;
    place = place + 1 < (uint64_t)room ? place + 1 : 0;
  }
}
// @end
