"""Words of statements of accounts: periods, regions, and what moves a balance."""

__all__ = ["MOVES", "PERIOD_WORDS", "REGION_WORDS"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PERIOD_WORDS = _words(
    """
    actual and as at audited end ended ending fiscal for month months nine of quarter quarters
    reported restated six the three twelve unaudited week weeks year years
    """
)
"""What stands beside a date in a column's header."""
REGION_WORDS = _words(
    """
    africa all america americas and apac asia australia canada central china countries domestic
    east eastern emea europe foreign france germany greater india international italy japan
    kingdom korea latin mexico middle non-u.s. north northern of other outside pacific region
    regions rest rim singapore south southern states taiwan the total u.k. u.s. uk united us usa
    west western world worldwide
    """
)
"""Labels of these alone say where something was counted, and not what."""
MOVES = _words(
    """
    addition additions adjustment adjustments amount amounts balance balances charges gross net
    other payments total transfers
    """
)
"""Headers that say nothing without the section that a row is of."""
