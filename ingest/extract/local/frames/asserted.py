"""How a sentence states what a frame says: denied, hedged, on a condition, on whose word, or only
named and not stated at all."""

from collections.abc import Iterator

from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence
from hlg.records import AFFIRMED, DENIED

__all__ = [
    "DENYING",
    "denies",
    "denying_end",
    "hedges",
    "is_condition",
    "is_less",
    "is_stated",
    "qualified",
]

DENYING = frozenset(("not", "n't", "n’t", "never", "no", "nor", "neither", "nowhere", "none"))
_MODALS = {"ca": "can", "wo": "will", "sha": "shall", "'ll": "will", "’ll": "will", "'d": "would"}
_HEDGES = frozenset(
    (
        *("allegedly", "apparently", "conceivably", "likely", "maybe", "perhaps", "possibly"),
        *("presumably", "probably", "purportedly", "reportedly", "seemingly", "supposedly"),
        *("almost", "nearly", "virtually", "barely", "hardly", "rarely", "scarcely", "seldom"),
    )
)
_CONDITIONAL = frozenset(("if", "unless", "provided", "providing", "lest", "assuming"))
_OPEN = frozenset(("if", "unless", "whether", "lest", "without"))
"""Words that lead in what is not stated."""
_ON_WAY = frozenset(
    (
        *("after", "although", "because", "before", "besides", "by", "despite", "in"),
        *("since", "through", "upon", "when", "while"),
    )
)
"""Prepositions behind which what somebody does is done: "after selling it"."""
_HAPPENED = frozenset(
    f"{stem}{end}"
    for stem, ends in (
        ("know", ("", "s", "n")),
        ("kn", ("ew",)),
        ("learn", ("", "s", "ed", "t")),
        ("f", ("ind", "inds", "ound")),
        ("show", ("", "s", "ed", "n")),
        ("discover", ("", "s", "ed")),
        ("reveal", ("", "s", "ed")),
        ("confirm", ("", "s", "ed")),
        ("prov", ("e", "es", "ed", "en")),
        ("demonstrat", ("e", "es", "ed")),
        ("see", ("", "s", "n")),
        ("saw", ("",)),
        ("reali", ("se", "ses", "sed", "ze", "zes", "zed")),
        ("notic", ("e", "es", "ed")),
        ("remember", ("", "s", "ed")),
        ("regret", ("", "s", "ted")),
        ("recogni", ("se", "ses", "sed", "ze", "zes", "zed")),
        ("observ", ("e", "es", "ed")),
        ("mean", ("", "s", "t")),
        ("ensur", ("e", "es", "ed")),
        ("because", ("",)),
        ("aware", ("",)),
        ("unaware", ("",)),
        ("known", ("",)),
        ("fact", ("",)),
        ("so", ("",)),
        ("such", ("",)),
    )
    for end in ends
)
"""Of what hangs on these it is stated that it is so."""
_CLAIMS = frozenset(
    (
        *("allegation", "belief", "chance", "claim", "doubt", "evidence", "fear", "hope", "idea"),
        *("likelihood", "notion", "possibility", "proof", "report", "risk", "rumor", "rumour"),
        *("sign", "suggestion", "suspicion", "theory", "time", "view"),
    )
)
"""Nouns that say what may be so."""
_INVERTED = frozenset(("do", "does", "did", "has", "have", "had", "will", "would", "can", "could"))
_SCENES = ("absence", "case", "event", "presence")
_OF_ANOTHER = frozenset(("ccomp", "csubj", "csubjpass", "acl", "xcomp", "pcomp"))


def qualified(sentence: Sentence, frame: Frame) -> dict[str, str]:
    """How the frame's facts are stated: the fields of a fact's ``Factuality`` but its chance."""
    own = _own(frame)
    denied = denies(sentence, frame)
    modal = [
        _MODALS.get(word, word)
        for at in sorted(own)
        if sentence.tags[at] == "MD" and (word := sentence.words[at].lower())
    ]
    return {
        "polarity": DENIED if denied else AFFIRMED,
        "modality": " ".join([*hedges(sentence, frame), *modal]),
        "condition": "; ".join(_conditions(sentence, frame)),
        "attributed_to": "; ".join(_sources(sentence, frame)),
        "time": "; ".join(
            sentence.text(span.first, span.end)
            for span in frame.of("time")
            if not _is_source(sentence, span)
        ),
    }


