r"""Names and their indices: ``A``, ``I_n``, ``a_{ij}``, ``\mathbf b_j``, ``(AB)_{ij}``, ``\mathbf 1``.

Offers `name_value` and `subscript_value`; rests on `scope` and `names`.  Conventions known in the context come
first, then what the formula itself shows, then the default reading of DESIGN §3, which is noted as a guess.
"""

from __future__ import annotations

from fractions import Fraction

from symlin.context import Role
from symlin.dims import ONE, Dim
from symlin.errors import UnsupportedError
from symlin.read.names import Spelled, index_dim, indices_of, is_capital, spell
from symlin.read.scope import Scope, SizeOf, Space, Thing, Value
from symlin.read.syntax import Group, Name, Node, Number, Product, Subscript
from symlin.shapes import Draft


def name_value(scope: Scope, node: Name) -> Value:
    """The meaning of a bare name."""
    spelled = spell(node)
    if spelled is None:
        raise UnsupportedError("a name of this form", f"{scope.text(node)} is no name that symlin knows")
    return _bare(scope, spelled)


def _bare(scope: Scope, spelled: Spelled) -> Value:
    text = scope.text(spelled.node)
    special = _special(scope, spelled)
    if special is not None:
        return special
    if spelled.font == "bb":
        return Space(spelled.letter, ONE, ONE, text)
    if spelled.font in ("cal", "frak") and scope.known(spelled.key) is None:
        return Thing(f"{text}, a set or a basis,", text)
    if spelled.name in scope.bound:
        scope.size_letters.add(spelled.name)
    return scope.meaning(spelled).symbol.with_text(text)


def _special(scope: Scope, spelled: Spelled) -> Draft | None:
    """The identity, zero and ones, unless the text has given the letter another meaning."""
    if scope.known(spelled.key) is not None or scope.known(spelled.name) is not None:
        known = scope.known(spelled.name)
        if spelled.letter != "1" or known is None or known.kind == "scalar":
            return None
        return Draft(
            "ones",
            (),
            (known.symbol.rows, known.symbol.cols),
            known.symbol.rows,
            known.symbol.cols,
            r"\mathbf{1}",
        )
    text = scope.text(spelled.node)
    bold = spelled.font in ("bold", "bb", "vec")
    if spelled.letter == "I" and spelled.font in ("", "bold", "rm", "it") and _may_be_sizes(spelled):
        size = scope.sizes.unknown()
        if not spelled.indices:
            scope.identities.append(size)
        else:
            size = ONE
            for index in spelled.indices:
                dim = index_dim(index)
                if dim is None:
                    return None
                size = size * scope.see_index(dim)
        return Draft("identity", (), (size,), size, size, text)
    if spelled.letter == "1" and bold:
        rows = _counted(scope, spelled)
        return Draft("ones", (), (rows, ONE), rows, ONE, text)
    if spelled.letter == "0" and bold:
        rows = _counted(scope, spelled)
        cols = ONE if spelled.font != "bb" and not spelled.indices else scope.sizes.unknown()
        if spelled.indices and spelled.font != "bb":
            cols = ONE
        return Draft("zero", (), (rows, cols), rows, cols, text)
    if spelled.letter == "e" and spelled.is_vector and len(spelled.indices) == 1 and "E" not in scope.present:
        dim = index_dim(spelled.indices[0])
        if dim is None or scope.known("E") is not None or scope.convention("v:e") is not None:
            return None
        rows = scope.sizes.unknown()
        return Draft("unit", (), (scope.see_index(dim), rows), rows, ONE, text)
    return None


def _may_be_sizes(spelled: Spelled) -> bool:
    """Whether the subscript of I is a size (I_n, I_{mn}) and not the place of an entry (I_{ij})."""
    if len(spelled.indices) < 2:
        return True
    return all(isinstance(index, Name) and index.letter not in "ijkl" for index in spelled.indices)


def _counted(scope: Scope, spelled: Spelled) -> Dim:
    if spelled.indices:
        dim = index_dim(spelled.indices[0])
        if dim is not None:
            return scope.see_index(dim)
    return scope.sizes.unknown()


