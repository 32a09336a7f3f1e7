"""
Lines that close an invoice: tax and amounts due, terms, payment, a web address.

Each fills few cells. It is told by its words, so it also ends a table that no blank row ends.
"""

import re

from tabular.reading.cells import Look
from tabular.reading.layout.grid import Grid

_MOST_CELLS = 3  # a label, a rate, an amount
_AMOUNT = re.compile(
    r"\W*(?:(?:incl\. |plus |zzgl\. |inkl\. |dont |de )?(?:vat|sales tax|tax|gst|hst|mwst|ust|"
    r"umsatzsteuer|mehrwertsteuer|tva|iva|i\.v\.a|btw|podatek|ptu|moms|imposto|impuestos?|imposta)|"
    r"net(?:to)?(?: amount| total|betrag)?|nettobetrag|brutto(?:betrag)?|base imponible|"
    r"base imponível|base tributável|imponibile|montant (?:ht|ttc)|net à payer|amount due|"
    r"balance due|total due|rechnungsbetrag|zahlbetrag|à payer|a pagar|da pagare|te betalen|"
    r"do zapłaty|ضريبة|المبلغ المستحق|מע[\"״]מ|לתשלום|消費税|内税|外税|税額|請求額|ご請求)"
    r"(?:\b|(?=\d)).{0,40}",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(r"\W*(?:iban|bic|swift)\b\W*", re.IGNORECASE)
_TERMS = re.compile(
    r"\W*(?:terms (?:and|&) conditions|terms of (?:payment|sale|service)|payment terms|t&cs?|agb|"
    r"allgemeine geschäftsbedingungen|conditions (?:générales|de vente|de paiement)|"
    r"(?:términos|condiciones) (?:y|generales|de)|termini e condizioni|condizioni (?:generali|di)|"
    r"(?:algemene|betalings)\s?voorwaarden|termos e condições|condições (?:gerais|de)|regulamin|"
    r"warunki (?:płatności|ogólne)|取引条件|支払条件|利用規約|"
    r"الشروط والأحكام|شروط الدفع|תנאי תשלום|"
    r"תנאים כלליים|please pay|payable (?:within|by|to)|payment (?:due|is due|within|by|to)|zahlbar|"
    r"zahlung (?:innerhalb|bis|ohne|per)|bitte (?:zahlen|überweisen)|paiement (?:sous|à|par)|"
    r"payable (?:sous|à)|pago (?:por|a|en)|pagamento (?:a|entro|em|por|tramite)|"
    r"betaling (?:binnen|via)|płatność|termin płatności|お支払い?は|お振込|נא לשלם)(?:\b|\W).*|"
    r"\W*agb|\W*regulamin|取引条件|利用規約",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\s*(?:https?://|www\.)\S+\s*", re.IGNORECASE)


def is_closing(grid: Grid, row: int) -> bool:
    """Return whether the words of a row show that it closes a document, and is not an item."""
    filled = grid.filled(row)
    if not 0 < len(filled) <= _MOST_CELLS:
        return False
    first, *rest = [grid.cell(row, column) for column in filled]
    if not rest:
        return bool(_ADDRESS.fullmatch(first) or _TERMS.fullmatch(first.strip()))
    if len(rest) == 1 and _ACCOUNT.fullmatch(first):
        return True
    is_amount = all(grid.look(row, column) is Look.NUMBER for column in filled[1:])
    return is_amount and bool(_AMOUNT.fullmatch(first.strip()))


def is_labelled(grid: Grid, row: int) -> bool:
    """Return whether a row is a label with a colon, and what it labels: ``Discount:``, ``-7``."""
    filled = grid.filled(row)
    return len(filled) == 2 and grid.cell(row, filled[0]).rstrip().endswith((":", "："))
