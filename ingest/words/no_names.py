"""Words with a capital that name nothing: greetings, labels of sections, captions of pages."""

__all__ = ["INTERJECTIONS", "NO_NAMES", "SECTION_LABELS"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


INTERJECTIONS = _words(
    """
    absolutely ah aha alright amen anyway appetit aw awesome aww bet bravo brb btw bummer bye
    cheers congrats congratulations cool damn dang dear definitely dude eek eww exactly
    fantastic fyi geez gg glad gon gonna good goodbye gosh gotcha gotta great guys haha hahaha
    heh hehe hehehe hello hey heya hi hiya hmm hmmm hooray huh hurray idk imo indeed jeez kudos
    lemme lets lmao lol maybe mhm mm mmm nah nice no nope oh ok okay omg oof ooh ooo oooh oops
    ouch perfect phew please really right rofl sheesh shure smh sorry super sure sweet tada tbh
    thank thanks thx totally ttyl ugh uh um wan wanna welcome well welp whoa whoohoo woah woo
    woohoo wow xoxo ya yay yea yeah yep yes yikes yippee yo yum yummy yup
    """
)
"""What people say before a name or by itself."""
SECTION_LABELS = _words(
    """
    abstract aim aims background case conclusion conclusions context data design discussion
    exposures findings funding importance interpretation intervention interventions introduction
    keywords main materials measure measurements measures method methodology methods motivation
    objective objectives outcome outcomes participants patients purpose rationale registration
    relevance result results setting settings significance study summary trial update updated
    """
)
"""What the parts of an abstract begin with, in capitals."""
_LABELS = _words(
    """
    amended amount appendix asset assets author authors basic chapter city column contents country
    date definition deprecated description diluted email eps error example examples fig figure
    figures file filename home index info item items key label link links list login menu n.b.
    name next no. nos note notes number optional options output overview p.s. page pages
    parameters part previous price prices product ps rate read required restated row section see
    share source status step subject table tables tag tags target text tip title todo topic topics
    total totals type url usage user value values version warning year years
    """
)
_UNITS = _words(
    """
    am bst cet cm cr cst db ec edt est et eur gb gbp ghz gmt hz ist kb kg khz km lbs mb mg mhz ml mm
    mph pm pst pt rs tb usd utc
    """
)
_PHRASES = frozenset(
    (
        "next topic",
        "previous topic",
        "table of contents",
        "trial registration",
        "read more",
        "see also",
        "sign in",
        "log in",
        "sign up",
        "price history",
        "thank you",
        "good job",
        "good luck",
        "bon appetit",
        "no worries",
        "sounds great",
        "take care",
    )
)
NO_NAMES = INTERJECTIONS | SECTION_LABELS | _LABELS | _UNITS | _PHRASES
"""What is no name when it stands alone, lower-cased."""
