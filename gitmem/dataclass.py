"""Classes that are their values: ``@dataclass``, written and used as the standard library's.

That one imports ``inspect`` and compiles source for every class: 20 ms and 0.4 ms a class, which is much of a cold
``gitmem sync``, and a command is timed against git.  Type checkers see the standard library's.
Hot: imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import asdict as asdict
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:

    class _Maker:
        """A field whose value is made anew for each record."""

        __slots__ = ("make",)

        def __init__(self, make):
            self.make = make

    def field(*, default_factory):
        """The value of a field that nobody gave: what ``default_factory`` makes."""
        return _Maker(default_factory)

    def dataclass(*, slots, frozen=False):  # noqa: ARG001 - always slots, and said as elsewhere
        """A class with the annotated names as its slots, compared and shown by their values.

        frozen: such records may be members of sets; that nobody sets a value is the type checker's to see
        """
        return lambda cls: _made(cls, frozen)

    def _made(cls, frozen):
        names = tuple(cls.__annotations__)
        body = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
        given = {name: body.pop(name) for name in names if name in body}

        def values(self):
            return tuple([getattr(self, name) for name in names])

        def fill(self, *some, **named):
            if len(some) > len(names) or not named.keys() <= set(names[len(some) :]):
                raise TypeError(f"{cls.__name__} takes {', '.join(names)}")
            for name, value in zip(names, some):  # noqa: B905 - the rest follows
                setattr(self, name, value)
            for name in names[len(some) :]:
                if name in named:
                    value = named[name]
                elif name in given:
                    value = given[name].make() if isinstance(given[name], _Maker) else given[name]
                else:
                    raise TypeError(f"{cls.__name__} lacks {name}")
                setattr(self, name, value)

        def equals(self, other):
            return values(self) == values(other) if type(other) is type(self) else NotImplemented

        def shown(self):
            return f"{cls.__name__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

        body |= {"__slots__": names, "__match_args__": names, "__init__": fill, "__eq__": equals, "__repr__": shown}
        body["__hash__"] = (lambda self: hash(values(self))) if frozen else None
        return type(cls)(cls.__name__, cls.__bases__, body)

    def replace(given, **changed):
        """A record like ``given``, with other values for some names."""
        return type(given)(**{**_as_pairs(given), **changed})

    def asdict(given):
        """The names and values of a record; records in its lists and tuples likewise."""
        return {name: _plain(value) for name, value in _as_pairs(given).items()}

    def _as_pairs(given):
        return {name: getattr(given, name) for name in type(given).__match_args__}

    def _plain(value):
        if hasattr(type(value), "__match_args__"):
            return asdict(value)
        return type(value)(map(_plain, value)) if isinstance(value, (list, tuple)) else value
