"""Reads a cross-encoder's file back into a network, to go on training it."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.training.judges.cross_encoder import ReadingNetwork
from hlg.errors import ModelError

_PASSED_THROUGH = frozenset(("Cast", "Mul"))
"""What stands between an integer product and the bias that is added to it."""


def read_exported(path: Path, network: ReadingNetwork) -> ReadingNetwork:
    """The network with the weights of a file that ``export`` wrote of one of its kind.

    Weights of 8 bits come back as numbers; what quantization took from them stays lost.

    :raises ModelError: the file has other layers than the network.
    """
    import onnx

    found = _weights(onnx.load(path))
    wanted = network.state_dict()
    missing = [
        name
        for name, value in wanted.items()
        if "word_embeddings" not in name and "position_ids" not in name
        if name not in found or found[name].shape != tuple(value.shape)
    ]
    if missing:
        raise ModelError(f"{path}: not of a network of this kind: it lacks {missing[0]}")
    network.load_state_dict({**wanted, **{name: torch.tensor(found[name]) for name in found}})
    return network


def _weights(model: Any) -> dict[str, NDArray[np.float32]]:
    """Each weight by the name that the network has for it.

    :param model: an ONNX model.
    """
    from onnx import numpy_helper

    graph = model.graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    found = {name: value for name, value in stored.items() if value.dtype == np.float32}
    found = {name: value for name, value in found.items() if not name.endswith("_scale")}
    makers = {out: node for node in graph.node for out in node.output}

    def whole(name: str) -> NDArray[np.float32]:
        stem = name.removesuffix("_quantized")
        shifted = stored[name].astype(np.float32) - np.float32(stored[f"{stem}_zero_point"])
        return np.asarray(shifted * stored[f"{stem}_scale"], np.float32)

    for name in stored:
        if name.endswith(".weight_quantized") and "embeddings" in name:
            found[name.removesuffix("_quantized")] = whole(name)
    for node in graph.node:
        bias = next((each for each in node.input if each.endswith(".bias")), "")
        if node.op_type == "Add" and bias:
            source = makers[next(each for each in node.input if each != bias)]
            while source.op_type in _PASSED_THROUGH:
                source = makers[source.input[0]]
            if source.op_type == "MatMulInteger":
                found[bias.removesuffix("bias") + "weight"] = whole(source.input[1]).T
    return found
