"""``hlg prompts``: what hlg asks language models with."""

from pathlib import Path

from hlg.cli.command import Commands, Shown
from hlg.cli.console import print_line, print_text, say
from hlg.cli.options import AnySettings
from hlg.models.language.prompts import PromptBook

app = Commands()


@app.callback()
def prompts() -> None:
    """List and show the prompts that language models are asked with, and change them.

    \b
    Examples:
      hlg prompts list
      hlg prompts show keywords
      hlg prompts eject prompts/ && $EDITOR prompts/keywords.md
      HLG_PROMPTS=prompts hlg build notes/
    """


@app.command("list")
def list_prompts(settings: AnySettings) -> Shown:
    """List the prompts: name, version, and what each is for; one's own are marked."""
    book = PromptBook(settings.prompts)
    found = [book.load(name) for name in book.names()]
    fields = ("name", "version", "about", "place")
    yield [{field: getattr(each, field) for field in fields} for each in found]
    for prompt in found:
        own = f"  ({prompt.place})" if prompt.is_own else ""
        print_line(f"{prompt.name:<20} {prompt.version:>3}  {prompt.about}{own}")


@app.command()
def show(name: str, settings: AnySettings) -> None:
    """Print a prompt as it is used: {{name}} is a parameter, [[name]] untrusted material.

    :arg NAME name: A prompt's name, as listed.
    """
    book = PromptBook(settings.prompts)
    book.load(name)
    print_text(book.source(name)[0].rstrip())


@app.command()
def eject(folder: Path, name: list[str] | None = None) -> None:
    """Write the prompts into a folder of your own; what is there already stays.

    With the setting ``prompts`` the files there go before hlg's. A changed prompt is part of
    what a source was built with: the next build asks anew.

    :arg FOLDER folder: Where the files go.
    :param NAME name --only: Only this one; may be given again.
    """
    from hlg.whole_file import write_whole_text

    book = PromptBook()
    for each in name or book.names():
        path = folder / f"{each}.md"
        text = book.source(each)[0]
        if path.exists():
            say(f"{path} is there already and stays as it is")
        else:
            write_whole_text(path, text, make_folder=True)
            print_line(f"wrote {path}")
    print_line(f'next: change them, and set prompts = "{folder}" in hlg.toml')
