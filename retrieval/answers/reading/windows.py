"""What the network reads at once: a question, a sentence to go by, and a passage."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.models.wordpiece import CLOSING, OPENING, wordpiece_tokenizer
from hlg.unicode import without_surrogates

QUESTION_TOKENS, HINT_TOKENS, PASSAGE_TOKENS = 48, 40, 112
"""What is longer is cut."""
LONGEST = 6
"""Characters a token: no text is tokenized beyond what may fit by far."""


@dataclass(frozen=True, slots=True)
class Window:
    """Ids of the tokens, types (1 behind the question), and the characters of the passage that
    each token stands for, shape (tokens, 2); -1 where it stands for none."""

    ids: NDArray[np.int64]
    types: NDArray[np.int64]
    offsets: NDArray[np.int64]


def window(question: str, hint: str, passage: str) -> Window:
    """``[CLS] question [SEP] hint [SEP] passage [SEP]``; the hint and its mark may be missing.

    :param hint: what another passage says that the question may lead through.
    """
    ids, types = [OPENING], [0]
    offsets = [(-1, -1)]
    parts = ((question, QUESTION_TOKENS), (hint, HINT_TOKENS), (passage, PASSAGE_TOKENS))
    for part, (text, most) in enumerate(parts):
        if part == 1 and not text:
            continue
        found, places = tokens(text, most)
        ids += [*found, CLOSING]
        types += [int(part > 0)] * (len(found) + 1)
        offsets += [*(places if part == 2 else [(-1, -1)] * len(found)), (-1, -1)]
    return Window(np.array(ids), np.array(types), np.array(offsets))


def tokens(text: str, most: int) -> tuple[list[int], list[tuple[int, int]]]:
    """The ids of a text's first tokens, and the characters that each stands for."""
    shown = without_surrogates(text[: most * LONGEST * 4])
    encoding = wordpiece_tokenizer().encode(shown, add_special_tokens=False)
    return encoding.ids[:most], encoding.offsets[:most]
