"""What the first rows of a table say: which columns have the text, and whether it is split."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from gensim_bilbowa.tokenization.codes import matching, primary

__all__ = [
    "find_columns",
    "looks_like_text",
    "looks_untokenized",
    "misplaced",
    "not_text",
    "other_language_of",
    "titles_above",
]

# The names of languages by their codes: in English, in the language itself, and of English in
# languages that it is translated to.
_NAMES = """
af afrikaans|sq albanian shqip|am amharic አማርኛ|ar arabic العربية|hy armenian հայերեն
az azerbaijani azərbaycan|eu basque euskara|be belarusian беларуская|bn bengali bangla বাংলা
bs bosnian bosanski|br breton brezhoneg|bg bulgarian български|my burmese မြန်မာ
ca catalan català|zh chinese mandarin 中文 汉语 漢語|hr croatian hrvatski|cs czech čeština
da danish dansk|nl dutch nederlands|eo esperanto|et estonian eesti|fi finnish suomi
en english englisch anglais inglés inglese inglês engels engelsk engelska englanti angielski|
en angličtina angol engleză английский ingilizce 英语 英語|fo faroese føroyskt
fr french français francais französisch|fy frisian frysk|fur friulian furlan|gl galician galego
ka georgian ქართული|de german deutsch|el greek ελληνικά|gu gujarati ગુજરાતી|ha hausa
he hebrew עברית|hi hindi हिन्दी|hu hungarian magyar|is icelandic íslenska|ig igbo
id indonesian|ga irish gaeilge|it italian italiano|ja japanese 日本語|kn kannada ಕನ್ನಡ
kk kazakh қазақ|km khmer ខ្មែរ|ko korean 한국어|ku kurdish kurdî|ky kyrgyz кыргызча|lo lao ລາວ
la latin latina|lv latvian latviešu|lt lithuanian lietuvių|lb luxembourgish lëtzebuergesch
mk macedonian македонски|ms malay|ml malayalam മലയാളം|mt maltese malti|mr marathi मराठी
mn mongolian монгол|ne nepali नेपाली|no norwegian norsk|nb bokmål|nn nynorsk|oc occitan
ps pashto پښتو|fa persian farsi فارسی|pl polish polski|pt portuguese português portugues
pa punjabi ਪੰਜਾਬੀ|ro romanian română|ru russian русский|gd gaelic gàidhlig|sr serbian српски srpski
sk slovak slovenčina|sl slovene slovenian slovenščina|so somali|es spanish español espanol spanisch
es castellano|sw swahili kiswahili|sv swedish svenska|tl tagalog filipino|ta tamil தமிழ்
te telugu తెలుగు|th thai ไทย|tr turkish türkçe|tk turkmen|uk ukrainian українська|ur urdu اردو
uz uzbek|vi vietnamese|cy welsh cymraeg|xh xhosa|yi yiddish ייִדיש|yo yoruba|zu zulu isizulu
"""

_CODE = re.compile(r"[a-z]{2,3}(?:[-_@][a-z0-9]+)*", re.IGNORECASE)
_SIDES = (
    re.compile(r"(?:source|src)[ _-]?(?:text|string|sentence|segment|term)?"),
    re.compile(r"(?:target|tgt|trg)[ _-]?(?:text|string|sentence|segment|term)?"),
)

_BETWEEN = re.compile(r"[\s_\-:.()\[\]/]+")
_LONGEST_NAME = 100
# Of a table's first rows one may be a header below titles.
_MOST_TITLES = 10

# Fewer say nothing.
_LEAST_ROWS = 3
# Longer than most words, in characters.
_LONG = 12
_URL = re.compile(r"(?:\w+://|www\.)\S+")
_NUMBER = re.compile(r"[-+]?[\d.,:]*\d(?:e[-+]?\d+)?%?", re.IGNORECASE)
_CODED = re.compile(r"\S*\d\S*")

_GLUED = re.compile(r"\w[.?!…。！？][\"'”’»)\]]*\Z")


@cache
def _codes() -> dict[str, str]:
    languages = (entry.split() for entry in re.split(r"[|\n]", _NAMES) if entry.strip())
    return {name: code for code, *names in languages for name in names}


def find_columns(cells: Sequence[str], languages: tuple[str, str]) -> tuple[int, int] | None:
    """Return the places of two languages in a header or among keys; None if it is not sure.

    Sure are the codes of both languages or their names, with a region after them or not; names
    that differ in the language alone, as "term_en" and "term_de" or "Term (EN)" and "Term (DE)";
    and "source" and "target" for the first and the second one.
    """
    words = _words(cells)
    found = _named(words, languages) or _named_in_part(words, languages)
    if found is not None:
        return found
    sides = [[i for i, word in enumerate(words) if side.fullmatch(word)] for side in _SIDES]
    if [len(places) for places in sides] == [1, 1]:
        return sides[0][0], sides[1][0]
    return None


def titles_above(rows: Sequence[Sequence[str]], languages: tuple[str, str]) -> int:
    """Return how many rows are above one that names both languages; 0 if none does.

    None is above a first row that says which column is the source, and which the target: languages
    may then stand in columns of their own, with the same code in each row.
    """
    if rows and find_columns(rows[0], languages):
        return 0
    named = (_named(_words(row), languages) for row in rows[:_MOST_TITLES])
    return next((number for number, found in enumerate(named) if found), 0)


def other_language_of(cells: Sequence[str], languages: tuple[str, str]) -> str | None:
    """Return which other language the first two cells name beside one of these, if they do."""
    codes = _languages_of(_words(cells[:2]))
    mine = [next((own for own in languages if matching(own, [code])), None) for code in codes]
    for own, other in ((0, 1), (1, 0)):
        known = len(mine) == 2 and primary(codes[other]) in {*_codes().values()}
        if known and mine[own] == languages[own] and mine[other] is None:
            return cells[other]
    return None


def misplaced(cells: Sequence[str], languages: tuple[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the number of a column, from 1, and its language where another would be read for it.

    Whole names tell, as "English"; codes are words of many languages, and say nothing alone.
    """
    codes = [_codes().get(word, "") for word in _words(cells)]
    for side, language in enumerate(languages):
        places = [i for i, code in enumerate(codes) if code and matching(language, [code])]
        if len(places) == 1 and places[0] != side:
            yield places[0] + 1, language


