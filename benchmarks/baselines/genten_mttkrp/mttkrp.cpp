// GenTen's MTTKRP of the first dimension, for callers from C: operands are copied once, `compute` is what is timed.
#include <Genten_MTTKRP.hpp>

using Space = Genten::DefaultExecutionSpace;
using Tensor = Genten::SptensorT<Space>;

struct Problem {
  Tensor tensor;
  Genten::KtensorT<Space> factors;
  Genten::FacMatrixT<Space> result;
  Genten::AlgParams parameters;
};

// `coordinates` and `values` are sorted by the first dimension; `factors[m]` belongs to dimension m + 1.
extern "C" Problem* prepare(int threads, int64_t order, const size_t* shape, int64_t count, const double* values,
                            const size_t* coordinates, int64_t rank, const double* const* factors) {
  if (!Kokkos::is_initialized())
    Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(threads).set_disable_warnings(true));
  Tensor::subs_view_type subscripts("subscripts", count, order), order_by("permutation", count, order);
  Tensor::vals_view_type stored("values", count);
  Kokkos::View<ttb_indx*, Kokkos::LayoutRight, Space> sizes("shape", order);
  for (int64_t m = 0; m < order; m++) sizes(m) = shape[m];
  for (int64_t e = 0; e < count; e++) {
    stored(e) = values[e];
    // For the first dimension, the only one that is asked for, the entries lie in order already.
    for (int64_t m = 0; m < order; m++) subscripts(e, m) = coordinates[e * order + m], order_by(e, m) = e;
  }
  const Genten::IndxArrayT<Space> extents(sizes);
  auto* made = new Problem{Tensor(extents, stored, subscripts, order_by, true),
                           Genten::KtensorT<Space>(rank, order, extents),
                           Genten::FacMatrixT<Space>(shape[0], rank), Genten::AlgParams()};
  made->factors.setWeights(1.0);
  for (int64_t m = 1; m < order; m++)
    for (size_t i = 0; i < shape[m]; i++)
      for (int64_t r = 0; r < rank; r++) made->factors[m].view()(i, r) = factors[m - 1][i * rank + r];
  made->parameters.sparse = true;
  std::ostringstream said;
  made->parameters.fixup<Space>(said);  // GenTen's own choice among its methods.
  return made;
}

extern "C" void compute(Problem* made) {
  Genten::mttkrp<Space>(made->tensor, made->factors, 0, made->result, made->parameters, true);
}

extern "C" void copy_result(Problem* made, double* out) {
  const auto view = made->result.view();
  for (size_t i = 0; i < view.extent(0); i++)
    for (size_t r = 0; r < view.extent(1); r++) *out++ = view(i, r);
}

extern "C" void destroy(Problem* made) { delete made; }
