"""Sizes are canonical polynomials, and their texts are read without surprises."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symlin.dims import Dim
from symlin.errors import ReadError

SYMBOLS = ("m", "n", "k", r"\ell")
dims = st.recursive(
    st.one_of(st.integers(-5, 9).map(Dim.of), st.sampled_from(SYMBOLS).map(Dim.symbol)),
    lambda inner: st.tuples(st.sampled_from("+-*"), inner, inner).map(
        lambda parts: {"+": parts[1] + parts[2], "-": parts[1] - parts[2], "*": parts[1] * parts[2]}[parts[0]]
    ),
    max_leaves=6,
)


def value(dim: Dim, numbers: dict[str, int]) -> int:
    total = 0
    for mono, coeff in dim.terms:
        product = coeff
        for name, exponent in mono:
            product *= numbers[name] ** exponent
        total += product
    return total


@given(dims, dims, st.lists(st.integers(1, 50), min_size=4, max_size=4))
def test_arithmetic_agrees_with_integers(left: Dim, right: Dim, numbers: list[int]) -> None:
    at = dict(zip(SYMBOLS, numbers, strict=True))
    assert value(left + right, at) == value(left, at) + value(right, at)
    assert value(left * right, at) == value(left, at) * value(right, at)
    assert value(left - right, at) == value(left, at) - value(right, at)


@given(dims, dims)
def test_equal_polynomials_are_equal_and_hash_alike(left: Dim, right: Dim) -> None:
    assert left + right == right + left
    assert hash(left * right) == hash(right * left)
    assert (left - left).constant == 0


@given(dims)
def test_text_reads_back_when_exponents_are_one(dim: Dim) -> None:
    if all(exponent == 1 for mono, _ in dim.terms for _, exponent in mono):
        assert Dim.of(str(dim)) == dim


@given(dims)
def test_substitution_commutes_with_evaluation(dim: Dim) -> None:
    at = {"m": 3, "n": 5, "k": 7, r"\ell": 2}
    put_in = dim.substitute({"m": Dim.of("n+1")})
    assert value(put_in, at) == value(dim, {**at, "m": 6})


def test_a_dim_cannot_be_changed_and_survives_copying() -> None:
    dim = Dim.of("m+1")
    with pytest.raises(AttributeError, match="cannot be changed"):
        dim.terms = ()  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(dim)) == dim == copy.deepcopy(dim)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a size; expected a number or a letter"),
        ("m+", "'m+' is not a size; expected a number or a letter"),
        ("(m", "'(m' is not a size; expected a closing parenthesis"),
        ("m)", "'m)' is not a size; expected the end of the size"),
        ("m/2", "'m/2' is not a size; expected a size such as 3, n or m+1"),
    ],
)
def test_texts_that_are_no_sizes(text: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        Dim.of(text)
    assert message in str(caught.value)


def test_truth_values_and_floats_are_no_sizes() -> None:
    for wrong in (True, 2.0):
        with pytest.raises(TypeError):
            Dim.of(wrong)  # type: ignore[arg-type]
