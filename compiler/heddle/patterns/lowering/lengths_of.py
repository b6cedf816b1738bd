"""Terms that are lengths: in types, and as what ``toNat`` and sums stand for."""

from __future__ import annotations

from heddle.patterns.lowering.checks import Checks
from heddle.patterns.lowering.values import Environment, ScalarValue
from heddle.patterns.syntax.nodes import Apply, Binary, Choice, Negative, Number, Span, Term, Variable
from heddle.patterns.syntax.problem import problem
from heddle.symbolic.build import compare, cond, floor_div, maximum, minimum, mod
from heddle.symbolic.nodes import Length, length
from heddle.symbolic.rewrite import sum_over


def length_of(evaluator: Checks, term: Term, environment: Environment) -> Length:
    """The length that ``term`` spells.

    Raises
    ------
    CompileError
        ``patterns/to-nat``, ``patterns/to-nat-computed`` or ``patterns/length``.
    """
    facts = evaluator.emitter.facts

    def part(inner: Term) -> Length:
        return length_of(evaluator, inner, environment)

    match term:
        case Number(text=text, is_float=False):
            return length(int(text))
        case Negative(operand=operand):
            return -part(operand)
        case Binary(operator="+", left=left, right=right):
            return part(left) + part(right)
        case Binary(operator="-", left=left, right=right):
            return part(left) - part(right)
        case Binary(operator="*", left=left, right=right):
            return part(left) * part(right)
        case Binary(operator="/" | "%" as operator, left=left, right=right, span=span):
            divisor = part(right)
            value = divisor.constant
            if value is not None and value <= 0:
                raise problem(
                    "length", "A length is divided by a positive one.", span, expected="1 or more", actual=str(value)
                )
            evaluator.at_least_zero(divisor - 1, right.span, "what a length is divided by, less 1,")
            return floor_div(part(left), divisor, facts) if operator == "/" else mod(part(left), divisor, facts)
        case Choice(condition=Binary(operator=operator, left=left, right=right), then=then, otherwise=otherwise):
            return cond(compare(operator, part(left), part(right)), part(then), part(otherwise), facts)
        case Apply(function=Variable(name="toNat"), arguments=(inner,)):
            return _to_nat(evaluator, inner, environment)
        case Apply(function=Variable(name="min" | "max" as name), arguments=arguments):
            combine = minimum if name == "min" else maximum
            return combine(*(part(argument) for argument in arguments), facts=facts)
        case Apply(function=Variable(name="sum" | "Σ"), arguments=(Variable(name=bound), lower, upper, body)):
            low, high = part(lower), part(upper)
            fresh = evaluator.emitter.names.fresh(bound)
            position = ScalarValue(evaluator.emitter.expression(length(0)), "int64", length(fresh), nat=True)
            inside = {**environment, bound: position}
            return sum_over(fresh, low, high, length_of(evaluator, body, inside), facts)
        case _:
            evaluated = evaluator.term(term, environment)
            if isinstance(evaluated, ScalarValue) and evaluated.length is not None:
                return evaluated.length
            raise problem(
                "length",
                "This is not a length.",
                term.span,
                expected="names of sizes, numbers, positions, and toNat of integers",
                actual=evaluator.text[term.span[0] : term.span[1]],
            )


def _to_nat(evaluator: Checks, term: Term, environment: Environment) -> Length:
    value = evaluator.term(term, environment)
    span: Span = term.span
    if not isinstance(value, ScalarValue) or value.dtype not in ("int32", "int64"):
        raise evaluator.mismatch("to-nat", "toNat takes an int", "int", value, span)
    if value.length is None:
        raise problem(
            "to-nat-computed",
            "toNat takes what can be computed from the parameters alone, before the kernel runs.",
            span,
            expected="an expression over elements of parameters",
            actual=evaluator.text[span[0] : span[1]],
        )
    return value.length
