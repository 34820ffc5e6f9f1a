"""How a question set is made, by name; listing the recipes imports none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlg.errors import UsageError
from hlg.registry import Registry, Row

if TYPE_CHECKING:
    from hlg.evaluation.synthesis.making import Made, Maker

    Recipe = Callable[[Maker, Any], Made]


@dataclass(frozen=True, slots=True)
class RecipeRow(Row["Recipe"]):
    """A recipe with the prompts by which it asks a language model; none where it asks none.
    ``local`` says of how many facts the same is made without one, and of how many files."""

    prompts: tuple[str, ...] = ()
    local: tuple[int, int] | None = None


_FACTS = "hlg.evaluation.synthesis.facts"
_HOPS, _TOPICS = "hlg.evaluation.synthesis.hops", "hlg.evaluation.synthesis.topics"
_PAIRED = ("name-entities", "make-two-hop", "answer-alone")
RECIPES: Registry[RecipeRow] = Registry(
    "recipe",
    {
        "facts": RecipeRow("one end of a fact, without a model", _FACTS, "single_facts"),
        "paths": RecipeRow("the end of two facts in a row, without a model", _FACTS, "paths"),
        "sf1h": RecipeRow(
            "one segment of a file, the answer in its words (thesis §4.1)",
            _HOPS,
            "single",
            "SegmentOptions",
            prompts=("make-one-hop",),
            local=(1, 1),
        ),
        "sf2h": RecipeRow(
            "two segments of a file that share names, both needed (thesis §4.1)",
            _HOPS,
            "double",
            "SegmentOptions",
            prompts=_PAIRED,
            local=(2, 1),
        ),
        "mf2h": RecipeRow(
            "segments of two files that share names, both needed (thesis §4.1)",
            _HOPS,
            "across",
            "SegmentOptions",
            prompts=_PAIRED,
            local=(2, 2),
        ),
        "multi-hop": RecipeRow(
            "chunks of several documents on like topics, refined and validated (HLG §5)",
            _TOPICS,
            "multi_hop",
            "TopicOptions",
            prompts=("make-multi-hop", "refine-multi-hop", "claims", "judge-claims"),
        ),
    },
)


def synthesize(maker: "Maker", recipe: str, *, local: bool = False) -> "Made":
    """A question set out of a graph.

    :param recipe: a name, options behind it: ``mf2h:words=400,shared=2``.
    :param local: made without a model, out of the graph's facts.
    :raises UsageError: no such recipe or option; the recipe asks a model and there is none, or
        can't be made without; or nothing can be made.
    """
    run, options = RECIPES.open(recipe)
    name, _, told = recipe.partition(":")
    if local and RECIPES[name].prompts:
        from hlg.evaluation.synthesis.facts import read_facts

        made_of = RECIPES[name].local
        if made_of is None:
            raise UsageError(f"{name} can't be made without a language model", option="local")
        if told:
            raise UsageError(
                f"without a model {name} takes no options, as {told!r}", option="recipe"
            )
        hops, files = made_of
        made = read_facts(maker, hops=hops, files=files)
    else:
        made = run(maker, options)
    if not made.dataset.questions and not made.ended:
        stages = ", ".join(f"{stage} {count}" for stage, count in made.stages.items())
        raise UsageError(
            f"no question was made by {recipe!r} ({stages}): build more documents, or cut them "
            "smaller where the recipe has words"
        )
    return made