def denies(sentence: Sentence, frame: Frame) -> bool:
    """Whether a frame's predicate is denied, by its own words or by what hangs on it."""
    words = sentence.words
    own = _own(frame)
    if any(_is_denying(sentence, at) for at in own):
        return True
    opened = words[0].lower() in DENYING or denying_end(sentence, 0) > 0
    if opened and any(
        span.first > 1 and words[span.first - 1].lower() in _INVERTED
        for span in frame.of("subject")
    ):
        return True  # "Not once did she"
    top = _top(sentence, frame)
    for at in own | {top}:
        for child in sentence.children[at]:
            if child in own or sentence.deps[child] not in (
                "neg",
                "preconj",
                "advmod",
                "prep",
                "cc",
            ):
                continue
            if sentence.deps[child] == "cc":
                continue  # it joins what comes behind
            if _is_denying(sentence, child) or denying_end(sentence, child) > child:
                return True
            if sentence.deps[child] == "advmod" and child < at and words[child].lower() == "once":
                return any(words[each].lower() == "not" for each in sentence.children[child])
    first = _first_joined(sentence, top)
    lacking = sentence.deps[first] == "pcomp" and words[sentence.heads[first]] == "without"
    return lacking or _joined_by_nor(sentence, top)


def _joined_by_nor(sentence: Sentence, top: int) -> bool:
    """ "neither wrote nor edited", "nor did he visit"."""
    if sentence.deps[top] not in ("conj", "ROOT", "ccomp", "advcl"):
        return False
    before = sentence.heads[top] if sentence.heads[top] < top else -1
    return any(
        sentence.words[at].lower() == "nor"
        and sentence.heads[at] in (before, top)
        and all(each not in range(at, top) for each in (before,))
        for at in range(before + 1, top)
    )


def _is_denying(sentence: Sentence, at: int) -> bool:
    return sentence.words[at].lower() in DENYING and not is_less(sentence, at)


def is_less(sentence: Sentence, at: int) -> bool:
    """Whether a "no" or "not" only measures: "not only", "no fewer than", "no later than"."""
    after = at + 1
    if after >= len(sentence.words):
        return False
    word = sentence.words[after].lower()
    return word in ("only", "just", "merely", "least") or (
        sentence.tags[after] in ("JJR", "RBR") and word not in ("longer", "more")
    )


def denying_end(sentence: Sentence, first: int) -> int:
    """Where "by no means", "under no circumstances", "at no time" ends; else ``first``."""
    words = [word.lower() for word in sentence.words[first : first + 3]]
    idle = ("means", "way", "circumstances", "circumstance", "time", "account", "event", "case")
    return first + 3 if len(words) == 3 and words[1] == "no" and words[2] in idle else first


def hedges(sentence: Sentence, frame: Frame) -> list[str]:
    """Adverbs by which what is said is less than sure or not quite so: "reportedly", "nearly"."""
    own = _own(frame) | {_top(sentence, frame)}
    return [
        word
        for at in sorted({child for each in own for child in sentence.children[each]} | own)
        if (word := sentence.words[at].lower()) in _HEDGES
        and not any(at in range(span.first, span.end) for span in frame.of("argument"))
    ]


def is_stated(sentence: Sentence, frame: Frame) -> bool:
    """Whether the sentence says that it is so, and does not only name it, ask or suppose it."""
    if _asks(sentence):
        return False
    if any(
        frame.head in range(span.first, span.end)
        for other in sentence.frames
        if other.head != frame.head
        for span in other.of("condition")
    ):
        return False
    if any(not _is_told_by(sentence, frame, other) for other in sentence.frames):
        return False
    top = _first_joined(sentence, _top(sentence, frame))
    while True:
        if _led_by(sentence, top) & _OPEN:
            return False
        governor = sentence.heads[top]
        if sentence.deps[top] == "relcl":
            lead = sentence.words[sentence.left_edge(top)].lower()
            return lead != "that" or sentence.words[governor].lower() not in _CLAIMS
        if governor == top or sentence.deps[top] not in _OF_ANOTHER:
            return True
        if governor in _own(frame):
            return True
        if not _vouches(sentence, frame, top, governor):
            return False
        if sentence.deps[top] == "acl":
            return True
        top = _first_joined(sentence, governor)


def _asks(sentence: Sentence) -> bool:
    last = [word for word in sentence.words if word not in "\"”’'»)"][-1:]
    begun = sentence.deps[0] in ("aux", "auxpass") and sentence.words[0].lower() in _INVERTED
    return last == ["?"] or (last == [":"] and begun)


def _is_told_by(sentence: Sentence, frame: Frame, other: Frame) -> bool:
    """Whether a frame that is what another is about ("says that") is so by the other."""
    subjects = frame.of("subject")
    if other.head == frame.head or not subjects or _own(other) & _own(frame):
        return True
    for span in other.of("argument"):
        led = sentence.words[span.first].lower() in ("that", "whether", "if")
        first = span.first + led
        if not span.first <= frame.head < span.end or subjects[0].first not in (first, first + 1):
            continue
        if not first <= subjects[0].first <= frame.head:
            continue
        words = {sentence.words[at].lower() for at in _own(other)}
        if denies(sentence, other) or not (words & _HAPPENED or any(_sources(sentence, frame))):
            return False
    return True


