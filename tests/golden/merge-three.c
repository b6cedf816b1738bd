// a(i) = b(i) * c(i) + d(i)
// b: sparse
// c: sparse
// d: sparse

#include <stdint.h>

static inline int64_t min_int64(int64_t a, int64_t b) { return a < b ? a : b; }

int32_t kernel(
    int64_t a1_dimension, double* restrict a_vals, const int32_t* restrict b1_pos,
    const int32_t* restrict b1_crd, const double* restrict b_vals, const int32_t* restrict c1_pos,
    const int32_t* restrict c1_crd, const double* restrict c_vals, const int32_t* restrict d1_pos,
    const int32_t* restrict d1_crd, const double* restrict d_vals) {
  for (int64_t p = 0; p < a1_dimension; p++) {
    a_vals[p] = 0.0;
  }
  int64_t ib = 0;
  int64_t ib_end = b1_pos[1];
  int64_t ic = 0;
  int64_t ic_end = c1_pos[1];
  int64_t id = 0;
  int64_t id_end = d1_pos[1];
  while (ib < ib_end && ic < ic_end && id < id_end) {
    int64_t ib_crd = b1_crd[ib];
    int64_t ic_crd = c1_crd[ic];
    int64_t id_crd = d1_crd[id];
    int64_t i = min_int64(min_int64(ib_crd, ic_crd), id_crd);
    if (ib_crd == i && ic_crd == i && id_crd == i) {
      a_vals[i] = b_vals[ib] * c_vals[ic] + d_vals[id];
    } else if (ib_crd == i && ic_crd == i) {
      a_vals[i] = b_vals[ib] * c_vals[ic];
    } else if (id_crd == i) {
      a_vals[i] = d_vals[id];
    }
    ib += (ib_crd == i);
    ic += (ic_crd == i);
    id += (id_crd == i);
  }
  while (ib < ib_end && ic < ic_end) {
    int64_t ib_crd = b1_crd[ib];
    int64_t ic_crd = c1_crd[ic];
    int64_t i = min_int64(ib_crd, ic_crd);
    if (ib_crd == i && ic_crd == i) {
      a_vals[i] = b_vals[ib] * c_vals[ic];
    }
    ib += (ib_crd == i);
    ic += (ic_crd == i);
  }
  while (id < id_end) {
    int64_t i = d1_crd[id];
    a_vals[i] = d_vals[id];
    id++;
  }
  return 0;
}
