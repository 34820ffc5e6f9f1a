"""What a question asks for: a person, a place, a date, a number, yes or no, one of two things.

Read off its words by patterns, as Li and Roth (COLING 2002) sort questions: the question word
says most of it, after *what* and *which* the noun that follows ("what mountain range").
"""

import re
from dataclasses import dataclass
from itertools import chain

from hlg.words import sections, word_set, words
from hlg.words.lexicon import NOUN_CLASSES

PERSON, PLACE, ORGANIZATION, WORK = "Person", "Place", "Organization", "Work"
EVENT, GROUP, NAME = "Event", "Group", "Name"
DATE, NUMBER, YES_NO, TEXT = "date", "number", "yes or no", "text"
KINDS = (PERSON, PLACE, ORGANIZATION, WORK, EVENT, GROUP, NAME, DATE, NUMBER, YES_NO, TEXT)
"""What can be asked for. ``NAME`` is a thing whose noun is in no list here; ``TEXT`` is what no
span answers: why, how, what something is."""

MAX_CHARACTERS = 2_000
"""Only so much of a question is read."""


_KIND_OF_NOUN = {noun: kind for noun, kind in NOUN_CLASSES.items() if kind in KINDS} | {
    noun: kind for kind in KINDS for noun in sections("questions").get(kind, ())
}
_PERSONAL = re.compile(r"(?:[a-z]{3,}(?:ist|wright|woman|man|eer)|[a-z]{4,}ess)")

_AUXILIARIES = words("questions", "auxiliaries")
_ENDS_A_NOUN = _AUXILIARIES | word_set(
    """, ? of in on at by for from to with that who whom whose which where when as and or than
    into about after before during between called named located known"""
)
_DETERMINERS = words("questions", "determiners")
_PREPOSITIONS = words("questions", "prepositions")
_BEING = word_set("is are was were")
_DOING = word_set("do does can could should will would happens happened")
"""After *what*: no noun is asked for, but what somebody does."""
_AT_END = _PREPOSITIONS | word_set("called named about like")
_EMPTY_NOUNS = word_set("name names title kind type sort part one")
_WORD = re.compile(r"[\w.&-]+(?:['’](?!s\b)\w+)?|['’]s\b|[,?]")
_DONE = words("questions", "done")
_HAPPENING = words("questions", "happening")
"""After *when*: of events, which have dates."""
_MEASURES = words("questions", "measures")
_COUNTED = re.compile(rf"\bhow m(?:any|uch) (?!(?:{'|'.join(sorted(_AUXILIARIES))})\b)", re.I)
_POSSESSIVE = frozenset(("'s", "’s"))
MOST_WORDS = 14
"""Words of a thing to choose."""
_JOINT = r"(?:of|the|de|von|van|and|in|to|a|la|le|&)"
_CAPITAL = r"[A-Z0-9\"“(][^\s,]*"
_OUT_OF = re.compile(
    rf"\b(?:out of|[Aa]mong|between)\s+((?:{_CAPITAL} ?|{_JOINT} )+?) (?:and|or) "
    rf"((?:{_CAPITAL}(?: (?={_CAPITAL}|{_JOINT} {_CAPITAL}))?|{_JOINT} (?={_CAPITAL}))+)"
    r"(?=,| who| which| what|\?|$)"
)
_CAPITALS_FIRST = re.compile(rf"{_CAPITAL}(?:,? (?:{_JOINT} )*{_CAPITAL})*")
_CAPITALS_LAST = re.compile(rf"{_CAPITAL}(?: (?:{_JOINT} )*{_CAPITAL})*$")
_BEFORE_A_NAME = re.compile(
    r"^(?:either |(?:the |a )?(?:film|movie|book|band|song|magazine)s? (?=[A-Z]))+"
)

