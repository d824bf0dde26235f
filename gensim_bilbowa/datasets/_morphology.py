"""Inflection of English, German and Spanish words from short dictionary-style specifications.

Persons are numbered 0 (I), 1 (you, singular), 2 (he, she, it), 3 (we), 4 (they); genders
0 (masculine), 1 (feminine), 2 (neuter), and 3 stands for the German plural; German cases are
0 (nominative), 1 (accusative), 2 (dative).
"""

import re
from dataclasses import dataclass

PERSONS = range(5)
THIRD_PERSONS = (2, 4)
NOMINATIVE, ACCUSATIVE, DATIVE = range(3)
MASCULINE, FEMININE, NEUTER, PLURAL = range(4)
GENDERS = {"m": MASCULINE, "f": FEMININE, "n": NEUTER}

Forms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnglishVerb:
    """Principal parts of an English verb."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


@dataclass(frozen=True, slots=True)
class GermanVerb:
    """Finite forms by person and the infinite forms of a German verb."""

    infinitive: str
    present: Forms
    past: Forms
    participle: str
    particle: str
    uses_sein: bool


@dataclass(frozen=True, slots=True)
class SpanishVerb:
    """Finite forms by person and the infinite forms of a Spanish verb."""

    infinitive: str
    present: Forms
    preterite: Forms
    imperfect: Forms
    participle: str
    gerund: str


# --- English -------------------------------------------------------------------------------------


def _with_s(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh|[^aeiou]o)$", word) else "s")


def english_noun(specification: str) -> Forms:
    """Singular and plural of ``noun``, ``noun/plural`` or ``noun/-`` (no plural)."""
    singular, _, plural = specification.partition("/")
    if plural == "-":
        return (singular,)
    return singular, plural or _with_s(singular)


def english_verb(specification: str) -> EnglishVerb:
    """Forms of ``base [past participle [gerund]]``; regular where not given."""
    base, *parts = specification.split()
    if not parts:
        stem = base[:-1] + "i" if re.search(r"[^aeiou]y$", base) else base.removesuffix("e")
        parts = [stem + "ed"] * 2
    elif len(parts) == 1:
        parts = parts * 2
    past, participle, *rest = parts
    gerund = re.sub(r"(?<=[^eoy])e$", "", base) + "ing"
    third = {"have": "has"}.get(base) or _with_s(base)
    return EnglishVerb(base, third, past, participle, rest[0] if rest else gerund)


# --- German --------------------------------------------------------------------------------------

_ENDINGS = {
    "strong": ("er en em", "e e er", "es es em", "e e en"),
    "weak": ("e en en", "e e en", "e e en", "en en en"),
    "mixed": ("er en en", "e e en", "es es en", "en en en"),
}
GERMAN_ARTICLE = (
    ("der", "den", "dem"),
    ("die", "die", "der"),
    ("das", "das", "dem"),
    ("die", "die", "den"),
)
_GERMAN_IRREGULAR = {
    "haben": (("habe", "hast", "hat", "haben", "haben"), "hatte"),
    "wissen": (("weiß", "weißt", "weiß", "wissen", "wissen"), "wusste"),
    "sein": (("bin", "bist", "ist", "sind", "sind"), "war"),
    "werden": (("werde", "wirst", "wird", "werden", "werden"), "wurde"),
    "können": (("kann", "kannst", "kann", "können", "können"), "konnte"),
    "müssen": (("muss", "musst", "muss", "müssen", "müssen"), "musste"),
    "wollen": (("will", "willst", "will", "wollen", "wollen"), "wollte"),
    "sollen": (("soll", "sollst", "soll", "sollen", "sollen"), "sollte"),
}


def german_noun(specification: str) -> tuple[int, tuple[Forms, ...]]:
    """Gender and the case forms of singular and plural of ``Noun gender plural``.

    The gender is ``m``, ``f`` or ``n``, and ``mw`` for the weak masculine nouns, which take their
    plural form in the accusative and dative singular.
    """
    singular, gender, plural = specification.split()
    forms: tuple[Forms, ...] = ((singular,) * 3,)
    if gender == "mw":
        forms = ((singular, plural, plural),)
    if plural != "-":
        dative = plural if plural[-1] in "ns" else plural + "n"
        forms += ((plural, plural, dative),)
    return GENDERS[gender[0]], forms


def german_adjective(lemma: str) -> dict[str, tuple[Forms, ...]]:
    """Attributive forms by declension, then gender (or plural), then case."""
    stem = {"teuer": "teur", "dunkel": "dunkl", "hoch": "hoh", "sauer": "saur"}.get(
        lemma, lemma.removesuffix("e")
    )
    return {
        declension: tuple(tuple(stem + ending for ending in row.split()) for row in rows)
        for declension, rows in _ENDINGS.items()
    }


def german_determiner(stem: str, like: str) -> tuple[Forms, ...]:
    """Forms of a determiner declined like ``dieser`` or ``ein``."""
    forms = [[stem + ending for ending in row.split()] for row in _ENDINGS["strong"]]
    if like == "ein":
        forms[MASCULINE][NOMINATIVE] = stem
        forms[NEUTER][NOMINATIVE] = forms[NEUTER][ACCUSATIVE] = stem
    return tuple(tuple(row) for row in forms)


def german_verb(specification: str) -> GermanVerb:
    """Forms of ``[particle·]infinitive [third past participle] [sein]``; weak where not given."""
    lemma, *parts = specification.split()
    particle, separator, infinitive = lemma.rpartition("·")
    uses_sein = "sein" in parts
    parts = [part for part in parts if part != "sein"]
    stem = re.sub(r"e?n$", "", infinitive)
    link = "e" if re.search("([td]|[bdfgkpt][mn]|ch[mn])$", stem) else ""
    if infinitive in _GERMAN_IRREGULAR:
        present, past = _GERMAN_IRREGULAR[infinitive]
        participle = {"haben": "gehabt", "wissen": "gewusst"}.get(infinitive, "")
    else:
        unprefixed = re.match(r"(be(?!ll)|ge[^hbl]|er|ver|zer|ent|unter|.*ieren$)", infinitive)
        weak = ("" if unprefixed else "ge") + stem + link + "t"
        third, past, participle = parts or (stem + link + "t", stem + link + "te", weak)
        first = (re.sub("el$", "l", stem) if infinitive.endswith("eln") else stem) + "e"
        if third.endswith("dt"):
            second = third[:-1] + "st"
        elif stem.endswith("t") and not third.endswith("et"):
            second = third + "st"
        else:
            second = third[:-1] + ("t" if re.search("[sßxz]$", third[:-1]) else "st")
        present = (first, second, third, infinitive, infinitive)
    # The second person of a strong preterite is bookish: the grammar uses the perfect instead.
    second_past = past + "st" if past.endswith("e") or infinitive == "sein" else ""
    plural_past = past + ("n" if past.endswith("e") else "en")
    if past.endswith("ie"):
        plural_past = past + "n"
    return GermanVerb(
        particle + infinitive,
        present,
        (past, second_past, past, plural_past, plural_past),
        particle + participle if separator else participle,
        particle,
        uses_sein,
    )


# --- Spanish -------------------------------------------------------------------------------------

_PRESENT = {
    "ar": ("o", "as", "a", "amos", "an"),
    "er": ("o", "es", "e", "emos", "en"),
    "ir": ("o", "es", "e", "imos", "en"),
}
_PRETERITE = {
    "ar": ("é", "aste", "ó", "amos", "aron"),
    "er": ("í", "iste", "ió", "imos", "ieron"),
    "ir": ("í", "iste", "ió", "imos", "ieron"),
}
_IMPERFECT = {
    "ar": ("aba", "abas", "aba", "ábamos", "aban"),
    "er": ("ía", "ías", "ía", "íamos", "ían"),
    "ir": ("ía", "ías", "ía", "íamos", "ían"),
}
_SPANISH_PRESENT = {
    "ser": "soy eres es somos son",
    "estar": "estoy estás está estamos están",
    "ir": "voy vas va vamos van",
    "haber": "he has ha hemos han",
    "tener": "tengo tienes tiene tenemos tienen",
    "decir": "digo dices dice decimos dicen",
    "venir": "vengo vienes viene venimos vienen",
    "dar": "doy das da damos dan",
    "ver": "veo ves ve vemos ven",
    "saber": "sé sabes sabe sabemos saben",
    "poder": "puedo puedes puede podemos pueden",
    "querer": "quiero quieres quiere queremos quieren",
    "traer": "traigo traes trae traemos traen",
    "oír": "oigo oyes oye oímos oyen",
    "caer": "caigo caes cae caemos caen",
    "reír": "río ríes ríe reímos ríen",
    "sonreír": "sonrío sonríes sonríe sonreímos sonríen",
    "construir": "construyo construyes construye construimos construyen",
    "enviar": "envío envías envía enviamos envían",
    "conducir": "conduzco conduces conduce conducimos conducen",
}
_SPANISH_PRETERITE = {
    "ser": "fui fuiste fue fuimos fueron",
    "ir": "fui fuiste fue fuimos fueron",
    "estar": "estuve estuviste estuvo estuvimos estuvieron",
    "haber": "hube hubiste hubo hubimos hubieron",
    "tener": "tuve tuviste tuvo tuvimos tuvieron",
    "decir": "dije dijiste dijo dijimos dijeron",
    "venir": "vine viniste vino vinimos vinieron",
    "dar": "di diste dio dimos dieron",
    "ver": "vi viste vio vimos vieron",
    "saber": "supe supiste supo supimos supieron",
    "poder": "pude pudiste pudo pudimos pudieron",
    "querer": "quise quisiste quiso quisimos quisieron",
    "traer": "traje trajiste trajo trajimos trajeron",
    "conducir": "conduje condujiste condujo condujimos condujeron",
    "reír": "reí reíste rio reímos rieron",
    "sonreír": "sonreí sonreíste sonrió sonreímos sonrieron",
    "construir": "construí construiste construyó construimos construyeron",
}
_SPANISH_PARTICIPLE = {
    "abrir": "abierto",
    "escribir": "escrito",
    "ver": "visto",
    "romper": "roto",
    "decir": "dicho",
}
_SPANISH_GERUND = {
    "ir": "yendo",
    "decir": "diciendo",
    "venir": "viniendo",
    "poder": "pudiendo",
    "reír": "riendo",
    "sonreír": "sonriendo",
}
_SPANISH_IMPERFECT = {"ser": "era eras era éramos eran", "ir": "iba ibas iba íbamos iban"}
_UNACCENTED = str.maketrans("áéíóú", "aeiou")


def _spanish_plural(word: str) -> str:
    if word[-1] in "aeiouáéó":
        return word + "s"
    if word.endswith("z"):
        return word[:-1] + "ces"
    # The stress stays on its syllable: estación, estaciones.
    if re.search("[áéíóú][ns]$", word):
        word = word[:-2] + word[-2:].translate(_UNACCENTED)
    return word + "es"


def spanish_noun(specification: str) -> tuple[int, Forms, bool]:
    """Gender, singular and plural, and whether the article is *el* for a stressed *a* (``f*``)."""
    lemma, gender = specification.split()
    singular, _, plural = lemma.partition("/")
    return GENDERS[gender[0]], (singular, plural or _spanish_plural(singular)), "*" in gender


def spanish_adjective(specification: str) -> tuple[Forms, Forms]:
    """Forms by number, then gender."""
    lemma, _, plural = specification.partition("/")
    if lemma.endswith("o"):
        stem = lemma[:-1]
        return (stem + "o", stem + "a"), (stem + "os", stem + "as")
    return (lemma,) * 2, (plural or _spanish_plural(lemma),) * 2


def _change_stem(stem: str, change: str) -> str:
    vowel = {"ie": "e", "ue": "[ou]", "i": "e", "u": "o"}[change]
    match = list(re.finditer(vowel, stem))[-1]
    return stem[: match.start()] + change + stem[match.end() :]


def _soften(stem: str, conjugation: str) -> str:
    """Spell the last consonant of ``stem`` before *e* so that its sound stays the same."""
    if conjugation != "ar":
        return stem
    for ending, spelling in (("c", "qu"), ("g", "gu"), ("z", "c")):
        if stem.endswith(ending):
            return stem.removesuffix(ending) + spelling
    return stem


def _spanish_present(infinitive: str, stem: str, ending: str, change: str) -> list[str]:
    stems = [_change_stem(stem, change) if change else stem] * 5
    stems[3] = stem
    if re.search("[aeo]c[ei]r$", infinitive):
        stems[0] = stem[:-1] + "zc"
    elif re.search("g[ei]r$", infinitive):
        stems[0] = stems[0][:-1] + "j"
    elif infinitive.endswith("guir"):
        stems[0] = stems[0].removesuffix("u")
    return [a + b for a, b in zip(stems, _PRESENT[ending], strict=True)]


def _spanish_preterite(stem: str, ending: str, change: str) -> list[str]:
    forms = [stem + b for b in _PRETERITE[ending]]
    forms[0] = _soften(stem, ending) + _PRETERITE[ending][0]
    if ending != "ar" and re.search("[aeo]$", stem):  # leer: leí, leíste, leyó, leyeron
        return [stem + b for b in ("í", "íste", "yó", "ímos", "yeron")]
    if change:
        changed = _change_stem(stem, change)
        forms[2], forms[4] = changed + "ió", changed + "ieron"
    return forms


def spanish_verb(specification: str) -> SpanishVerb:
    """Forms of ``infinitive [present change[,preterite change]]``, as in ``dormir ue,u``."""
    infinitive, _, changes = specification.partition(" ")
    change, _, second_change = changes.partition(",")
    if change == "i":
        second_change = "i"
    stem, ending = infinitive[:-2], infinitive[-2:].replace("í", "i")
    present = _SPANISH_PRESENT.get(infinitive, "").split() or _spanish_present(
        infinitive, stem, ending, change
    )
    preterite = _SPANISH_PRETERITE.get(infinitive, "").split() or _spanish_preterite(
        stem, ending, second_change
    )
    imperfect = _SPANISH_IMPERFECT.get(infinitive, "").split() or [
        ("ve" if infinitive == "ver" else stem) + b for b in _IMPERFECT[ending]
    ]
    changed = _change_stem(stem, second_change) if second_change else stem
    hiatus = ending != "ar" and re.search("[aeo]$", stem)
    regular = "ado" if ending == "ar" else "ído" if hiatus else "ido"
    yod = "yendo" if hiatus or (infinitive.endswith("uir") and "gu" not in infinitive) else "iendo"
    gerund = stem + "ando" if ending == "ar" else changed + yod
    return SpanishVerb(
        infinitive,
        tuple(present),
        tuple(preterite),
        tuple(imperfect),
        _SPANISH_PARTICIPLE.get(infinitive, stem + regular),
        _SPANISH_GERUND.get(infinitive, gerund),
    )