def _vouches(sentence: Sentence, frame: Frame, top: int, governor: int) -> bool:
    """Whether what a word governs is so because the word is, or on somebody's word."""
    word, dep = sentence.words[governor].lower(), sentence.deps[top]
    denied = any(sentence.words[child].lower() in DENYING for child in sentence.children[governor])
    finite = any(
        sentence.tags[at] in ("VBD", "VBZ", "VBP", "MD") for at in {top, *sentence.children[top]}
    )
    if dep == "pcomp":
        return word in _ON_WAY or word == "without"
    if dep == "acl":
        led = bool(_led_by(sentence, top) & {"that"})
        return word in _HAPPENED or not (led or sentence.tags[top] == "VB")
    if dep == "xcomp" or not finite:
        # "helped him build it": what is done is told with the verb, if at all.
        return dep == "xcomp" and sentence.tags[top] not in ("VB", "VBG")
    told = any(True for _ in _sources(sentence, frame))
    return not denied and (
        told
        or word in _HAPPENED
        or (
            sentence.deps[governor] == "ROOT"
            and (
                sentence.tags[top] != "VB"
                and not _led_by(sentence, top) & {"that", "whether"}
                and dep == "ccomp"
                and governor > top
            )
        )
    )


def _led_by(sentence: Sentence, top: int) -> set[str]:
    return {
        sentence.words[child].lower()
        for child in sentence.children[top]
        if sentence.deps[child] in ("mark", "prep", "advmod") and child < top
    }


def _conditions(sentence: Sentence, frame: Frame) -> Iterator[str]:
    for span in frame.spans:
        if (span.role == "condition" or is_condition(sentence, span)) and denying_end(
            sentence, span.first
        ) < span.end:
            yield sentence.text(span.first, span.end)
    covered = {at for span in frame.spans for at in range(span.first, span.end)}
    for child in sentence.children[_top(sentence, frame)]:
        first, end = sentence.left_edge(child), sentence.right_edge(child) + 1
        if not covered.isdisjoint(range(first, end)) or end - first < 2:
            continue
        led = sentence.words[first].lower() in _CONDITIONAL
        early = sentence.deps[child] == "prep" and first == 0
        if (sentence.deps[child] in ("advcl", "prep") and led) or (
            early
            and not _is_source(sentence, Span("", first, end, 1))
            and denying_end(sentence, 0) == 0
        ):
            yield sentence.text(first, end)


def is_condition(sentence: Sentence, span: Span) -> bool:
    """Whether a circumstance is what it depends on: "provided that", "in the absence of"."""
    words = [word.lower() for word in sentence.words[span.first : span.first + 3]]
    scene = words[:1] == ["in"] and words[-1] in _SCENES
    return span.role == "other" and (words[0] in _CONDITIONAL or scene)


def _sources(sentence: Sentence, frame: Frame) -> Iterator[str]:
    found = False
    for span in frame.spans:
        if span.role == "source" or _is_source(sentence, span):
            found = True
            end = span.end
            if all(
                not tag.startswith(("NN", "PRP", "VB"))
                or word.lower() == "it"
                or word.lower() in ("was", "is")
                for word, tag in zip(
                    sentence.words[span.first : end], sentence.tags[span.first : end], strict=True
                )
            ):
                while end < len(sentence.words) and sentence.tags[end - 1] not in ("VBN", "VBG"):
                    end += 1
            yield sentence.text(span.first, end)
    if found:
        return
    for child in sentence.children[_top(sentence, frame)]:
        first, end = sentence.left_edge(child), sentence.right_edge(child) + 1
        if _is_source(sentence, Span("", first, end, 1)):
            yield sentence.text(first, end)


def _is_source(sentence: Sentence, span: Span) -> bool:
    words = [word.lower() for word in sentence.words[span.first : span.first + 2]]
    return words == ["according", "to"]


def _own(frame: Frame) -> set[int]:
    return {at for span in frame.of("predicate") for at in range(span.first, span.end)}


def _top(sentence: Sentence, frame: Frame) -> int:
    """The predicate's verb that its others hang on."""
    own = _own(frame) | {frame.head}
    at, seen = frame.head, set[int]()
    while sentence.heads[at] in own and at not in seen and sentence.heads[at] != at:
        seen.add(at)
        at = sentence.heads[at]
    return at


def _first_joined(sentence: Sentence, top: int) -> int:
    """The first of the verbs that one is joined to, unless it has a subject of its own."""
    while sentence.deps[top] == "conj" and not any(
        sentence.deps[child] in ("nsubj", "nsubjpass") for child in sentence.children[top]
    ):
        top = sentence.heads[top]
    return top