_EARLIER = re.compile(
    r"\b(?:earlier|first|older|oldest|before|earliest|the elder|longer ago)\b", re.I
)
_LATER = re.compile(r"\b(?:later|last|younger|youngest|more recent(?:ly)?|recently|latest)\b", re.I)
_MORE = re.compile(
    r"\b(?:more|most|larger|largest|bigger|biggest|higher|highest|taller|tallest|longer|longest"
    r"|greater|greatest)\b",
    re.I,
)
_LESS = re.compile(
    r"\b(?:fewer|fewest|less|least|smaller|smallest|lower|lowest|shorter|shortest)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for."""

    kind: str
    """One of :data:`KINDS`."""
    noun: str = ""
    """What it is called in the question, lower-case: "mountain range" of "what mountain range"."""
    choices: tuple[str, ...] = ()
    """The things that it lets choose from."""
    order: str = ""
    """By what: ``earlier``, ``later``, ``more``, ``less``, or empty."""
    is_counted: bool = False
    """Whether it is asked how many there are of what the noun says."""


def asked_for(question: str) -> Asked:
    """Sort a question by what would answer it.

    >>> found = asked_for("Humboldt Peak is part of what mountain range?")
    >>> found.kind, found.noun
    ('Place', 'mountain range')
    >>> asked_for("Which film came out first, The Kid or Wings?").choices
    ('The Kid', 'Wings')
    """
    text = " ".join(question[:MAX_CHARACTERS].split())
    words = [word.lower() for word in _WORD.findall(text.rstrip(" ?"))]
    kind, noun = _kind(words)
    choices = _choices(text) if " or " in text or " and " in text else ()
    if choices and kind == YES_NO:
        is_both = " both " in text.lower() or " or " not in text
        return Asked(YES_NO, noun) if is_both else Asked(NAME, noun, choices, _order(text))
    order = _order(text) if choices else ""
    if choices and kind in (DATE, NUMBER, TEXT, PLACE):
        # "Which has the larger population, ...": what is asked for are the choices.
        kind, choices = (NAME, choices) if " or " in text and order else (kind, ())
    is_counted = kind == NUMBER and bool(noun) and _COUNTED.search(text) is not None
    return Asked(kind, noun, choices, order if choices else "", is_counted)


def _kind(words: list[str]) -> tuple[str, str]:
    place = _question_word(words)
    if place < 0:
        if words and words[0] in _AUXILIARIES:
            return YES_NO, ""
        return TEXT, ""
    word, rest = words[place], words[place + 1 :]
    if word in ("who", "whom", "whose"):
        return (PERSON, "") if word != "whose" else _of_noun(rest, PERSON)
    if word == "where":
        return PLACE, ""
    if word == "when":
        return (TEXT if _is_condition(rest) else DATE), ""
    if word == "how":
        if rest[:1] in (["many"], ["much"]):
            return NUMBER, _noun(rest[1:])
        return (NUMBER, "") if rest and rest[0] in _MEASURES else (TEXT, "")
    if word == "what" and rest and rest[0] in _BEING and _is_said_of(rest):
        return TEXT, ""
    if word == "why" or (word == "what" and rest and rest[0] in _DOING and rest[-1] not in _AT_END):
        return TEXT, ""
    return _of_noun(rest, NAME)


def _is_said_of(rest: list[str]) -> bool:
    """Whether what follows *what is* asks what is said of a thing: what it is for, what costs are
    related to, what assets are composed of."""
    return rest[-1] == "for" or (rest[-1] in ("of", "on", "to") and rest[-2].endswith("ed"))


def _is_condition(rest: list[str]) -> bool:
    """Whether what follows *when* asks under which condition, and not for a date: "is a warning
    shown", "should I use it", "does it fail"."""
    if not rest or _HAPPENING & set(rest):
        return False
    if rest[0] in ("is", "are"):
        return any(word.endswith("ed") or word in _DONE for word in rest[2:])
    return rest[0] in ("should", "must", "can", "do", "does")


def _question_word(words: list[str]) -> int:
    """Where the word is that asks: at the start, else the last *what* or *which* or *how many*,
    else the last *who*, *where* or *when*; -1 where none is."""
    first = next((i for i, word in enumerate(words[:3]) if word not in _PREPOSITIONS), 0)
    asking = ("who", "whom", "whose", "where", "when", "what", "which", "how", "why")
    if words[first : first + 1] and words[first] in asking:
        return first
    if words and words[0] in _AUXILIARIES:
        return -1
    places = range(len(words) - 1, -1, -1)
    strong = (i for i in places if words[i] == "what" or words[i : i + 2] == ["how", "many"])
    which = (i for i in places if words[i] == "which" and words[i + 1 : i + 2] != ["is"])
    weak = (i for i in places if words[i] in ("who", "whom", "where", "when"))
    return next(chain(strong, which, weak), -1)


def _of_noun(rest: list[str], otherwise: str) -> tuple[str, str]:
    words = _noun(rest).split()
    # "What county shares a border" is read on past its noun: the last one that is known.
    for end in range(len(words), 0, -1):
        if kind := _kind_of(words[end - 1]):
            return kind, " ".join(words[:end])
    noun = " ".join(words)
    is_whole = rest[:1] and rest[0] in _BEING and " ".join(rest).endswith(noun)
    if is_whole and not _POSSESSIVE & set(rest):
        return TEXT, noun  # What is the tide organ?
    if otherwise == NAME and (not noun or words[0] in ("mean", "meaning", "purpose")):
        return TEXT, noun
    return otherwise, noun


def _kind_of(noun: str) -> str:
    for form in (noun, noun.removesuffix("s"), noun.removesuffix("ies") + "y"):
        if form in _KIND_OF_NOUN:
            return _KIND_OF_NOUN[form]
    return PERSON if _PERSONAL.fullmatch(noun) else ""


def _noun(words: list[str]) -> str:
    """The noun phrase that words start with, or that comes after "is the (name of)"."""
    found: list[str] = []
    for i, word in enumerate(words):
        if word in _POSSESSIVE or (word == "of" and found and found[-1] in _EMPTY_NOUNS):
            found.clear()
        elif not found and (word in _DETERMINERS or word in _AUXILIARIES or word == "of"):
            continue
        elif word in _ENDS_A_NOUN:
            is_name_before = words[0] in _AUXILIARIES and set(words[i : i + 4]) & _POSSESSIVE
            if not is_name_before or (found and _kind_of(found[-1]) == DATE):
                break
            found.clear()
        else:
            found.append(word)
    return " ".join(found[-4:])


def _choices(text: str) -> tuple[str, ...]:
    """The two things that a question names to choose from; none where there are none."""
    if match := _OUT_OF.search(text):
        return _tidied(match.group(1), match.group(2))
    before, found, after = text.rpartition(" or ")
    if not found:
        return ()
    after = after.strip(" ?")
    first_word, _, rest = before.partition(" ")
    if first_word.lower() in _AUXILIARIES and "," not in before:
        # "Was Ada Quill or Ben Roe born first?"
        return _tidied(rest, _names_at_start(after))
    before = before.rstrip(" ,")
    comma = before.rfind(", ")
    if comma < 0:
        comma = before.rfind(": ") if ": " in before else -1
    one = before[comma + 2 :] if comma >= 0 else _names_at_end(before)
    return _tidied(one, after)


def _names_at_start(text: str) -> str:
    match = _CAPITALS_FIRST.match(text)
    return match.group() if match else ""


def _names_at_end(text: str) -> str:
    """The run of capitals that a text ends with: "Ada Quill" of "Who is older, Ada Quill"."""
    match = _CAPITALS_LAST.search(text)
    return match.group() if match else ""


def _tidied(one: str, other: str) -> tuple[str, ...]:
    choices = tuple(
        _BEFORE_A_NAME.sub("", choice.strip(" ,?;:")).strip('"“”') for choice in (one, other)
    )
    if not all(0 < len(choice.split()) <= MOST_WORDS for choice in choices):
        return ()
    return choices if choices[0][0].isupper() or choices[0][0].isdigit() else ()


def _order(text: str) -> str:
    orders = {"later": _LATER, "earlier": _EARLIER, "less": _LESS, "more": _MORE}
    return next((name for name, pattern in orders.items() if pattern.search(text)), "")
