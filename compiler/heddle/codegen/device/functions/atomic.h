// Atomic updates for CUDA and OpenCL. TARGET: what other threads may change, of type ELEMENT; WORD: the unsigned integer
// that a device exchanges, in which the value's bits are; COMBINE: the operator on two values.

#ifdef CALL
// @begin direct
static inline void ATOMIC(TARGET* address, ELEMENT value) { CALL((WORD_TARGET*)address, GIVEN(value)); }
// @end
#endif

#ifdef TO_BITS
// @begin exchange
// Until no other thread has changed the value in between.
static inline void ATOMIC(TARGET* address, ELEMENT value) {
  WORD_TARGET* word = (WORD_TARGET*)address;
  WORD old = *word, seen;
  do {
    seen = old;
    ELEMENT now = FROM_BITS(seen);
    ELEMENT update = COMBINE(now, value);
    old = EXCHANGE(word, seen, TO_BITS(update));
  } while (old != seen);
}
// @end
#endif

#ifdef BITS
// The smallest word that can be exchanged has 32 bits; on a little-endian device byte k starts at bit 8 k.
// @begin exchange_part
// Exchanges the 32-bit word around the value, until no other thread has changed it in between.
static inline void ATOMIC(TARGET* address, ELEMENT value) {
  WORD_TARGET* word = (WORD_TARGET*)((size_t)address & ~(size_t)3);
  WORD shift = ((size_t)address & 3) * 8, mask = (WORD)BITS << shift;
  WORD old = *word, seen;
  do {
    seen = old;
    ELEMENT now = (ELEMENT)(seen >> shift);
    ELEMENT update = COMBINE(now, value);
    old = EXCHANGE(word, seen, (seen & ~mask) | (((WORD)update << shift) & mask));
  } while (old != seen);
}
// @end
#endif
