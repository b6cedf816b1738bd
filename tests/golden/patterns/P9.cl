// work-groups of rows
// nFun(n => nFun(m => fun(offset:[int]_{n+1} => fun(cols:[i -> [int]toNat(offset@(i+1) - offset@i)]n => fun(vals:[i -> [float]toNat(offset@(i+1) - offset@i)]n => fun(xs:[float]m => zip(cols,vals) :>> splitUp(4) :>> mapWorkgroup(fun(rows => rows :>> mapSeq(fun(r => zip(r.1,r.2) :>> deal(8) :>> mapLocal(map(fun(x => x.2*(xs@x.1))) :>> reduceSeq(+,0)) :>> toLocal :>> reduce(+,0))))) :>> join))))))

// Indices: 32 bits. A launch whose sizes could need more takes the same kernel with 64.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

static inline long min_int64(long a, long b) { return a < b ? a : b; }

__attribute__((reqd_work_group_size(8, 1, 1)))
__kernel void kernel_1(
    __global float* restrict result, __global const int* restrict offset, __global const int* restrict cols,
    __global const float* restrict vals, __global const float* restrict xs, long n) {
  __local float local_[8];
  const int i_piece = get_group_id(0);
  long count2 = min_int64(n - 4 * i_piece, 4);
  for (int j = 0; j < count2; j++) {
    // local_: 8 elements that the block shares
    long offset_at = (long)offset[4 * i_piece + j];
    long offset_at2 = (long)offset[4 * i_piece + j + 1];
    {
      const int hand = (int)get_local_id(0);
      float state = 0.0f;
      long count3 = (7 * hand + 7 * offset_at + offset_at2 + 7) / 8;
      for (long t = 0; t < count3 - hand - offset_at; t++) {
        long cols_at = (long)cols[hand + offset_at + 8 * t];
        state += vals[hand + offset_at + 8 * t] * xs[cols_at];
      }
      local_[hand] = state;
    }
    float total = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int hand = 0; hand < 8; hand++) {
      total += local_[hand];
    }
    if (get_local_id(0) == 0) {
      result[4 * i_piece + j] = total;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

// The host, in this order:
//   long count = (n + 3) / 4;
//   kernel_1<<<count, 8>>>(result, offset, cols, vals, xs, n);