def subscript_value(scope: Scope, node: Subscript) -> Value:
    """The meaning of a name with a label or indices, or of (AB)_{ij}."""
    spelled = spell(node)
    if spelled is None:
        return _of_expression(scope, node)
    if not spelled.indices and _is_size_letter(scope, node.sub):
        spelled = Spelled(spelled.letter, spelled.letter, spelled.font, (node.sub,), node)
    if not spelled.indices:
        return _bare(scope, spelled)
    special = _special(scope, spelled)
    if special is not None:
        return special
    if isinstance(node.sub, Product) and r"\times" in node.sub.operators:
        return _sized(scope, node)
    own = _own_name(scope, spelled)
    if own is not None:
        return own
    indices = _two_digits(scope, spelled) or spelled.indices
    dims = tuple(scope.see_index(_dim(scope, index)) for index in indices)
    if spelled.is_vector:
        return _vector(scope, spelled, dims)
    if is_capital(spelled.letter):
        return _capital(scope, spelled, dims)
    return _lower(scope, spelled, dims)


def _two_digits(scope: Scope, spelled: Spelled) -> tuple[Node, ...] | None:
    """The 24 of S_{24} as row 2, column 4; for a letter that is a vector it stays twenty-four."""
    if len(spelled.indices) != 1 or spelled.is_vector:
        return None
    digits = _digits(spelled.indices[0])
    if digits is None:
        return None
    vector = scope.known(f"v:{spelled.name}") or scope.known(spelled.name)
    if vector is not None and vector.kind == "vector":
        return None
    return digits


def _digits(index: Node) -> tuple[Node, ...] | None:
    """The two digits of a subscript such as 24."""
    if not isinstance(index, Number) or len(index.digits) != 2 or "0" in index.digits or index.decimals:
        return None
    return tuple(Number(digit, Fraction(int(digit)), span=index.span) for digit in index.digits)


def _is_size_letter(scope: Scope, sub: Node) -> bool:
    """Whether a capital subscript is a size of the text (the L of x_L) and so an index, not a label (W_Q)."""
    dim = index_dim(sub)
    if dim is None or dim.lone_symbol is None:
        return False
    letters = scope.size_letters | scope.context.sizes.stated | set(scope.context.sizes.bindings)
    return dim.lone_symbol in letters


def _dim(scope: Scope, node: Node) -> Dim:
    dim = index_dim(node)
    if dim is None:
        raise UnsupportedError("an index of this form", f"{scope.text(node)} is no index that symlin knows")
    return dim


def _of_expression(scope: Scope, node: Subscript) -> Value:
    text = scope.text(node)
    if (
        isinstance(node.base, Name | Number)
        and isinstance(node.sub, Product)
        and r"\times" in node.sub.operators
    ):
        return _sized(scope, node)
    indices = indices_of(node.sub)
    if indices is None or not isinstance(node.base, Group) or node.base.opening not in ("(", "["):
        return Thing(f"the subscript of {text}", text)
    base = scope.draft(node.base)
    matrix = not scope.sizes.is_one(base.cols) and not scope.sizes.is_one(base.rows)
    if len(indices) == 1 and matrix:
        indices = _digits(indices[0]) or indices
    dims = tuple(scope.see_index(_dim(scope, index)) for index in indices)
    return _indexed(scope, base, dims, text)


def _sized(scope: Scope, node: Subscript) -> Value:
    r"""A letter with a size: ``A_{m\times n}``, ``I_{3\times 3}``, ``0_{2\times 3}``."""
    text = scope.text(node)
    size = scope.value(node.sub)
    if not isinstance(size, SizeOf):
        return Thing(f"the subscript of {text}", text)
    zero = isinstance(node.base, Number) and node.base.digits == "0"
    if zero or (isinstance(node.base, Name) and node.base.letter == "0"):
        return Draft("zero", (), (size.rows, size.cols), size.rows, size.cols, text)
    base = scope.draft(node.base)
    scope.need(base, size.rows, size.cols, f"the subscript says {size.text}")
    return base.with_text(text)


