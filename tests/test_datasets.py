"""The embedded corpus: determinism, grammar, frequencies and the gold dictionary."""

import math
import os
import subprocess
import sys
from collections import Counter
from itertools import islice, pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gensim_bilbowa.datasets import LANGUAGES, SyntheticCorpus, dictionary
from gensim_bilbowa.datasets._lexicon import lexicon
from gensim_bilbowa.datasets._morphology import (
    GERMAN_ARTICLE,
    english_noun,
    english_verb,
    german_adjective,
    german_noun,
    german_verb,
    spanish_noun,
    spanish_verb,
)

# Words of constructions that have no translation word by word: do-support, "es tut weh" and the
# like, separable particles, punctuation.
UNTRANSLATED = {
    "en": {".", ",", "?", "do", "does", "did"},
    "de": {".", ",", "?", "ab", "an", "auf", "ein", "vor", "zu"},
    "es": {".", ",", "?", "¿", "por", "hace", "hizo", "más"},
}
PAIRS = list(permutations(LANGUAGES, 2))


@pytest.fixture(scope="module")
def sentences():
    return list(SyntheticCorpus(20_000))


@pytest.fixture(scope="module")
def counts(sentences):
    found = {language: Counter() for language in LANGUAGES}
    for sentence in sentences:
        for language, tokens in zip(LANGUAGES, sentence, strict=True):
            found[language].update(tokens)
    return found


# --- a reproducible stream -----------------------------------------------------------------------


def test_iterating_twice_gives_the_same_sentences():
    corpus = SyntheticCorpus(50)
    assert list(corpus) == list(corpus)


def test_interleaved_iterations_do_not_disturb_each_other():
    corpus = SyntheticCorpus(20)
    assert all(first == second for first, second in zip(corpus, corpus, strict=True))


@settings(max_examples=20)
@given(seed=st.integers(0, 2**40), small=st.integers(1, 20), more=st.integers(0, 20))
def test_a_larger_corpus_starts_with_the_smaller_one(seed, small, more):
    larger = SyntheticCorpus(small + more, seed=seed)
    assert list(SyntheticCorpus(small, seed=seed)) == list(islice(larger, small))


def test_another_seed_gives_other_sentences():
    assert list(SyntheticCorpus(20, seed=1)) != list(SyntheticCorpus(20, seed=2))


def test_processes_with_different_hash_seeds_agree():
    code = (
        "import hashlib\n"
        "from gensim_bilbowa.datasets import SyntheticCorpus, dictionary\n"
        "text = repr((list(SyntheticCorpus(300)), list(dictionary('de', 'es'))))\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-P", "-c", code],
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "2")
    }
    assert len(digests) == 1


def test_len_is_the_number_of_sentences():
    corpus = SyntheticCorpus(7)
    assert len(corpus) == len(list(corpus)) == 7


def test_languages_select_and_order_but_do_not_change_the_sentences():
    everything = list(SyntheticCorpus(30))
    chosen = list(SyntheticCorpus(30, languages=("es", "en")))
    assert chosen == [(spanish, english) for english, _, spanish in everything]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_one_language_restart(language):
    corpus = SyntheticCorpus(30)
    view = corpus.sentences(language)
    expected = [sentence[LANGUAGES.index(language)] for sentence in corpus]
    assert list(view) == list(view) == expected


def test_pairs_restart_and_follow_the_given_order():
    corpus = SyntheticCorpus(30)
    view = corpus.pairs("es", "de")
    assert list(view) == list(view) == [(spanish, german) for _, german, spanish in corpus]


def test_changing_a_yielded_sentence_leaves_the_corpus_alone():
    corpus = SyntheticCorpus(5)
    expected = list(corpus)
    for sentence in corpus:
        sentence[0].clear()
    assert list(corpus) == expected


def test_write_makes_a_utf8_file_for_each_language(tmp_path):
    corpus = SyntheticCorpus(40, languages=("de", "es"))
    paths = corpus.write(tmp_path / "new" / "folder")
    assert [path.name for path in paths.values()] == ["train.de", "train.es"]
    for language, path in paths.items():
        lines = path.read_bytes().decode("utf-8").split("\n")
        assert lines.pop() == ""
        assert [line.split(" ") for line in lines] == list(corpus.sentences(language))


