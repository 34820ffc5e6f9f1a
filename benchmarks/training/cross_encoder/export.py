"""A trained cross-encoder as the folder that the ONNX reranker runs: int8, with its tokenizer."""

import json
import logging
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.training.cross_encoder.train import CrossEncoder
from hlg.errors import UsageError
from hlg.whole_file import write_whole, write_whole_text

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OPSET = 17


def export(encoder: CrossEncoder, folder: Path, provenance: Mapping[str, Any]) -> Path:
    """Write ``model.onnx``, ``tokenizer.json`` and ``training.json``; the model's path.

    Weights of linear layers and embeddings are integers in bytes, with room for sums of
    products on every processor; activations are quantized as they come (dynamic quantization).

    :raises UsageError: onnx is not installed.
    """
    try:
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise UsageError("exporting needs onnx: pip install onnx") from error
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        whole, small = Path(place, "whole.onnx"), Path(place, "small.onnx")
        _write_onnx(encoder, whole)
        root = logging.getLogger()
        level = root.level
        root.setLevel(logging.ERROR)
        try:
            quantize_dynamic(
                whole, small, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True
            )
        finally:
            root.setLevel(level)
        write_whole(folder / "model.onnx", [small.read_bytes()])
    write_whole_text(folder / "tokenizer.json", encoder.tokenizer.to_str())
    write_whole_text(folder / "training.json", json.dumps(dict(provenance), indent=1) + "\n")
    return folder / "model.onnx"


def _write_onnx(encoder: CrossEncoder, path: Path) -> None:
    import torch

    network = encoder.network.cpu().eval()
    example = torch.ones(2, 8, dtype=torch.long)
    shapes = {name: {0: "pairs", 1: "tokens"} for name in INPUTS}
    with warnings.catch_warnings():
        # The tracer warns of branches that are the same for every input here.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (example, example, torch.zeros_like(example)),
            str(path),
            dynamo=False,
            input_names=list(INPUTS),
            output_names=["logits"],
            dynamic_axes={**shapes, "logits": {0: "pairs"}},
            opset_version=OPSET,
        )