def _words(cells: Sequence[str]) -> list[str]:
    return [cell.strip().casefold() for cell in cells]


def _languages_of(words: Sequence[str]) -> list[str]:
    """Return the code that each cell is or names, empty for others."""
    return [
        _codes().get(word.split(" (")[0], word if _CODE.fullmatch(word) else "") for word in words
    ]


def _named(words: Sequence[str], languages: tuple[str, str]) -> tuple[int, int] | None:
    codes = _languages_of(words)
    found = [matching(language, codes) for language in languages]
    if found[0] is not None and found[1] is not None and found[0] != found[1]:
        return codes.index(found[0]), codes.index(found[1])
    return None


def _named_in_part(words: Sequence[str], languages: tuple[str, str]) -> tuple[int, int] | None:
    """Return the places of the first two names that are the same but for the language."""
    stems: dict[tuple[str, str], dict[str, int]] = {}
    for place, word in enumerate(words):
        name = word.strip(" ()[]") if len(word) <= _LONGEST_NAME else ""
        for gap in _BETWEEN.finditer(name):
            before, after = name[: gap.start()], name[gap.end() :]
            for stem, part in (((before, ""), after), (("", after), before)):
                code = _languages_of([part])
                for language in languages:
                    if before and after and matching(language, code):
                        stems.setdefault(stem, {}).setdefault(language, place)
    for found in stems.values():
        if len({*found.values()}) == 2:
            return found[languages[0]], found[languages[1]]
    return None


def not_text(cells: Sequence[str]) -> str | None:
    """Return what the cells of a column are, if they are URLs, numbers or codes."""
    cells = [cell.strip() for cell in cells if cell.strip()]
    if len(cells) < _LEAST_ROWS:
        return None
    if all(map(_URL.fullmatch, cells)):
        return "URLs"
    if all(map(_NUMBER.fullmatch, cells)):
        return "numbers"
    if all(map(_CODED.fullmatch, cells)) and len(set(cells)) == len(cells):
        return "codes"
    if len(set(cells)) == 1 and _CODE.fullmatch(cells[0]):
        return "codes"
    return None


def looks_like_text(cells: Sequence[str]) -> bool:
    """Say whether a column has words with white space between them, or what may have no need."""
    return not_text(cells) is None and any(
        len(cell.split()) > 1 or (len(cell) > _LONG and not cell.isascii()) for cell in cells
    )


def looks_untokenized(texts: Iterable[str]) -> bool:
    """Say whether most texts end in a mark that is glued to a word."""
    glued = [bool(_GLUED.search(text.rstrip())) and len(text.split()) > 1 for text in texts]
    return len(glued) >= _LEAST_ROWS and sum(glued) > len(glued) / 2