def test_write_that_fails_leaves_the_files_that_were_there(tmp_path):
    class Ending(SyntheticCorpus):
        def __iter__(self):
            yield from islice(super().__iter__(), 2)
            raise OSError("no space left")

    paths = SyntheticCorpus(3, seed=2).write(tmp_path)
    before = {path: path.read_bytes() for path in paths.values()}
    with pytest.raises(OSError, match="no space left"):
        Ending(5).write(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


# --- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_sentences", [0, -3])
def test_a_corpus_without_sentences_is_refused(n_sentences):
    with pytest.raises(ValueError, match=f"at least 1, got {n_sentences}"):
        SyntheticCorpus(n_sentences)


@pytest.mark.parametrize("n_sentences", [2.0, "5", None, True])
def test_a_number_of_sentences_that_is_no_int_is_refused(n_sentences):
    with pytest.raises(TypeError, match="n_sentences must be an int"):
        SyntheticCorpus(n_sentences)


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1.5, TypeError)])
def test_a_bad_seed_is_refused(seed, error):
    with pytest.raises(error, match="seed must be"):
        SyntheticCorpus(5, seed=seed)


@pytest.mark.parametrize("languages", [("en", "fr"), ("en", "en"), ()])
def test_unknown_repeated_or_no_languages_are_refused(languages):
    with pytest.raises(ValueError, match="must be"):
        SyntheticCorpus(5, languages=languages)


def test_languages_in_one_string_are_refused():
    with pytest.raises(TypeError, match="sequence of str"):
        SyntheticCorpus(5, languages="en")


def test_views_refuse_a_language_the_corpus_does_not_have():
    corpus = SyntheticCorpus(5, languages=("en", "de"))
    with pytest.raises(ValueError, match="one of en, de, got 'es'"):
        corpus.sentences("es")
    with pytest.raises(ValueError, match="one of en, de, got 'es'"):
        corpus.pairs("en", "es")


def test_pairs_and_dictionary_refuse_one_language_twice():
    with pytest.raises(ValueError, match="must differ"):
        SyntheticCorpus(5).pairs("en", "en")
    with pytest.raises(ValueError, match="must differ"):
        dictionary("de", "de")


def test_dictionary_refuses_an_unknown_language():
    with pytest.raises(ValueError, match="one of en, de, es, got 'fr'"):
        dictionary("en", "fr")


# --- inflection ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("specification", "forms"),
    [
        ("box", ("box", "boxes")),
        ("city", ("city", "cities")),
        ("toy", ("toy", "toys")),
        ("mouse/mice", ("mouse", "mice")),
        ("milk/-", ("milk",)),
    ],
)
def test_english_plurals(specification, forms):
    assert english_noun(specification) == forms


def test_english_verbs_keep_a_double_e_and_drop_a_final_one():
    assert english_verb("bake").gerund == "baking"
    assert english_verb("see saw seen").gerund == "seeing"
    assert english_verb("carry").past == "carried"


def test_german_nouns_mark_the_dative_plural_and_weak_masculines():
    assert german_noun("Tisch m Tische")[1] == (("Tisch",) * 3, ("Tische", "Tische", "Tischen"))
    assert german_noun("Bär mw Bären")[1][0] == ("Bär", "Bären", "Bären")


def test_german_adjectives_follow_the_three_declensions():
    forms = german_adjective("teuer")
    assert forms["strong"][0][0] == "teurer"
    assert forms["weak"][0][0] == "teure"
    assert forms["mixed"][2][1] == "teures"


@pytest.mark.parametrize(
    ("specification", "present", "participle"),
    [
        ("arbeiten", ("arbeite", "arbeitest", "arbeitet", "arbeiten", "arbeiten"), "gearbeitet"),
        ("lesen liest las gelesen", ("lese", "liest", "liest", "lesen", "lesen"), "gelesen"),
        ("halten hält hielt gehalten", ("halte", "hältst", "hält", "halten", "halten"), "gehalten"),
        ("auf·machen", ("mache", "machst", "macht", "machen", "machen"), "aufgemacht"),
        ("reparieren", None, "repariert"),
        ("besuchen", None, "besucht"),
        ("bellen", None, "gebellt"),
    ],
)
def test_german_verbs(specification, present, participle):
    verb = german_verb(specification)
    assert verb.participle == participle
    assert present is None or verb.present == present


@pytest.mark.parametrize(
    ("specification", "forms"),
    [("estación f", "estaciones"), ("luz f", "luces"), ("sofá m", "sofás"), ("flor f", "flores")],
)
def test_spanish_plurals(specification, forms):
    assert spanish_noun(specification)[1][1] == forms


