"""Who or what a frame is about: names, common nouns, what is whose, or the sentence's own words."""

from typing import TYPE_CHECKING

from hlg.facts import DENYING
from hlg.ingest.extract.local.drafts import PHRASE_KEY
from hlg.ingest.extract.local.facts.phrases import noun_phrase
from hlg.ingest.extract.local.facts.wording import INDEFINITE, bare, is_value
from hlg.ingest.extract.local.frames.decode import Span
from hlg.ingest.extract.local.frames.denied import INVERTED
from hlg.ingest.extract.local.frames.predicates import in_third_person, unshortened
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import word_set
from hlg.words.lexicon import NARROWING_WORDS, ORGANIZATION, PERSON, PLACE

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.resolved import ResolvedSentence

LONGEST_TOLD = 20
"""Words of a subject that is told as it stands."""
_TOLD_TAGS = ("NN", "JJ", "CD", "VB")
DEICTIC_WORDS = frozenset(("i", "we", "you", "my", "our", "your"))
_NO_SUBJECTS = ("PRP", "DT", "EX", "WP", "WDT", "VB", "TO", "IN", "RB", "CD")
_SOME = word_set("few fewer half less many more most only several some")
"""Of what only some is or does nothing is said of all of it."""
_EMPTY = frozenset(("following", "one", "ones"))
"""Subjects that are nothing by themselves."""
_NARROWING_TAGS = frozenset(("JJ", "JJR", "JJS", "VBN"))


def subject_of(
    resolved: "ResolvedSentence", span: Span, predicate: str
) -> tuple[tuple[str, ...], str]:
    """Keys of what a frame is about, and its predicate, which takes in what is whose."""
    sentence, first = resolved.sentence, span.first
    top = resolved.top(span.first, span.end)
    keys = resolved.keys_at(top)
    if keys:
        spoken = sentence.words[first : span.end] == ["I"]
        if spoken:
            predicate = in_third_person(sentence, predicate)
        return (as_told(resolved, span) if is_some(resolved, span) else keys), predicate
    is_asked = sentence.tags[first] == "WDT" and first < top  # "which genes"
    is_empty = len(span) < 3 and sentence.words[top].lower() in _EMPTY
    if is_asked or is_empty:
        return (), predicate
    if sentence.tags[top].startswith(_NO_SUBJECTS):
        if not (deictic := _deictic(resolved, span)):
            return as_told(resolved, span), predicate
        return (deictic,), unshortened(predicate)
    owners, words = resolved.owner(top, predicate)
    if owners:
        return owners, words
    start, end = undetermined(sentence, first, span.end)
    key: str | None = _deictic(resolved, span) or resolved.term(sentence, start, end)
    if not key and first < start:  # "a new hall designed by" somebody
        key = resolved.term(sentence, *noun_phrase(sentence, top))
    return ((key,) if key else as_told(resolved, span)), predicate


def as_told(resolved: "ResolvedSentence", span: Span) -> tuple[str, ...]:
    """The key of a subject in the sentence's own words: "each party", "most services", "55 women";
    none of a pronoun, of words that deny it, or of whose something is."""
    sentence, first = resolved.sentence, span.first
    is_told = sentence.tags[resolved.top(span.first, span.end)][:2] in _TOLD_TAGS
    pointing = sentence.tags[first].startswith(("W", "PRP")) and sentence.tags[first] != "PRP$"
    is_told = is_told and sentence.tags[span.end - 1] != "POS"
    if not is_told or pointing or not 1 < len(span) <= LONGEST_TOLD:
        return ()
    text, opening = bare(sentence.text(first, span.end)), sentence.words[first]
    before = sentence.words[first - 1].lower() if first else ""
    weakened = before in DENYING or (opening.lower() == "any" and before.endswith("ly"))
    if weakened or opening.lower() in DENYING | INDEFINITE or not is_value(text):
        return ()
    is_small = resolved.named[first] < 0 and (len(opening) == 1 or opening[1:].islower())
    return (f"{PHRASE_KEY}{text[0].lower() if is_small else text[0]}{text[1:]}",)


def _deictic(resolved: "ResolvedSentence", span: Span) -> str:
    """The key of "we" or "your bank", empty where a subject is neither."""
    sentence = resolved.sentence
    text, tags = sentence.text(span.first, span.end), sentence.tags
    said = sentence.words[span.first].lower()
    whole = len(span) == 1 or tags[span.first] == "PRP$"
    before = sentence.words[span.first - 1].lower() if span.first else ""
    if not whole or said not in DEICTIC_WORDS or before in INVERTED:
        return ""  # "can you put it there", "should you need more"
    return f"{PHRASE_KEY}{'I' if said == 'i' else said}{text[len(said) :]}"


def is_some(resolved: "ResolvedSentence", span: Span) -> bool:
    """Whether only some of what a span names are meant: "most Kestrels", "an eligible Veteran";
    of a person, a place or an organization an adjective says how they are."""
    sentence = resolved.sentence
    if sentence.words[span.first].lower() in _SOME:
        return True
    number = resolved.named[resolved.top(span.first, span.end)]
    if not 0 <= number < len(resolved.mentions):
        return False
    mention = resolved.mentions[number]
    return mention.entity_class not in (PERSON, PLACE, ORGANIZATION) and any(
        sentence.tags[at] in _NARROWING_TAGS and sentence.words[at].islower()
        for at in range(span.first, mention.first)
    )


def undetermined(sentence: Sentence, first: int, end: int) -> tuple[int, int]:
    """A phrase without its articles; nothing of one that "this" or "such" narrows."""
    words = [word.lower() for word in sentence.words[first:end]]
    if words[:2] == ["a", "few"]:
        return first, end
    while first < end - 1 and sentence.tags[first] == "DT":
        if sentence.words[first].lower() in NARROWING_WORDS:
            return first, first
        first += 1
    return first, end
