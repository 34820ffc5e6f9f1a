"""What a language model might say to the prompts of extraction: a script for the server."""

import json
import re

from support.language_model_server import Asked, Turn

_NAME = re.compile(r"(?:[A-Z]\w+)(?: [A-Z]\w+)*")
_VERB = re.compile(r"(.+?) (founded|built|runs|sold) (.+?)\.?$")


def reading_model(asked: Asked) -> Turn:
    """Reads sentences of the form "Edith Vale founded Oake Yard." and no others."""
    if asked.schema == "Propositions":
        passage = asked.material("passage")
        # A real model says what a pronoun stands for.
        said = [each.strip() for each in re.split(r"(?<=\.)\s+", passage) if each.strip()]
        subject = next(iter(_NAME.findall(passage)), "")
        told = [re.sub(r"^(She|It|He)\b", subject, each) for each in said]
        return json.dumps({"propositions": told})
    lines = [line.partition(". ")[2] for line in asked.material("statements").splitlines()]
    entities = sorted({name for line in lines for name in _NAME.findall(line)})
    facts = [
        {"statement": number, "subject": found[1], "predicate": found[2], "object": found[3]}
        for number, line in enumerate(lines, 1)
        if (found := _VERB.match(line.partition(" (")[0]))
    ]
    answer: dict[str, object] = {
        "entities": [{"name": name, "class": "person"} for name in entities],
        "facts": facts,
    }
    if asked.schema == "FoundGraph":
        answer["topics"] = [{"name": "Yards", "statements": [*range(1, len(lines) + 1), 99]}]
    return json.dumps(answer)
