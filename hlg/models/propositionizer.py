"""Sequence-to-sequence models that break a passage into propositions (``hlg[torch]``).

They are small models that were trained for this alone (Chen et al. 2024, "Dense X Retrieval"):
they read "Title: … Section: … Content: …" and write a JSON list of strings.
"""

import json
import re
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from hlg.errors import ModelError
from hlg.extras import how_to_install
from hlg.models.hub import model_address
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


MOST_TOKENS = 512
"""Tokens that such a model reads, and writes, unless its tokenizer says less."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class Propositionizer:
    """A model by name or folder; safe for any number of threads, one of which runs it at a time.

    :raises ModelError: transformers is not installed, or there is no such model.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = Lock()
        self._loaded  # noqa: B018  (what can't be loaded is an error now)

    @property
    def room(self) -> int:
        """How many tokens it reads."""
        return min(MOST_TOKENS, self._loaded[0].model_max_length)

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has for it, special ones aside."""
        tokenizer = self._loaded[0]
        ids = tokenizer(without_surrogates(text), add_special_tokens=False, verbose=False)
        return len(ids["input_ids"])

    def propositions(self, title: str, section: str, content: str) -> list[str]:
        """What a passage says, in sentences that stand by themselves; the same every time.

        What is beyond :attr:`room` is not read.
        """
        import torch

        tokenizer, loaded = self._loaded
        model: Any = loaded
        asked = self.asked(title, section, content)
        with self._lock, torch.inference_mode():
            read = tokenizer(asked, return_tensors="pt", truncation=True, max_length=self.room)
            written = model.generate(
                **read.to(model.device), max_new_tokens=MOST_TOKENS, do_sample=False, num_beams=1
            )
        return read_propositions(str(tokenizer.decode(written[0], skip_special_tokens=True)))

    @staticmethod
    def asked(title: str, section: str, content: str) -> str:
        """What it reads of a passage."""
        return without_surrogates(f"Title: {title}. Section: {section}. Content: {content}")

    @cached_property
    def _loaded(self) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
        try:
            address = model_address(self.name, "transformers")
            import torch
            from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

            tokenizer = AutoTokenizer.from_pretrained(address)
            model: Any = AutoModelForSeq2SeqLM.from_pretrained(address)
        except (OSError, ValueError, ImportError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ModelError(
                f"propositionizer {self.name!r} can't be loaded ({reason}): {_remedy()}",
                model=self.name,
            ) from error
        return tokenizer, model.eval().to("cuda" if torch.cuda.is_available() else "cpu")


def read_propositions(text: str) -> list[str]:
    """The strings of a JSON list, each once; of one that breaks off, those that are whole."""
    try:
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        found = [_unquoted(each) for each in _STRING.findall(text)]
    if not isinstance(found, list):
        return []
    said = (" ".join(each.split()) for each in found if isinstance(each, str))
    return list(dict.fromkeys(each for each in said if any(map(str.isalnum, each))))


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:  # an escape that JSON does not know
        return quoted[1:-1]


def _remedy() -> str:
    install = how_to_install("torch")
    return f"check the name, run `{install}`, or leave the setting propositionizer empty"
