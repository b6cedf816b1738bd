"""Where assignments to a tensor go at a place in the loop nest, when they do not go to its memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from heddle.loop_ir.nodes import Assign, Expr, Var
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role

if TYPE_CHECKING:
    from heddle.lowering.environment.loop_environment import LoopEnvironment


class Destination(Protocol):
    """What stands for the memory of a tensor: a sum in a register, a list of coordinates, a copy of the result."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The loops inside, outermost first, whose iterations have an element each. Empty where there is one element,
        or where the position in the tensor tells elements apart."""
        ...

    @property
    def scalar(self) -> Var | None:
        """The scalar that holds its only element, if there is one."""
        ...

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """Emit what the assignment ``target operator value`` does here; ``value`` has the dtype of the tensor.
        ``atomic`` as in :func:`heddle.lowering.environment.store.store`."""
        ...


@dataclass(frozen=True, slots=True)
class ScalarDestination:
    """A scalar that lives in a register."""

    scalar: Var
    columns: tuple[str, ...] = ()

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        if operator == "=":
            environment.emit(Assign(self.scalar.name, value, Origin(Role.COMPUTE, None, target.tensor)))
        else:
            origin = Origin(Role.REDUCTION, None, target.tensor)
            environment.emit(Assign(self.scalar.name, value, origin, ASSIGNMENTS[operator]))