@pytest.mark.parametrize(
    ("specification", "present", "preterite"),
    [
        ("buscar", "busco buscas busca buscamos buscan", "busqué buscaste buscó"),
        ("dormir ue,u", "duermo duermes duerme dormimos duermen", "dormí dormiste durmió"),
        ("seguir i", "sigo sigues sigue seguimos siguen", "seguí seguiste siguió"),
        ("conocer", "conozco conoces conoce conocemos conocen", "conocí conociste conoció"),
        ("leer", "leo lees lee leemos leen", "leí leíste leyó"),
    ],
)
def test_spanish_verbs(specification, present, preterite):
    verb = spanish_verb(specification)
    assert verb.present == tuple(present.split())
    assert verb.preterite[:3] == tuple(preterite.split())


# --- grammar of the sentences --------------------------------------------------------------------


def test_sentences_have_three_to_thirty_tokens_and_about_eight_on_average(sentences):
    for position in range(3):
        lengths = [len(sentence[position]) for sentence in sentences]
        # Spanish may leave out the subject: "corrí ." is a sentence.
        assert min(lengths) >= (2 if position == 2 else 3)
        assert max(lengths) <= 30
        assert 7 <= sum(lengths) / len(lengths) <= 10


def test_tokens_are_words_or_punctuation_marks(counts):
    for counter in counts.values():
        assert all(token.isalpha() or token in {".", ",", "?", "¿"} for token in counter)


def test_sentences_end_with_one_mark_and_spanish_questions_begin_with_one(sentences):
    for english, german, spanish in sentences:
        assert english[-1] == german[-1] == spanish[-1] in {".", "?"}
        assert (spanish[0] == "¿") == (spanish[-1] == "?")


def test_no_word_has_a_second_spelling_at_the_start_of_a_sentence(sentences):
    for position in range(3):
        first = {sentence[position][0] for sentence in sentences}
        later = {word for sentence in sentences for word in sentence[position][1:]}
        capitalised = {word for word in first if word[0].isupper()}
        assert not {word.lower() for word in capitalised} & later - {"mine"}


def test_german_articles_agree_with_their_nouns(sentences):
    agreeing, nouns = set(), set()
    for noun, _ in lexicon().nouns:
        for number, forms in enumerate(noun.german):
            gender = 3 if number else noun.german_gender
            agreeing.update(zip(GERMAN_ARTICLE[gender], forms, strict=True))
            nouns.update(forms)
    articles = {"der", "die", "das", "den", "dem"}
    checked = 0
    for _, german, _ in sentences:
        for before, article, noun in zip(["", *german], german, german[1:], strict=False):
            # After a comma it is a relative pronoun.
            if article in articles and noun in nouns and before != ",":
                assert (article, noun) in agreeing, german
                checked += 1
    assert checked > 5_000


@pytest.fixture(scope="module")
def german_finite_forms():
    auxiliaries = "haben sein werden können müssen wollen sollen regnen schneien"
    main, last = set(), set()
    for verb in [german_verb(infinitive) for infinitive in auxiliaries.split()] + [
        verb.german for verb, _ in lexicon().verbs
    ]:
        forms = {*verb.present, *verb.past} - {""}
        main |= forms
        last |= {verb.particle + form for form in forms}
    return main, last


@pytest.mark.parametrize("conjunction", ["weil", "obwohl", "dass"])
def test_german_subordinate_clauses_end_with_the_finite_verb(
    sentences, german_finite_forms, conjunction
):
    clauses = [german for _, german, _ in sentences if conjunction in german]
    assert len(clauses) > 100
    for german in clauses:
        assert german[-2] in german_finite_forms[1], german


def test_german_puts_the_finite_verb_second_after_a_time_adverb(sentences, german_finite_forms):
    starts = [german for _, german, _ in sentences if german[0] in {"heute", "gestern", "jetzt"}]
    assert len(starts) > 100
    for german in starts:
        assert german[1] in german_finite_forms[0], german


