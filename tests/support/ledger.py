"""Made-up texts of a program for bookkeeping, in English and German, whose terms are known."""

from __future__ import annotations

import numpy as np

__all__ = ["GENERAL", "NOUNS", "catalog", "ledger", "memory"]

# Singular and plural of both languages.
NOUNS = {
    ("savings account", "savings accounts"): ("Sparkonto", "Sparkonten"),
    ("account", "accounts"): ("Konto", "Konten"),
    ("invoice", "invoices"): ("Rechnung", "Rechnungen"),
    ("exchange rate", "exchange rates"): ("Wechselkurs", "Wechselkurse"),
    ("customer", "customers"): ("Kunde", "Kunden"),
    ("tax table", "tax tables"): ("Steuertabelle", "Steuertabellen"),
    ("report", "reports"): ("Bericht", "Berichte"),
    ("payment", "payments"): ("Zahlung", "Zahlungen"),
    ("voucher", "vouchers"): ("Beleg", "Belege"),
    ("budget", "budgets"): ("Budget", "Budgets"),
    ("stock split", "stock splits"): ("Aktiensplit", "Aktiensplits"),
    ("currency", "currencies"): ("Währung", "Währungen"),
}
_VERBS = {"open": "öffnen", "delete": "löschen", "edit": "bearbeiten", "print": "drucken",
          "export": "exportieren", "rename": "umbenennen"}  # fmt: skip
_TEXTS = (
    ("{V} the {n}", "{N} {v}"),
    ("{V} this {n} now", "{N} jetzt {v}"),
    ("The {n} is not valid.", "Hier ist {N} nicht gültig."),
    ("There is no {n} of that name.", "{N} gibt es mit diesem Namen nicht."),
    ("Do you want to {v} all {s}?", "Möchten Sie alle {S} {v}?"),
    ("These {s} were found in the %s.", "In %s wurden diese {S} gefunden."),
    ("%d {s} were &{v}ed", "%d {S} nach dem &{v}"),
)
# Words of the grammar: the most frequent ones, as a list of the language's words has them.
_GRAMMAR = {
    "en": "the of and to a in is you that it he was for on are as with his they i at be this have "
    "from or one had by but not what all were we when your can said there use an each which she do "
    "how their if will up other about out many then them these so some her would make like him has "
    "want now no name valid found",
    "de": "die der und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so "
    "eine auch als an nach wie im für man aber aus durch wenn nur war noch werden bei hat wir "
    "was wird sein einen welche sind oder um haben einer mir über ihm diese einem ihr uns zum kann "
    "doch vor dieser mich ihn du hatte seine mehr am denn nun unter sehr selbst schon hier jetzt "
    "gibt diesem namen gültig möchten alle wurden gefunden",
}
GENERAL = {
    code: {word: 1000.0 - place for place, word in enumerate(text.split())}
    for code, text in _GRAMMAR.items()
}


def ledger(n: int = 400, seed: int = 0) -> list[tuple[str, str]]:
    """Return units of text."""
    rng = np.random.default_rng(seed)
    nouns, verbs = list(NOUNS.items()), list(_VERBS.items())
    pairs = []
    for _ in range(n):
        (singular, plural), (einzahl, mehrzahl) = nouns[rng.integers(len(nouns))]
        verb, zeitwort = verbs[rng.integers(len(verbs))]
        source, target = _TEXTS[rng.integers(len(_TEXTS))]
        english = source.format(n=singular, s=plural, v=verb, V=verb.capitalize())
        german = target.format(N=einzahl, S=mehrzahl, v=zeitwort)
        pairs.append((english, german[:1].upper() + german[1:]))
    return pairs


def catalog(pairs: list[tuple[str, str]]) -> str:
    """Return units of text as a gettext catalog."""
    header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    units = (
        f'\nmsgctxt "{number}"\nmsgid "{source}"\nmsgstr "{target}"\n'
        for number, (source, target) in enumerate(pairs, start=1)
    )
    return header + "".join(units)


def memory(pairs: list[tuple[str, str]]) -> str:
    """Return units of text as a translation memory."""
    units = (
        f'<tu tuid="u{number}">'
        + "".join(
            f'<tuv xml:lang="{code}"><seg>{text.replace("&", "")}</seg></tuv>'
            for code, text in zip(("en-GB", "de-DE"), pair, strict=True)
        )
        + "</tu>\n"
        for number, pair in enumerate(pairs, start=1)
    )
    return f"<tmx><body>\n{''.join(units)}</body></tmx>\n"