def _indexed(scope: Scope, base: Draft, dims: tuple[Dim, ...], text: str) -> Draft:
    """The entry of a matrix (two indices) or of a vector (one)."""
    if len(dims) == 2:
        scope.ranges += _suggestions(scope, ((dims[0], base.rows), (dims[1], base.cols)))
        return Draft("entry", (base,), dims, ONE, ONE, text)
    if len(dims) == 1 and scope.sizes.is_one(base.cols):
        scope.ranges += _suggestions(scope, ((dims[0], base.rows),))
        return Draft("entry", (base,), (dims[0], ONE), ONE, ONE, text)
    if len(dims) == 1 and scope.sizes.is_one(base.rows):
        scope.ranges += _suggestions(scope, ((dims[0], base.cols),))
        return Draft("entry", (base,), (ONE, dims[0]), ONE, ONE, text)
    raise UnsupportedError(
        "indices of this number", f"{text} has {len(dims)} indices, which fit neither a matrix nor a vector"
    )


def _suggestions(scope: Scope, uses: tuple[tuple[Dim, Dim], ...]) -> list[tuple[Dim, Dim]]:
    """An index that runs to n in a size nothing else settles suggests that this size is n."""
    found = []
    for index, size in uses:
        name = index.lone_symbol
        if name is not None and name in scope.bounds:
            lo, hi = scope.bounds[name]
            if lo == ONE:
                found.append((size, hi))
    return found


def _matrix(scope: Scope, name: str) -> Draft:
    """The symbol of the matrix called `name`."""
    return scope.meaning(Spelled(name, name, "", (), Name(name))).symbol


def _part(scope: Scope, matrix: str, role: Role, index: Dim, text: str) -> Draft:
    base = _matrix(scope, matrix)
    if role == "columns":
        scope.ranges += _suggestions(scope, ((index, base.cols),))
        return Draft("column", (base,), (index,), base.rows, ONE, text)
    scope.ranges += _suggestions(scope, ((index, base.rows),))
    if role == "row vectors":
        return Draft("row", (base,), (index,), ONE, base.cols, text)
    row = Draft("row", (base,), (index,), ONE, base.cols, f"{text}^T")
    return Draft("transpose", (row,), (), base.cols, ONE, text, frozenset({"row vector"}))


def _vector(scope: Scope, spelled: Spelled, dims: tuple[Dim, ...]) -> Draft:
    text = scope.text(spelled.node)
    if len(dims) == 1:
        convention = scope.convention(spelled.key)
        if convention is not None and convention.role != "entries":
            return _part(scope, convention.matrix, convention.role, dims[0], text)
        entries = scope.convention(spelled.name)
        if entries is not None and entries.role == "entries":
            role = scope.roles.get(spelled.key, "rows")
            scope.guessed[spelled.key] = entries.matrix
            return _part(scope, entries.matrix, role, dims[0], text)
        capital = spelled.letter.upper() if len(spelled.letter) == 1 else ""
        if capital and (scope.known(capital) is not None or capital in scope.present):
            role = scope.roles.get(spelled.key, "columns")
            scope.guessed[spelled.key] = capital
            return _part(scope, capital, role, dims[0], text)
        known = scope.known(spelled.key)
        if known is not None and known.how == "declared":
            return _indexed(scope, known.symbol, dims, text)
        if dims[0].constant is None and any(name in scope.bounds for name in dims[0].symbols):
            role = scope.roles.get(spelled.key, "columns")
            return _part(scope, capital or spelled.letter, role, dims[0], text)
    return _named(scope, spelled, dims)


def _own_name(scope: Scope, spelled: Spelled) -> Draft | None:
    """A declared x_1 or v_3 is itself, whatever x or v means."""
    dims = [index_dim(index) for index in spelled.indices]
    if any(dim is None for dim in dims):
        return None
    name = indexed_name(spelled, tuple(dim for dim in dims if dim is not None))
    known = scope.known(f"v:{name}" if spelled.is_vector else name)
    if known is None or known.how != "declared":
        return None
    return known.symbol.with_text(scope.text(spelled.node))


