"""Questions asked in batches, by OpenAI's interface for that: cheaper, and answered in hours.

A batch is a file of requests, one a line, each with its question's key; what comes back is a
file of answers with the same keys, and one of errors. :mod:`hlg.models.language.ledger` holds
which are out; answers go where all answers are kept, so that whoever asks next finds them.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlg.errors import ModelError, UsageError
from hlg.models.language.answers import Reply
from hlg.models.language.budget import Meter, current_budget
from hlg.models.language.endpoint import Endpoint
from hlg.models.language.failures import EndpointFault
from hlg.models.language.ledger import BatchLedger, OpenBatch
from hlg.models.language.prompts import Question
from hlg.reports import BATCH_OUT, BatchState

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types import Batch

MOST_LINES = 50_000
MOST_BYTES = 100_000_000
"""Of one batch; providers take as many lines, and twice as many bytes."""
TOKEN = "hlg"
"""Name of the metadata in which a batch carries its token."""

_Line = tuple[Question, bytes]


@dataclass(frozen=True, slots=True)
class BatchDesk:
    """Sends questions off in batches, and takes in what came back.

    :param share: what an answer costs, as a part of its price.
    :param by_schema: the endpoint is told the schema of an answer.
    """

    endpoint: Endpoint
    ledger: BatchLedger
    meter: Meter
    share: float
    by_schema: bool

    def collect(self) -> list[BatchState]:
        """Take in the answers that are ready; what became of each batch that was out.

        :raises ModelError: the provider can't be asked, or says no.
        """
        batches = self.ledger.open(self.endpoint.name, self.endpoint.address)
        if not batches:
            return []
        with self._client() as client:
            return [self._collect(client, each, self._found(client, each)) for each in batches]

    def not_out(self, questions: Sequence[Question]) -> list[Question]:
        """Those of some questions that are in no batch yet."""
        return [each for each in questions if not self.ledger.is_awaited(each.key)]

    def submit(self, questions: Sequence[Question]) -> list[BatchState]:
        """Send off questions; the new batches.

        Not so many that they could pass the budget.

        :raises ModelError: the provider can't be asked, or says no.
        """
        sent = []
        with self._client() as client:
            for lines in _parts(self._affordable(questions)):
                token = secrets.token_hex(16)
                prompts = {question.key: question.prompt.fingerprint for question, _ in lines}
                taken = self.ledger.begin(token, self.endpoint.name, self.endpoint.address, prompts)
                data = b"".join(line for question, line in lines if question.key in taken)
                if not data:
                    self.ledger.settle(token, {})
                    continue
                batch = self._send(client, token, data)
                self.ledger.sent(token, batch.id)
                sent.append(BatchState(batch.id, batch.status, len(taken)))
        return sent

    @contextmanager
    def _client(self) -> "Iterator[OpenAI]":
        """The provider's own client, whose errors become one line.

        :raises UsageError: the model speaks another protocol.
        """
        client = self.endpoint.openai_client()
        if client is None:
            raise UsageError(
                f"batches need OpenAI's protocol, which {self.endpoint.name} is not asked by; "
                "build without --batch",
                option="batch",
            )
        from openai import OpenAIError

        try:
            with client:
                yield client
        except (OpenAIError, EndpointFault) as error:
            reason = self.endpoint.failure(error).reason
            raise ModelError(
                f"the provider's batches can't be used: {reason}", model=self.endpoint.name
            ) from error

    def _affordable(self, questions: Sequence[Question]) -> Iterator[_Line]:
        """The lines of as many questions as the budget has room for, whatever is answered."""
        most = 0.0
        budget = current_budget()
        for question in questions:
            messages = question.messages()
            said = "\n".join(text for _, text in messages)
            prompt = question.prompt
            tokens = self.meter.count_tokens(said)
            most += self.share * self.meter.most(tokens, prompt.answer_tokens)
            if budget is not None and budget.would_pass(most):
                return
            body = self.endpoint.body(
                messages,
                prompt.answer_tokens,
                prompt.temperature,
                question.schema if self.by_schema else None,
            )
            request = {"custom_id": question.key, "method": "POST", "body": body}
            request["url"] = "/v1/chat/completions"
            yield question, json.dumps(request).encode() + b"\n"

    @staticmethod
    def _send(client: "OpenAI", token: str, data: bytes) -> "Batch":
        file = client.files.create(file=(f"{token}.jsonl", data), purpose="batch")
        # Tried once: a second try might be a second batch. The next run looks for the first.
        return client.with_options(max_retries=0).batches.create(
            input_file_id=file.id,
            endpoint="/v1/chat/completions",
            completion_window="24h",
            metadata={TOKEN: token},
        )

    def _found(self, client: "OpenAI", open_: OpenBatch) -> "Batch | None":
        """A batch as the provider has it; None where it never got there."""
        if open_.id:
            return client.batches.retrieve(open_.id)
        for batch in client.batches.list(limit=100):
            if (batch.metadata or {}).get(TOKEN) == open_.token:
                self.ledger.sent(open_.token, batch.id)
                return batch
        return None

    def _collect(self, client: "OpenAI", open_: OpenBatch, batch: "Batch | None") -> BatchState:
        if batch is None:
            self.ledger.settle(open_.token, {})
            return BatchState("", "never sent", open_.questions)
        if batch.status in BATCH_OUT:
            return BatchState(batch.id, batch.status, open_.questions)
        answers: dict[str, Reply] = {}
        reasons: dict[str, int] = {}
        for file in filter(None, (batch.output_file_id, batch.error_file_id)):
            for key, outcome in _outcomes(client.files.content(file).text.splitlines()):
                if isinstance(outcome, Reply):
                    answers[key] = outcome
                else:
                    reasons[outcome] = reasons.get(outcome, 0) + 1
        for error in (batch.errors.data or []) if batch.errors else []:
            reasons[error.message or "no reason is given"] = open_.questions
        answered = self.ledger.settle(open_.token, answers)
        for reply in answers.values():
            self.meter.add_batched(reply, self.share)
        return BatchState(batch.id, batch.status, open_.questions, answered, reasons)


def _parts(lines: Iterable[_Line]) -> Iterator[list[_Line]]:
    """Lines in batches that a provider takes."""
    part: list[_Line] = []
    size = 0
    for line in lines:
        if part and (len(part) == MOST_LINES or size + len(line[1]) > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(line)
        size += len(line[1])
    if part:
        yield part


def _outcomes(lines: Iterable[str]) -> Iterator[tuple[str, Reply | str]]:
    """What came of each question, by its key: an answer, or why there is none."""
    for line in lines:
        try:
            told = json.loads(line)
            key = str(told["custom_id"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue  # its question is one without an answer
        yield key, _outcome(told)


def _outcome(told: Mapping[str, Any]) -> Reply | str:
    try:
        body = (told.get("response") or {}).get("body") or {}
        if error := told.get("error") or body.get("error"):
            said = isinstance(error, Mapping) and (error.get("message") or error.get("code"))
            return " ".join(str(said or error).split())
        usage = body.get("usage") or {}
        return Reply.of(
            body["choices"][0]["message"]["content"] or "",
            usage.get("prompt_tokens"),
            usage.get("completion_tokens"),
        )
    except (AttributeError, KeyError, IndexError, TypeError):
        return "a line that is no answer"
