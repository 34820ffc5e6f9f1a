"""Async twins of methods."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Owner = TypeVar("Owner")
Given = ParamSpec("Given")
Result = TypeVar("Result")


def in_thread(
    method: Callable[Concatenate[Owner, Given], Result],
) -> Callable[Concatenate[Owner, Given], Coroutine[Any, Any, Result]]:
    """A method's async twin: the same work in a thread, so that the event loop goes on.

    Its signature and docstring are the method's.
    """

    @wraps(method)
    async def twin(owner: Owner, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await asyncio.to_thread(method, owner, *args, **kwargs)

    twin.__name__ = f"a{method.__name__}"
    twin.__qualname__ = f"{method.__qualname__.rpartition('.')[0]}.{twin.__name__}"
    return twin
