"""``hlg doctor``: is everything there, and where does each setting come from?"""

import typer

from hlg.cli.console import one_line, print_json, print_line
from hlg.cli.options import GraphFlags


def doctor(given: GraphFlags, as_json: bool = False) -> None:
    """Check Python, packages, models, store and permissions; say what to do.

    A language model that is set is asked for a word. Also shows every setting with where its
    value comes from. Changes nothing. The exit code is that of the first check that is not ok.

    \b
    Examples:
      hlg doctor
      hlg doctor --store neo4j://localhost:7687
      hlg doctor --json | jq '.checks[] | select(.ok | not)'
    """
    from hlg.doctor import choices, examine
    from hlg.documents import fields_of
    from hlg.settings import load_settings, setting_origins

    settings = load_settings(**given)
    origins = setting_origins(settings, given)
    checks = []
    for check in examine(settings):
        checks.append(check)
        if not as_json:
            mark = "ok   " if check.ok else "FAULT"
            print_line(f"{mark}  {check.name}: {one_line(check.detail)}")
            if check.advice:
                print_line(f"       {one_line(check.advice)}")
    exit_code = next((check.exit_code for check in checks if not check.ok), 0)
    if as_json:
        print_json(
            {
                "ok": exit_code == 0,
                "checks": [
                    {"ok": check.ok} | fields_of(check, without={"exit_code"}) for check in checks
                ],
                "settings": origins,
                "choices": choices(),
            }
        )
    else:
        print_line()
        for name, origin in origins.items():
            print_line(f"{name:<19} {one_line(origin.value) or '(none)':<24} {origin.origin}")
        print_line()
        for kind, named in choices().items():
            print_line(f"{kind}: {', '.join(named)}")
        print_line()
        print_line("all is well" if exit_code == 0 else "see the lines marked FAULT")
    if exit_code:
        raise typer.Exit(exit_code)
