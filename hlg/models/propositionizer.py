"""Sequence-to-sequence models that break a passage into propositions (``hlg[torch]``).

They are small models that were trained for this alone (Chen et al. 2024, "Dense X Retrieval"):
they read "Title: … Section: … Content: …" and write a JSON list of strings.
"""

import json
import re
from threading import Lock
from typing import TYPE_CHECKING, Any

from hlg.errors import ModelError
from hlg.extras import how_to_install
from hlg.models.hub import model_address
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

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
        self._tokenizer, self._model = _loaded(name)

    @property
    def room(self) -> int:
        """How many tokens it reads."""
        return min(MOST_TOKENS, self._tokenizer.model_max_length)

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has for it, special ones aside."""
        ids = self._tokenizer(without_surrogates(text), add_special_tokens=False, verbose=False)
        return len(ids["input_ids"])

    def propositions(self, title: str, section: str, content: str) -> list[str]:
        """What a passage says, in sentences that stand by themselves; the same every time.

        What is beyond :attr:`room` is not read.
        """
        import torch

        tokenizer, model = self._tokenizer, self._model
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


def _loaded(name: str) -> "tuple[PreTrainedTokenizerBase, Any]":
    """The tokenizer, and the model on a GPU where there is one."""
    try:
        address = model_address(name, "transformers")
        import torch
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(address)
        model: Any = AutoModelForSeq2SeqLM.from_pretrained(address)
    except (OSError, ValueError, ImportError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(
            f"propositionizer {name!r} can't be loaded ({reason}): check the name, run "
            f"`{how_to_install('torch')}`, or leave the setting propositionizer empty",
            model=name,
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
