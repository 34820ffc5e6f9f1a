"""Words of statements of accounts: periods, what is measured, and what moves a balance."""

import re

__all__ = ["MEASURES", "MOVES", "PERIOD_WORDS"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PERIOD_WORDS = _words(
    """
    actual and as at audited end ended ending first fiscal for fourth month months nine of quarter
    quarters reported restated second six the third three twelve unaudited week weeks year years
    """
)
"""What stands beside a date in a column's header."""
_MEASURED = """
accrual accrued actuarial adjustment administrative advertising allowance amortisation
amortization amount asset backlog basic benefit borrowing brokerage capex capital carryforward
cash charge commission compensation consumption contribution cost credit debt deferred deficit
deposit depreciation derivative development diluted discount dividend duration earning ebit ebitda
emission employee eps equipment equity expenditure expense fee fine fund gain goodwill grant
headcount impairment income index inflow insurance interest inventor lease liabilit licens life
litigation loan loss margin marketing maturit number obligation order outflow output overhead par
payable payment payroll penalt population premium prepaid price proceed production profit property
provision purchase rate ratio receivable refund remuneration rent repurchase research reserve
return revenue right-of-use royalt salar sale saving securit selling settlement share shipment
software spending subscriber supplies supply tax term turnover unemployment utilit valuation value
volatilit volume wage weight working worth yield
"""
MEASURES = re.compile(rf"(?i)\b(?:{'|'.join(_MEASURED.split())})\w*")
"""What a row's label or section says was measured."""
MOVES = _words(
    """
    addition additions adjustment adjustments amount amounts balance balances charges gross net
    other others payments total transfers
    """
)
"""Headers that say nothing without the section that a row is of."""
