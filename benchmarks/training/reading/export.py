"""The trained network as the file that ships: weights of 8 bits, without the word vectors."""

from pathlib import Path

import torch

from benchmarks.training.frames.export import write_onnx
from benchmarks.training.reading.network import ReadingNetwork
from hlg.retrieval.answers.reading.windows import HINT_TOKENS, PASSAGE_TOKENS, QUESTION_TOKENS

POSITIONS = QUESTION_TOKENS + HINT_TOKENS + PASSAGE_TOKENS + 4
"""Tokens of the longest window; the encoder's further positions are left out."""


def export(network: ReadingNetwork, path: Path) -> None:
    """Write it for onnxruntime; activations are quantized as they come."""
    network = network.cpu().eval()
    network.encoder.set_attn_implementation("eager")
    embeddings = network.encoder.embeddings
    kept = embeddings.position_embeddings.weight.detach()[:POSITIONS].clone()
    embeddings.position_embeddings.weight = torch.nn.Parameter(kept)
    ones = torch.ones(2, 8, dtype=torch.long)
    axes = {0: "windows", 1: "tokens"}
    write_onnx(
        network,
        (torch.zeros(2, 8, kept.shape[1]), ones, ones),
        dict.fromkeys(("vectors", "types", "mask"), axes),
        ("logits",),
        path,
        last="tokens",
    )