def indexed_name(spelled: Spelled, dims: tuple[Dim, ...]) -> str:
    """The name that letter and indices make together: ``x_1``, ``A_{12}``, ``c_{n + 1}``."""
    tail = ",".join(str(dim).replace(" ", "") for dim in dims)
    if all(dim.constant is not None and dim.constant < 10 for dim in dims):
        tail = "".join(str(dim) for dim in dims)
    label = tail if len(tail) == 1 else f"{{{tail}}}"
    return f"{spelled.name}_{label}"


def _named(scope: Scope, spelled: Spelled, dims: tuple[Dim, ...]) -> Draft:
    """A name of its own that happens to carry indices: x_1, \\mathbf{v}_2, A_{11}."""
    name = indexed_name(spelled, dims)
    return scope.meaning(Spelled(name, spelled.letter, spelled.font, (), spelled.node)).symbol.with_text(
        scope.text(spelled.node)
    )


def _capital(scope: Scope, spelled: Spelled, dims: tuple[Dim, ...]) -> Draft:
    text = scope.text(spelled.node)
    known = scope.known(spelled.name)
    if len(dims) == 2:
        numeric = all(dim.constant is not None for dim in dims)
        if (
            known is not None
            or not numeric
            or scope.latex.count(spelled.letter) > _indexed_count(scope, spelled)
        ):
            return _indexed(scope, scope.meaning(_plain(spelled)).symbol, dims, text)
    if len(dims) == 1 and known is not None and known.kind == "vector":
        return _indexed(scope, known.symbol, dims, text)
    return _named(scope, spelled, dims)


def _plain(spelled: Spelled) -> Spelled:
    return Spelled(spelled.name, spelled.letter, spelled.font, (), spelled.node)


def _indexed_count(scope: Scope, spelled: Spelled) -> int:
    """How often the letter stands with a subscript in the formula (more occurrences mean that it stands alone too)."""
    import re

    return len(re.findall(re.escape(spelled.letter) + r"\}?\s*_", scope.latex))


def _reaches(scope: Scope, size: Dim, index: Dim) -> bool:
    """Whether a vector of this size can have a component of this number."""
    count = scope.sizes.resolve(size).constant
    return count is None or index.constant is None or index.constant <= count


def _lower(scope: Scope, spelled: Spelled, dims: tuple[Dim, ...]) -> Draft:
    text = scope.text(spelled.node)
    convention = scope.convention(spelled.name)
    if len(dims) == 2:
        if convention is not None and convention.role == "entries":
            return _indexed(scope, _matrix(scope, convention.matrix), dims, text)
        known = scope.known(spelled.name)
        if known is not None and known.kind == "matrix":
            return _indexed(scope, known.symbol, dims, text)
        matrix = spelled.letter.upper() if len(spelled.letter) == 1 else spelled.letter
        vectors = scope.convention(f"v:{spelled.name}")
        if vectors is not None and scope.known(matrix) is None:
            matrix = vectors.matrix
        base = scope.meaning(Spelled(matrix, "A", "", (), Name(matrix))).symbol
        return _indexed(scope, base, dims, text)
    if len(dims) == 1:
        if convention is not None and convention.role != "entries":
            return _part(scope, convention.matrix, convention.role, dims[0], text)
        vector = scope.known(f"v:{spelled.name}") or scope.known(spelled.name)
        if vector is None and f"v:{spelled.name}" in scope.present:
            vector = scope.meaning(Spelled(spelled.name, spelled.letter, "bold", (), spelled.node))
        if vector is not None and vector.kind == "vector" and _reaches(scope, vector.symbol.rows, dims[0]):
            return _indexed(scope, vector.symbol, dims, text)
        if dims[0].constant is None and any(name in scope.bounds for name in dims[0].symbols):
            base = scope.meaning(Spelled(spelled.name, spelled.letter, "bold", (), spelled.node)).symbol
            return _indexed(scope, base, dims, text)
    return _named(scope, spelled, dims)
