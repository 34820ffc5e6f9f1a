"""How near an answer's text is to the right one: exact match, token F1, ROUGE-L."""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence

from hlg.evaluation.metrics.thesis import longest_common_subsequence

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_VERDICTS = frozenset(("yes", "no", "noanswer"))
_TOKEN = re.compile(r"[^\W_]+")


def normalized(text: str) -> str:
    """Lower-case, without punctuation, articles and extra white space (SQuAD's evaluation
    script, Rajpurkar et al. 2016)."""
    text = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", text).split())


def exact_match(answer: str, gold: str) -> float:
    """1 where both are the same once normalised."""
    return float(normalized(answer) == normalized(gold))


def holds(answer: str, gold: str) -> float:
    """1 where the gold's words stand in an answer in their order, both normalised."""
    return float(f" {normalized(gold)} " in f" {normalized(answer)} ")


def token_f1(answer: str, gold: str) -> float:
    """Harmonic mean of the shares of words that an answer and the gold have in common.

    As HotpotQA's script has it (Yang et al. 2018): yes and no are right or wrong, not partly.
    """
    one, other = normalized(answer), normalized(gold)
    if one != other and not _VERDICTS.isdisjoint((one, other)):
        return 0.0
    said, right = one.split(), other.split()
    if not said or not right:
        return float(said == right)
    shared = sum((Counter(said) & Counter(right)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(right)
    return 2 * precision * recall / (precision + recall)


def rouge_l(answer: str, gold: str) -> float:
    """F-measure of the longest common subsequence of words (Lin 2004, §3.1, beta = 1)."""
    said, right = (_TOKEN.findall(text.lower()) for text in (answer, gold))
    if not said or not right:
        return float(said == right)
    return 2 * longest_common_subsequence(said, right) / (len(said) + len(right))


def best_of(metric: Callable[[str, str], float], answer: str, golds: Sequence[str]) -> float:
    """The metric against the gold that it is best for, as all of them are right."""
    return max((metric(answer, gold) for gold in golds), default=0.0)
