"""A script in a language model's place for the demo's texts, as the notebook asks it.

It answers by a few rules, so that what it says is the same on every machine.
"""

import json
import re
from collections.abc import Callable, Iterator

from hlg.lexical.analysis import STOP_WORDS, analyze
from support.language_model_server import Asked, Says, Turn

_NAME = re.compile(r"\b[A-Z]\w+(?: (?:(?:in|on|and) )?[A-Z]\w+)+")
_FACT = re.compile(
    r"^(?P<subject>.+?) (?P<predicate>was invented by|was put up at|was designed by|was born in|"
    r"taught|entered|held|refused|was opened in|was printed in|died in) (?P<object>[^,.]+)"
)
_PRONOUN = re.compile(r"^(It|She|He|Her)\b")
_STATEMENT = re.compile(r"^\[(\d+)\] (?:[^:]+: )?(?:\(([^)]+)\) )?(.+)$", re.MULTILINE)
_HOPS = {
    "How many patents did the inventor of the tide organ hold?": [
        "Who invented the tide organ?",
        "How many patents did #1 hold?",
    ]
}


def town_model(asked: Asked) -> Turn:
    """What is said to any of hlg's prompts that the notebook comes to; its tokens are counted."""
    system = asked.messages[0]["content"]
    answer = next(answer for start, answer in _ANSWERS.items() if system.startswith(start))
    return Says(answer(asked), tokens=None)


def _propositions(asked: Asked) -> str:
    title = asked.material("title")
    person, said = title, []
    for sentence in _sentences(asked.material("passage")):
        about = person if sentence.startswith(("She", "Her")) else title
        said.append(_named(sentence, about))
        person = next(iter(_NAME.findall(sentence)), person) if "organ" not in title else title
    return json.dumps({"propositions": said})


def _told(asked: Asked) -> str:
    lines = [line.partition(". ")[2] for line in asked.material("statements").splitlines()]
    names = {name for line in lines for name in (*_NAME.findall(line), *_subject(line))}
    facts = [
        {"statement": number} | found.groupdict()
        for number, line in enumerate(lines, start=1)
        if (found := _FACT.match(line))
    ]
    entities = [{"name": name, "class": _class(name)} for name in sorted(names)]
    everything = list(range(1, len(lines) + 1))
    topics = [{"name": asked.material("title"), "statements": everything}]
    return json.dumps({"topics": topics, "entities": entities, "facts": facts})


def _answer(asked: Asked) -> str:
    """The statement that shares most with the question, in a sentence of its own."""
    question = asked.messages[-1]["content"].partition("Statements:")[0]
    wanted = _words(re.sub(r"\[.*?\]", "", question))
    found = _STATEMENT.findall("\n".join(each["content"] for each in asked.messages[1:]))
    number, about, text = max(found, key=lambda each: len(wanted & _words(" ".join(each[1:]))))
    said = _named(text, about) if about else text
    return f"{said[:1].upper()}{said[1:].rstrip('.')} [{number}]."


def _stand_alone(asked: Asked) -> str:
    names = _NAME.findall(asked.material("conversation").rpartition("Answer:")[2])
    return re.sub(r"\b(she|he)\b", names[0] if names else "it", asked.material("question"))


def _keywords(asked: Asked) -> str:
    return json.dumps({"keywords": _NAME.findall(asked.material("question")) or ["tide organ"]})


def _sub_questions(asked: Asked) -> str:
    question = asked.material("question")
    return json.dumps({"questions": _HOPS.get(question, [question])})


def _sub_answer(asked: Asked) -> str:
    found = re.search(r"invented by (\w+ \w+)", asked.material("passages"))
    return json.dumps({"answer": found[1] if found else ""})


def _correctness(asked: Asked) -> str:
    missing = sorted(_words(asked.material("right")) - _words(asked.material("answer")))
    reason = f"it lacks {', '.join(missing)}" if missing else "it says all that is right"
    return json.dumps({"reason": reason, "correct": not missing})


def _preference(asked: Asked) -> str:
    right = _words(asked.material("right"))
    first, second = (len(right & _words(asked.material(each))) for each in ("first", "second"))
    better = "neither" if first == second else "first" if first > second else "second"
    return json.dumps({"reason": "it says more of what is right", "better": better})


_ANSWERS: dict[str, Callable[[Asked], str]] = {
    "You break a passage": _propositions,
    "You turn numbered statements": _told,
    "You answer a question from numbered": _answer,
    "You are given a conversation": _stand_alone,
    "You list what one would look up": _keywords,
    "You take a question apart": _sub_questions,
    "You answer a question with the few words": _sub_answer,
    "You mark an answer": _correctness,
    "You compare two answers": _preference,
}
"""By how hlg's prompts begin."""


def _named(sentence: str, name: str) -> str:
    """A sentence with a name in place of the pronoun that it begins with."""
    return _PRONOUN.sub(lambda found: f"{name}'s" if found[1] == "Her" else name, sentence)


def _sentences(passage: str) -> Iterator[str]:
    for line in passage.splitlines():
        if line.strip() and not line.startswith("#"):
            yield from re.split(r"(?<=\.)\s+", line.strip())


def _subject(line: str) -> Iterator[str]:
    found = _FACT.match(line)
    if found:
        yield found["subject"]


def _class(name: str) -> str:
    if "College" in name or "Signals" in name:
        return "Organization"
    return "Person" if _NAME.fullmatch(name) and " in " not in name else "Thing"


def _words(text: str) -> set[str]:
    return set(analyze(text)) - STOP_WORDS
