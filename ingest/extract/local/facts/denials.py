"""What a noun's own words deny or leave open: "no plant", "few plants"."""

from hlg.ingest.extract.local.parse import Sentence

__all__ = ["is_denied", "is_doubtful"]

_NOBODY = frozenset(
    ("no", "none", "nobody", "nothing", "neither", "nor", "no-one", "noone", "nowhere")
)
_FEW = frozenset(
    ("few", "fewer", "little", "more", "hardly", "scarcely", "barely", "any", "not", "every")
)


def is_denied(sentence: Sentence, noun: int) -> bool:
    """Whether a noun's own words say that there is none: "no plant", "neither X", "nobody"."""
    if _is_nobody(sentence, noun):
        return True
    return any(
        _is_nobody(sentence, child)
        for child in sentence.children[noun]
        if sentence.deps[child] in ("det", "preconj", "neg", "cc", "advmod", "predet", "nsubj")
        and (child < noun or sentence.deps[child] == "nsubj")
    ) or (sentence.words[sentence.left_edge(noun)].lower() == "neither")


def _is_nobody(sentence: Sentence, token: int) -> bool:
    """Whether a word says that there is none; NO among small letters is nitric oxide."""
    shouted = " ".join(sentence.words[token + 1 : token + 2]).isupper()
    word = sentence.words[token]
    return word.lower() in _NOBODY and (word != "NO" or shouted)


def is_doubtful(sentence: Sentence, noun: int) -> bool:
    """Whether it stays open how many a noun means: "few plants", "not all", "hardly any"."""
    words = [sentence.words[noun].lower()]
    below = [child for child in sentence.children[noun] if child < noun]
    for child in below:
        if sentence.deps[child] in (
            "amod",
            "det",
            "advmod",
            "predet",
            "neg",
            "preconj",
            "quantmod",
        ):
            words.append(sentence.words[child].lower())
            words += [sentence.words[each].lower() for each in sentence.children[child]]
    few = "few" in words or "little" in words or "fewer" in words
    first = sentence.left_edge(noun)
    before = sentence.words[first - 1].lower() if first else ""
    return (
        (first > 0 and sentence.words[first] == "No")
        or (few and not _is_a_few(sentence, noun))
        or any(word in _FEW - {"few", "little", "fewer", "any", "every"} for word in words)
        or before in ("not", "hardly", "scarcely", "barely")
    )


def _is_a_few(sentence: Sentence, noun: int) -> bool:
    return any(sentence.words[child].lower() in ("a", "the") for child in sentence.children[noun])
