"""``A(i,j) = B(i,j) + C(i,j)`` and ``A(i,j) = 2 * B(i,j)`` in CSR as hand-built loop IR, as results of a compile."""

from __future__ import annotations

from heddle.loop_ir.nodes import Binary, Block, Const, For, Function, Load, SharedPattern, Store, Var
from heddle.plan import Plan
from heddle.signature import Signature, TensorSignature
from tests.compiler.loop_ir import kernels
from tests.compiler.runtime.spmv import CSR, HandMade


def _signature(*names: str) -> Signature:
    return Signature({name: TensorSignature(name, ("i", "j"), CSR, "float64", name == "A") for name in names})


def matrix_sum(function: Function, target: str = "c") -> HandMade:
    return HandMade(Plan("A(i,j) = B(i,j) + C(i,j)", target=target), _signature("A", "B", "C"), function, None)


def doubled(target: str = "c") -> HandMade:
    """The result has the pattern of B: the kernel writes its values alone."""
    a, b, pos = kernels.vals("A"), kernels.vals("B"), kernels.pos("B", 2)
    value = Binary("*", Const(2.0, "float64"), Load(b, Var("p")), "float64")
    rows = Load(pos, Var("B1_dimension"))
    loop = For("p", Const(0), rows, Block((Store(a, Var("p"), value, kernels.COMPUTE),)), kernels.COMPUTE)
    parameters = (
        kernels.output(a),
        kernels.dimension("B1_dimension", "B", 0),
        kernels.operand(pos),
        kernels.operand(b),
    )
    function = Function("kernel", parameters, Block((loop,)), pattern=SharedPattern("B", 2))
    return HandMade(Plan("A(i,j) = 2 * B(i,j)", target=target), _signature("A", "B"), function, None)
