"""A judge of names by what is seen of them: one table of weights over hashed traits.

Traits are short texts with a weight, such as ``dep=nsubj``; what they say of a name
(``names/judge.py``) was learned from marks by hand.
"""

import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.errors import ModelError

__all__ = ["BUCKETS", "Judge", "hashed"]

BUCKETS = 1 << 15
FORMAT = 1


class Judge:
    """A softmax over hashed traits: weights of shape (BUCKETS, classes)."""

    def __init__(self, weights: NDArray[np.float32], provenance: Mapping[str, Any]) -> None:
        self._weights = weights
        self.provenance = provenance

    @property
    def weights(self) -> NDArray[np.float32]:
        """Of each bucket of traits and each class."""
        return self._weights

    @classmethod
    def load(cls, path: Path) -> "Judge":
        """The judge of a file.

        :raises ModelError: the file is missing, damaged, or of another version of hlg.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as model:
                weights = model["weights"].astype(np.float32) * model["scale"]
                provenance = json.loads(str(model["provenance"]))
                version = provenance["format"]
        except OSError as error:
            raise ModelError(f"no judge at {path} ({error.strerror})") from error
        except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise ModelError(f"the judge {path} is damaged ({error})") from error
        if version != FORMAT:
            raise ModelError(f"the judge {path} is of format {version}, not {FORMAT}")
        return cls(weights, provenance)

    def save(self, path: Path) -> None:
        """Write the weights as whole numbers of 8 bits, scaled by class."""
        scale = np.abs(self._weights).max(axis=0) / 127
        np.savez_compressed(
            path,
            weights=np.round(self._weights / scale).astype(np.int8),
            scale=scale.astype(np.float32),
            provenance=np.array(json.dumps({"format": FORMAT, **self.provenance})),
        )

    def chances(self, traits: Sequence[Mapping[str, float]]) -> NDArray[np.float32]:
        """For each thing, of one at least, the chance of each class."""
        sizes = [len(each) for each in traits]
        buckets = np.fromiter((bucket for each in traits for bucket in hashed(each)), np.int64)
        values = np.fromiter((value for each in traits for value in each.values()), np.float32)
        firsts = np.concatenate(([0], np.cumsum(sizes[:-1], dtype=np.int64)))
        sums = np.add.reduceat(self._weights[buckets] * values[:, None], firsts, axis=0)
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        chances: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
        return chances


def hashed(traits: Iterable[str]) -> list[int]:
    """The bucket of each trait."""
    return [zlib.crc32(trait.encode("utf-8", "replace")) % BUCKETS for trait in traits]
