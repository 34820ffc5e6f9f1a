"""A trained reader of frames and names as the files that ship: weights of 8 bits."""

import logging
import tempfile
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn

from benchmarks.training.frames.network import (
    CHANCES,
    WIDTH,
    FrameNetwork,
    NamesNetwork,
    ToldNetwork,
)

OPSET = 17


def export(network: FrameNetwork, folder: Path) -> None:
    """Write ``states.onnx`` and ``roles.onnx`` for onnxruntime; activations are quantized as they
    come."""
    torch.backends.mha.set_fastpath_enabled(False)
    network = network.cpu().eval()
    hidden = network.states.encoder.config.hidden_size
    ones = torch.ones(2, 8, dtype=torch.long)
    write_onnx(
        network.states,
        (torch.zeros(2, 8, hidden), ones, ones, torch.ones(2, 8, 4, dtype=torch.long)),
        {
            "vectors": {0: "sentences", 1: "pieces"},
            "mask": {0: "sentences", 1: "pieces"},
            "firsts": {0: "sentences", 1: "words"},
            "forms": {0: "sentences", 1: "words"},
        },
        ("words", "kinds", "states"),
        folder / "states.onnx",
    )
    rows = {0: "predicates", 1: "words"}
    write_onnx(
        network.roles,
        (torch.zeros(2, 8, WIDTH), torch.zeros(2, WIDTH), ones, ones, ones, ones[:, 0] * 0),
        {
            "words": rows,
            "heads": {0: "predicates"},
            "branches": rows,
            "distances": rows,
            "mask": rows,
            "styles": {0: "predicates"},
        },
        ("labels",),
        folder / "roles.onnx",
    )


def export_names(network: NamesNetwork, folder: Path) -> None:
    """Write ``names.onnx``."""
    torch.backends.mha.set_fastpath_enabled(False)
    network = network.cpu().eval()
    given = network.joined.in_features - network.forms.embedding_dim * 8
    forms = torch.ones(2, 8, 4, dtype=torch.long)
    rows = {0: "sentences", 1: "words"}
    write_onnx(
        network,
        (torch.zeros(2, 8, given), forms, forms, forms[:, :, 0]),
        dict.fromkeys(("states", "forms", "spellings", "mask"), rows),
        ("labels",),
        folder / "names.onnx",
    )


class _OfSentence(nn.Module):
    """A network of facts on those of one sentence, whose words' ``states`` are (words, width)."""

    def __init__(self, network: ToldNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, parts: torch.Tensor, *rest: torch.Tensor) -> Any:
        *facts, states = rest
        return self.network(states[None], parts, *facts, torch.ones_like(parts))[0]


def export_told(network: ToldNetwork, path: Path) -> None:
    """Write ``told.onnx``."""
    torch.backends.mha.set_fastpath_enabled(False)
    ones = torch.ones(2, 8, dtype=torch.long)
    rows = {0: "facts", 1: "words"}
    write_onnx(
        _OfSentence(network.cpu()).eval(),
        (ones, ones, ones, ones, ones[:, 0], torch.zeros(2, CHANCES), torch.zeros(8, WIDTH)),
        {
            **dict.fromkeys(("parts", "told", "branches", "distances"), rows),
            "heads": {0: "facts"},
            "chances": {0: "facts"},
            "states": {0: "words"},
        },
        ("odds",),
        path,
        last=None,
    )


def write_onnx(
    network: nn.Module,
    given: tuple[torch.Tensor, ...],
    axes: dict[str, dict[int, str]],
    found: tuple[str, ...],
    path: Path,
    last: str | None = "words",
) -> None:
    """A network with weights of 7 bits in bytes, each column scaled by itself.

    Processors without VNNI add products up in 16 bits, where those of 8 bits overflow: the same
    file would read a sentence differently there.

    :param given: what it may be traced with; ``axes`` names those that vary, of each input.
    :param found: names of what it gives, whose second axis, if any, is ``last``.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer's, of branches that never change here
        whole = Path(place, "whole.onnx")
        rows = next(iter(axes.values()))
        second = {1: last} if last else {}
        torch.onnx.export(
            network,
            given,
            str(whole),
            dynamo=False,
            input_names=list(axes),
            output_names=list(found),
            dynamic_axes={**axes, **{name: {0: rows[0], **second} for name in found}},
            opset_version=OPSET,
        )
        logging.disable(logging.WARNING)
        try:
            quantize_dynamic(
                whole, path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True
            )
        finally:
            logging.disable(logging.NOTSET)
