"""Small made-up documents with names that recur, for tests that build whole graphs."""

import json
import random
from pathlib import Path

PEOPLE = ("Ada Thorne", "Bela Kovacs", "Carla Mendes", "Dmitri Orlov", "Edith Vale", "Farid Nasser")
FIRMS = ("Northwind Shipping", "Helix Instruments", "Quarry Bank", "Solace Pharma", "Tern Airways")
CITIES = ("Port Ellery", "Grantham", "Novi Brod", "Castle Rock", "San Aurelio")


def article(seed: int) -> dict[str, str]:
    """One article of some fifteen sentences; the same seed gives the same text."""
    rng = random.Random(seed)
    person, other = rng.sample(PEOPLE, 2)
    firm, rival = rng.sample(FIRMS, 2)
    city = rng.choice(CITIES)
    year = rng.randint(1950, 2020)
    sentences = [
        f"{person} founded {firm} in {city} in {year}.",
        f"She had studied engineering with {other} before she moved to {city}.",
        f"{firm} bought {rival} for ${rng.randint(2, 90)} million, and {other} joined its board.",
        f"The company employs {rng.randint(20, 900)} people in {rng.choice(CITIES)}.",
        f"{other}, the director of {rival}, was born in {rng.choice(CITIES)}.",
        f"In {year + 5} the firm was sued by {rng.choice(FIRMS)} over a patent.",
    ]
    body = "\n\n".join(" ".join(rng.sample(sentences, len(sentences))) for _ in range(3))
    return {"_id": f"a{seed}", "title": f"{firm} and {person}", "text": body}


def write_corpus(path: Path, count: int) -> Path:
    """A JSONL file of ``count`` articles."""
    path.write_text("".join(json.dumps(article(seed)) + "\n" for seed in range(count)))
    return path