def test_spanish_adjectives_after_a_noun_agree_with_it(sentences):
    agreeing, nouns, adjectives = set(), set(), set()
    adjective_forms = [
        adjective.spanish for adjective, _ in lexicon().adjectives if not adjective.prenominal
    ]
    for forms in adjective_forms:
        adjectives.update(forms[0] + forms[1])
    for verb, _ in lexicon().verbs:
        adjectives.difference_update(verb.spanish.present)  # corta: short, cuts
    for adverbial, _ in lexicon().adverbials:
        adjectives.difference_update(adverbial.spanish)  # rápido: fast, quickly
    for noun, _ in lexicon().nouns:
        nouns.update(noun.spanish)
        for (number, form), forms in product(enumerate(noun.spanish), adjective_forms):
            agreeing.add((form, forms[number][noun.spanish_gender]))
    checked = 0
    for _, _, spanish in sentences:
        for article, noun, adjective in zip(spanish, spanish[1:], spanish[2:], strict=False):
            if article in {"el", "la", "los", "las"} and noun in nouns and adjective in adjectives:
                assert (noun, adjective) in agreeing, spanish
                checked += 1
    assert checked > 500


def test_spanish_contracts_a_and_de_with_the_article(counts, sentences):
    assert counts["es"]["al"] > 100
    assert counts["es"]["del"] > 10
    for _, _, spanish in sentences:
        following = set(pairwise(spanish))
        assert ("a", "el") not in following
        assert ("de", "el") not in following


# --- frequencies ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_frequencies_fall_off_like_zipfs_law(counts, language):
    frequencies = sorted(counts[language].values(), reverse=True)
    assert frequencies[0] > 1_000 * frequencies[-1]
    assert frequencies[0] > 300 * frequencies[len(frequencies) // 2]
    slope = math.log(frequencies[499] / frequencies[9]) / math.log(50)
    assert -1.5 < slope < -0.7


def test_most_english_words_of_the_lexicon_occur_five_times_in_the_default_corpus(counts):
    words = dictionary("en", "de")
    assert sum(counts["en"][word] >= 5 for word in words) > 0.85 * len(words)


@pytest.mark.parametrize(("language", "share"), [("en", 0.97), ("de", 0.75), ("es", 0.85)])
def test_the_default_corpus_has_most_forms_of_the_dictionary(counts, language, share):
    other = "en" if language != "en" else "de"
    words = dictionary(language, other)
    assert sum(word in counts[language] for word in words) > share * len(words)


# --- the gold dictionary -------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_generated_word_has_an_entry(counts, source, target):
    missing = set(counts[source]) - set(dictionary(source, target)) - UNTRANSLATED[source]
    assert not missing


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_dictionaries_of_both_directions_mirror_each_other(source, target):
    forward = {(a, b) for a, words in dictionary(source, target).items() for b in words}
    backward = {(a, b) for b, words in dictionary(target, source).items() for a in words}
    assert forward == backward


@pytest.mark.parametrize(
    ("source", "target", "word", "translations"),
    [
        ("en", "de", "house", {"Haus"}),
        ("en", "de", "houses", {"Häuser", "Häusern"}),
        ("en", "es", "red", {"rojo", "roja", "rojos", "rojas"}),
        ("en", "de", "slept", {"schlief", "schliefen", "geschlafen"}),
        ("de", "es", "Samstag", {"sábado"}),
        ("de", "es", "Sonnabend", {"sábado"}),
        ("en", "es", "automobile", {"coche", "auto"}),
    ],
)
def test_forms_translate_forms_of_the_same_number_and_tense(source, target, word, translations):
    assert dictionary(source, target)[word] == translations


@pytest.mark.parametrize(
    ("source", "target", "word", "translations"),
    [
        ("en", "de", "bank", {"Bank", "Ufer"}),
        ("en", "es", "bank", {"banco", "orilla"}),
        ("de", "en", "Schloss", {"castle", "lock"}),
        ("de", "en", "Birne", {"pear", "bulb"}),
        ("de", "en", "Karte", {"ticket", "map", "card"}),
        ("es", "en", "banco", {"bank", "bench"}),
        ("es", "en", "llave", {"key", "wrench", "tap", "faucet"}),
        ("en", "de", "spring", {"Frühling", "Frühjahr", "Quelle", "Feder"}),
        ("en", "es", "bat", {"murciélago", "bate"}),
        ("en", "de", "right", {"richtig", "rechte", "korrekt"}),
        ("en", "es", "play", {"jugar", "tocar"}),
    ],
)
def test_ambiguous_words_have_the_translations_of_all_their_senses(
    source, target, word, translations
):
    assert translations <= dictionary(source, target)[word]


def test_dictionary_returns_a_copy():
    dictionary("en", "de")["house"].clear()
    assert dictionary("en", "de")["house"] == {"Haus"}
