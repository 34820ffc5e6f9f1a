"""Embedders of sentence-transformers, and our int8 model held against the full-precision one.

Also what becomes of a name that is no model, of whichever kind.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from huggingface_hub import constants
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from hlg.errors import ModelError
from hlg.models import hub
from hlg.models.base import Embedder
from hlg.models.embedders import open_embedder
from hlg.models.propositionizer import Propositionizer
from hlg.models.rerankers import open_reranker
from hlg.models.torch_embedder import PACKAGED_MODULE
from hlg.models.weights import package_folder
from hlg.models.wordpiece import VOCABULARY, wordpiece_tokenizer
from support.texts import article

PACKAGED = package_folder(PACKAGED_MODULE, "") / "model"
INT8 = open_embedder()
VARIED = [
    "Helix Instruments bought Tern Airways for $90 million in 1987.",
    "Ångström's naïve café — \"quoted\" 'single' (brackets) [SEP] e.g. 3.14% @home #tag",
    "北京是中国的首都。Москва – столица России. العربية हिन्दी 한국어 Ελληνικά",
    "supercalifragilisticexpialidocious " + "x" * 101 + " co-founder's re-election\t\r\n\x0bend",
    "😀👩‍👩‍👧 ﬁ ½ № ™ \u00ad \u200b \ufeff e\u0301 İstanbul ß",
    "",
]


REFERENCE = Tokenizer.from_file(str(PACKAGED / "tokenizer.json"))
REFERENCE.no_padding()
REFERENCE.no_truncation()


@pytest.fixture(scope="module")
def full() -> Embedder:
    """The full-precision one: PyTorch is only loaded where these tests run."""
    return open_embedder("all-MiniLM-L6-v2")


def test_our_vocabulary_is_the_published_one() -> None:
    assert VOCABULARY.read_bytes() == (PACKAGED / "vocab.txt").read_bytes()


@pytest.mark.parametrize("text", [*VARIED, article(0)["text"]], ids=range(len(VARIED) + 1))
def test_our_tokens_are_those_of_the_published_tokenizer(text: str) -> None:
    assert wordpiece_tokenizer().encode(text).ids == REFERENCE.encode(text).ids


@settings(deadline=None, max_examples=300)
@given(st.text(st.characters(codec="utf-8")))
def test_our_tokens_are_those_of_the_published_tokenizer_on_any_text(text: str) -> None:
    assert wordpiece_tokenizer().encode(text).ids == REFERENCE.encode(text).ids


def test_int8_embeddings_are_those_of_full_precision(full: Embedder) -> None:
    sentences = [
        sentence for seed in range(3) for sentence in article(seed)["text"].split(". ") if sentence
    ]
    texts = [*VARIED, *sentences, article(7)["text"]]
    cosines = (INT8.embed(texts) * full.embed(texts)).sum(axis=1)
    assert cosines.mean() > 0.99
    assert cosines[len(VARIED) :].min() > 0.98


def test_the_packaged_model_needs_no_download_and_keeps_its_name(full: Embedder) -> None:
    assert (full.name, full.dimensions) == ("all-MiniLM-L6-v2", 384)
    assert open_embedder("all-MiniLM-L6-v2") is full


def test_embeddings_are_float32_of_unit_length_in_order(full: Embedder) -> None:
    texts = ["one", "a much longer text about ships and the sea", "\ud800\x00", ""]
    embeddings = full.embed(texts)
    assert embeddings.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(embeddings, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(full.embed(texts[::-1]), embeddings[::-1], atol=1e-5)
    assert full.embed([]).shape == (0, 384)


def test_spans_are_read_as_texts_of_their_own(full: Embedder) -> None:
    text, span = "Ada Thorne founded the firm in Oake.", (0, 10)
    spans = full.embed_spans(text, [span])
    np.testing.assert_allclose(spans, full.embed([text, "Ada Thorne"]), atol=1e-6)


@pytest.mark.parametrize("text", VARIED, ids=range(len(VARIED)))
def test_both_count_the_same_tokens(full: Embedder, text: str) -> None:
    assert full.count_tokens(text) == INT8.count_tokens(text)


class _NoModels(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Nothing is written to stderr."""


@contextmanager
def hub_that(does: str) -> Iterator[str]:
    """The address of a hub that has no models, says nothing, or is not there."""
    with ExitStack() as stack:
        if does == "has none":
            server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), _NoModels))
            Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            stack.callback(server.shutdown)
            port = server.server_port
        else:
            silent = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            port = silent.getsockname()[1]
            if does == "is gone":
                silent.close()
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("open_model", [open_embedder, open_reranker, Propositionizer])
@pytest.mark.parametrize(
    ("does", "name", "said"),
    [
        ("has none", "nonsense", r"at 127.0.0.1:\d+, which has no such model"),
        ("says nothing", "no/nonsense", "can't be reached (.+); is this machine offline"),
        ("is gone", "no/nonsense", "can't be reached (.+); is this machine offline"),
        ("is forbidden", "no/nonsense", "HF_HUB_OFFLINE forbids"),
        ("is not asked", "/no/such/folder", "no such folder, and no model can be named so"),
    ],
)
def test_a_name_that_is_no_model_is_an_error_at_once(
    does: str,
    name: str,
    said: str,
    open_model: Callable[[str], object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", does == "is forbidden")
    monkeypatch.setattr(hub, "HUB_SECONDS", 0.5)
    with hub_that(does) as address:
        monkeypatch.setattr(constants, "ENDPOINT", address)
        started = time.monotonic()
        with pytest.raises(ModelError, match=f"{name}' can't be loaded .*{said}.*torch") as caught:
            open_model(name)
    assert time.monotonic() - started < 3
    assert "\n" not in str(caught.value)
    told = capfd.readouterr()
    assert (told.out, told.err) == ("", ""), "what a library logs is not said"


def test_a_model_that_was_fetched_is_loaded_from_its_folder_without_a_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    model = tmp_path / "models--sentence-transformers--bees"
    folder = model / "snapshots" / "1"
    for file, text in (("refs/main", "1"), ("snapshots/1/modules.json", "[]")):
        (model / file).parent.mkdir(parents=True)
        (model / file).write_text(text)
    address = hub.model_address("bees", "transformers", "sentence-transformers")
    assert address == str(folder)
    (model / "blobs").mkdir()
    (model / "blobs" / "a.incomplete").touch()
    with pytest.raises(OSError, match="forbids"):
        hub.model_address("bees", "transformers", "sentence-transformers")
