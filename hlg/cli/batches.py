"""What a build did about batches, for a person."""

from hlg.cli.console import one_line, print_line, say
from hlg.reports import BatchReport, BatchState


def print_batches(report: BatchReport) -> None:
    """What came back, what is still out, what was sent, and what to do next."""
    for batch in report.out:
        print_line(_told(batch))
        for reason, count in batch.reasons.items():
            say(f"hlg: {count} of its questions have no answer: {one_line(reason)}")
    if report.unusable:
        say(
            f"hlg: {report.unusable} answers can't be used; hlg build without --batch asks for "
            "them once more"
        )
    for batch in report.sent:
        print_line(f"sent batch {one_line(batch.id)}: {batch.questions} questions")
    if report.held_back:
        say(
            f"hlg: {report.held_back} questions were not sent, as their answers might pass the "
            "budget; a higher budget sends them"
        )
    if report.sent or any(not each.is_over for each in report.out):
        print_line(
            "next: the same command again, once they are answered; that may take a day. It "
            "takes the answers in, and sends what they lead to or builds"
        )


def _told(batch: BatchState) -> str:
    if not batch.id:
        return f"a batch of {batch.questions} questions was never sent"
    name = f"batch {one_line(batch.id)}: {one_line(batch.status)}"
    if not batch.is_over:
        return f"{name}, {batch.questions} questions are out"
    return f"{name}, {batch.answered} of {batch.questions} questions answered"
