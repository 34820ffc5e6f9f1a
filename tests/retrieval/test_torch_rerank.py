"""Cross-encoders of sentence-transformers (``hlg[torch]``), with a tiny one made here."""

from pathlib import Path

import numpy as np
import pytest

from hlg.models.rerankers import CrossEncoderReranker, open_reranker

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "bees", "kept", "petrel", "the", "vale"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder with random weights that are the same every time."""
    # PyTorch takes seconds to import, and every worker collects every module.
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    folder = tmp_path_factory.mktemp("cross-encoder")
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_a_cross_encoder_scores_pairs(folder: Path) -> None:
    reranker = open_reranker(str(folder))
    assert isinstance(reranker, CrossEncoderReranker)
    texts = ["bees kept the vale", "petrel", "lone \ud800 surrogate", ""]
    scores = reranker.scores("kept bees", texts)
    assert scores.dtype == np.float32
    assert scores.shape == (4,)
    assert len(set(scores.tolist())) == 4
    alone = [float(reranker.scores("kept bees", [text])[0]) for text in texts]
    np.testing.assert_allclose(scores, alone, atol=1e-5)
    assert reranker.scores("kept bees", []).shape == (0,)
