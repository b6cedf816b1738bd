"""Random index notation, as the parser would build it."""

from __future__ import annotations

from hypothesis import strategies as st

from heddle.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary

names = st.sampled_from(["A", "B", "x", "alpha", "T2"])
variables = st.sampled_from(["i", "j", "k2", "row_0"])
targets = st.builds(Access, st.just("y"), st.lists(variables, max_size=2, unique=True).map(tuple))
accesses = st.builds(Access, names, st.lists(variables, max_size=3, unique=True).map(tuple))
literals = st.builds(
    Literal,
    st.one_of(st.integers(0, 2**63 - 1), st.floats(0, allow_infinity=False, allow_nan=False)),
)


def _grow(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Unary, st.just("-"), children),
        st.builds(Binary, st.sampled_from("+-*/"), children, children),
    )


expressions: st.SearchStrategy[Expression] = st.recursive(accesses | literals, _grow, max_leaves=12)
assignments = st.builds(Assignment, targets, st.sampled_from(["=", "+="]), expressions)
