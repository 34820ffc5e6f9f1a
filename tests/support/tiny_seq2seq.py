"""A sequence-to-sequence model of a few thousand weights that has learnt what it is told."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path


def save_model(folder: Path, pairs: Mapping[str, str], most_tokens: int = 512) -> None:
    """Train a T5 on pairs of texts until it writes each by heart, and save it."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    words = pre_tokenizers.ByteLevel(add_prefix_space=False)
    known = {word for text in chain(*pairs.items()) for word, _ in words.pre_tokenize_str(text)}
    vocabulary = {"<pad>": 0, "</s>": 1, "<unk>": 2}
    vocabulary |= {word: place for place, word in enumerate(sorted(known), 3)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = words
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        model_max_length=most_tokens,
    )
    torch.manual_seed(0)
    model = T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(vocabulary),
            d_model=64,
            d_ff=128,
            d_kv=16,
            num_layers=1,
            num_heads=4,
            dropout_rate=0.0,
            decoder_start_token_id=0,
            pad_token_id=0,
            eos_token_id=1,
        )
    )
    read = fast(list(pairs), return_tensors="pt", padding=True)
    labels = fast(list(pairs.values()), return_tensors="pt", padding=True)["input_ids"]
    labels[labels == 0] = -100
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # more would wait for each other
    steps = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(300):
        loss = model(**read, labels=labels).loss
        steps.zero_grad()
        loss.backward()
        steps.step()
        if loss.item() < 0.02:
            break
    torch.set_num_threads(threads)
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
