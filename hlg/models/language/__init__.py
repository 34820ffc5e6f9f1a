"""The one door to language models: everything that hlg asks of one goes through it.

::

    from hlg.models.language.door import open_door

    door = open_door(settings)                 # None where the settings name no model
    answer = door.ask("global-answer", {"question": question, "points": points})
    answer.text, answer.tokens_in, answer.money, answer.cached
    found = door.ask_json("keywords", Keywords, {"question": question})
    found.value                                # a Keywords, validated by pydantic
    stream = door.stream("global-answer", {"question": question, "points": points})
    for piece in stream: ...
    stream.answer                              # as of ask(), once the stream has ended
    for answer in door.ask_many("keywords", [{"question": one}, {"question": other}]): ...
    for result in door.map(function, items): ...     # as many at once as the settings allow
    door.usage.summary()                       # "12 calls, 3,100 tokens in, 420 out, $0.0012"

A prompt is a file (:mod:`.prompts`): its sections hold ``{{name}}`` for parameters, which hlg
gives and which are trusted, and ``[[name]]`` for material, which is not: documents, questions,
what a model said. Material is fenced (:mod:`.fence`). What was answered once is kept
(:mod:`.cache`), counted and priced (:mod:`.prices`), and asked for no faster than the limits
allow (:mod:`.limits`).
"""
