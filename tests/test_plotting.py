"""Pictures: what is drawn where, which fonts and labels, and the page's data."""

from __future__ import annotations

import logging
import sys

import numpy as np
import pytest
from gensim.models import KeyedVectors
from html_pages import Parsed
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from scipy import sparse

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError, UnknownWordError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.lexicons import extract_lexicon
from gensim_bilbowa.plotting import (
    drawing,
    fonts,
    plot_loss,
    plot_neighbours,
    plot_subsampling,
    plot_translations,
    project,
    save_figure,
    write_page,
)
from gensim_bilbowa.plotting.labels import place_labels


def space(dim=8, seed=0, **words):
    """Vectors in which word i of every language is near word i of the others."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(max(map(len, words.values())), dim))
    languages = {}
    for code, names in words.items():
        languages[code] = KeyedVectors(dim)
        near = base[: len(names)] + 0.05 * rng.normal(size=(len(names), dim))
        languages[code].add_vectors(names, near.astype(np.float32))
    return CrossLingualVectors(languages)


def numbered(**sizes):
    return space(**{code: [f"{code}{i}" for i in range(n)] for code, n in sizes.items()})


@pytest.fixture(scope="module")
def vectors():
    return numbered(en=12, de=12)


def labels(ax):
    return {t.get_text(): t for t in ax.texts if isinstance(t, Annotation) and t.get_text()}


def dots(ax):
    """Points by language, in the order of words."""
    return {
        c.get_label(): np.asarray(c.get_offsets())
        for c in ax.collections
        if isinstance(c, PathCollection) and not c.get_label().startswith("_")
    }


def joined(ax):
    return [
        np.array(segment)
        for c in ax.collections
        if isinstance(c, LineCollection)
        for segment in c.get_segments()
    ]


def units(vectors, words):
    rows = np.array([vectors[code][word] for code, word in words], np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


# ---- projection


@given(arrays(np.float32, (9, 4), elements=st.floats(-4, 4, width=16)))
@settings(max_examples=30)
def test_pca_keeps_the_two_largest_variances_of_directions(matrix):
    norms = np.linalg.norm(matrix.astype(np.float64), axis=1, keepdims=True)
    rows = np.divide(matrix, norms, out=np.zeros(matrix.shape), where=norms > 0)
    largest = np.sort(np.linalg.eigvalsh(np.cov(rows.T)))[::-1][:2]
    points = project(matrix, "pca")
    np.testing.assert_allclose(points.var(axis=0, ddof=1), largest, atol=1e-9)
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-9)


@pytest.mark.parametrize("method", ["tsne", "pca"])
def test_projection_is_the_same_each_time(method):
    matrix = np.random.default_rng(0).normal(size=(30, 5))
    np.testing.assert_array_equal(project(matrix, method), project(matrix, method))


def test_tsne_depends_on_vectors_of_one_direction_alike():
    matrix = np.random.default_rng(0).normal(size=(12, 5)).astype(np.float32)
    np.testing.assert_array_equal(project(matrix), project(matrix * 4))


def test_tsne_puts_pairs_beside_each_other():
    base = np.random.default_rng(0).normal(size=(20, 10))
    points = project(np.vstack([base, base + 0.01]))
    distances = np.linalg.norm(points[:20, None] - points[20:], axis=2)
    assert (distances.argmin(axis=1) == np.arange(20)).all()


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("method", ["tsne", "pca"])
@pytest.mark.parametrize("equal", [False, True])
def test_few_and_equal_vectors_have_finite_points(n, method, equal):
    matrix = np.ones((n, 3)) if equal else np.random.default_rng(n).normal(size=(n, 3))
    points = project(matrix, method)
    assert points.shape == (n, 2)
    assert np.isfinite(points).all()


def test_vectors_of_one_dimension_are_projected_to_a_line():
    assert not project(np.array([[1.0], [-1.0], [2.0], [3.0], [-3.0]]), "pca")[:, 1].any()


@pytest.mark.parametrize(("options", "said"), [
    ({"method": "umap"}, "'tsne' or 'pca', not 'umap'"), ({"seed": -1}, "seed must be"),
    ({"seed": 2**32}, "seed must be"), ({"seed": 1.5}, "seed must be"),
])  # fmt: skip
def test_projections_that_cannot_be_are_refused(options, said):
    with pytest.raises(ConfigError, match=said):
        project(np.eye(3), **options)


# ---- labels


def boxes_overlap(centres, sizes):
    apart = np.abs(centres[:, None] - centres) >= (sizes[:, None] + sizes) / 2 - 1e-9
    covered = ~apart.any(axis=2)
    return covered[np.triu_indices(len(centres), 1)].any()


@given(arrays(np.float64, (25, 2), elements=st.floats(0, 400)))
@settings(max_examples=30)
def test_labels_lie_within_the_bounds_and_on_no_other_label_or_point(anchors):
    sizes = np.tile([40.0, 10.0], (25, 1))
    centres = place_labels(anchors, sizes, (-200, -200, 600, 600))
    assert not boxes_overlap(centres, sizes)
    assert (np.abs(centres - 200) + sizes / 2 <= 400 + 1e-9).all()
    gaps = np.abs(centres[:, None] - anchors) - sizes / 2
    assert (gaps.max(axis=2) >= 2 - 1e-9).all()


def test_label_alone_is_right_of_its_point():
    np.testing.assert_allclose(place_labels([[5, 5]], [[20, 8]], (0, 0, 99, 99)), [[19, 5]])


def test_labels_without_room_are_placed_all_the_same():
    centres = place_labels(np.zeros((5, 2)), np.full((5, 2), 50.0), (-10, -10, 10, 10))
    assert np.isfinite(centres).all()


# ---- translations


def test_points_are_the_projection_and_words_are_at_them(vectors):
    ax = plot_translations(vectors, "en", "de", n=10, method="pca")
    words = [(code, f"{code}{i}") for code in ("en", "de") for i in range(10)]
    points = project(units(vectors, words), "pca")
    drawn = dots(ax)
    np.testing.assert_allclose(np.vstack([drawn["en"], drawn["de"]]), points, atol=1e-6)
    for (_, word), point in zip(words, points, strict=True):
        np.testing.assert_allclose(labels(ax)[word].xy, point, atol=1e-6)


def test_lines_join_translations(vectors):
    ax = plot_translations(vectors, "en", "de", n=12, method="pca")
    place = {word: label.xy for word, label in labels(ax).items()}
    expected = [[place[f"en{i}"], place[f"de{i}"]] for i in range(12)]
    np.testing.assert_allclose(joined(ax), expected)


def test_lines_can_be_left_out(vectors):
    assert not joined(plot_translations(vectors, n=5, method="pca", lines=False))


def test_default_words_are_the_first_that_have_a_mutual_translation():
    both = numbered(en=6, de=4)
    ax = plot_translations(both, n=10, method="pca")
    lexicon = extract_lexicon(both, "en", "de", method="csls", refine=False)
    assert set(labels(ax)) == {word for entry in lexicon for word in entry[:2]}


def test_words_are_joined_by_their_vectors_whatever_counts_and_spelling_say():
    both = space(en=["image", "from", "city"], de=["bild", "von", "stadt"])
    near = both["de"].vectors + np.float32(0.3)
    both["de"].add_vectors(["from", "image", "city"], near[[1, 0, 2]])
    aligned = AlignedCounts()
    aligned.add("en", "de", sparse.csr_array(np.eye(3, 6, 3, dtype=np.float32)[[1, 0, 2]] * 9))
    for known in (both, CrossLingualVectors(both, aligned)):
        hybrid = {entry.source: entry.target for entry in extract_lexicon(known, "en", "de")}
        assert hybrid["image"] == "image"
        ax = plot_translations(known, "en", "de", method="pca")
        place = {label.xy: word for word, label in labels(ax).items()}
        ends = [tuple(place[tuple(end)] for end in line) for line in joined(ax)]
        assert ends == [("image", "bild"), ("from", "von"), ("city", "stadt")]


def test_words_without_a_letter_are_drawn_only_when_asked_for():
    mixed = space(en=[".", "a", "7", "b2", "that"], de=[",", "ä", "7", "б2", "–"])
    assert list(labels(plot_translations(mixed, method="pca"))) == ["a", "b2", "ä", "б2"]
    assert list(labels(plot_translations(mixed, words=["."], method="pca"))) == [".", ","]


def test_dictionary_gives_the_translations_the_most_frequent_first(vectors):
    dictionary = {"en3": {"de9", "de5", "unknown"}, "en1": "de7", "en2": ["unknown"], "no": ["de1"]}
    ax = plot_translations(vectors, "en", "de", dictionary=dictionary, method="pca")
    assert list(labels(ax)) == ["en1", "en3", "de7", "de5"]
    assert len(joined(ax)) == 2


def test_words_without_a_translation_are_drawn_alone_and_counted(vectors, caplog):
    with caplog.at_level(logging.WARNING):
        ax = plot_translations(
            vectors, "en", "de", words=["en1", "en2", "en1"], dictionary={"en1": "de1"},
            method="pca",
        )  # fmt: skip
    assert list(labels(ax)) == ["en1", "en2", "de1"]
    assert "1 of 2 words of 'en' have no translation in 'de'" in caplog.text


def test_shared_translation_is_drawn_once(vectors):
    ax = plot_translations(vectors, dictionary={"en1": "de1", "en2": "de1"}, method="pca")
    assert len(dots(ax)["de"]) == 1
    assert len(joined(ax)) == 2


def test_labels_of_a_figure_do_not_overlap():
    ax = plot_translations(numbered(en=40, de=40), n=40, method="pca")
    extents = [label.get_window_extent() for label in labels(ax).values()]
    centres = np.array([[e.x0 + e.x1, e.y0 + e.y1] for e in extents]) / 2
    assert not boxes_overlap(centres, np.array([[e.width - 0.1, e.height - 0.1] for e in extents]))


def test_labels_share_what_measures_them(vectors, monkeypatch):
    made = []

    class Counted(RendererAgg):
        def __init__(self, *args):
            made.append(args)
            super().__init__(*args)

    monkeypatch.setattr("matplotlib.backends.backend_agg.RendererAgg", Counted)
    counts = []
    for n in (4, 12):
        plot_translations(vectors, n=n, method="pca")
        counts.append(len(made))
        made.clear()
    assert counts[0] == counts[1]


def test_more_labels_than_a_figure_has_room_for_are_refused_before_the_projection(monkeypatch):
    monkeypatch.setattr("gensim_bilbowa.plotting.drawing.project", None)
    many = numbered(en=1001, de=1001)
    pairs = {f"en{i}": f"de{i}" for i in range(1001)}
    with pytest.raises(ConfigError, match=r"room for 2,000 labels, not for 2,002"):
        plot_translations(many, n=10**9, dictionary=pairs)
    with pytest.raises(ConfigError, match=r"room for 2,000 labels, not for 2,002"):
        plot_neighbours(many, "en1", n=10**6)


def test_both_axes_have_one_scale(vectors):
    ax = plot_translations(vectors, method="pca")
    box = ax.get_window_extent()
    scales = np.ptp(ax.get_xlim()) / box.width, np.ptp(ax.get_ylim()) / box.height
    assert scales[0] == pytest.approx(scales[1], rel=1e-3)


def test_given_axes_are_drawn_on(vectors):
    ax = Figure().subplots()
    assert plot_translations(vectors, n=3, method="pca", ax=ax) is ax
    assert len(labels(ax)) == 6


def test_axes_of_a_figure_within_a_figure_are_saved_with_all_of_it(vectors, tmp_path):
    figure = Figure()
    ax = figure.subfigures(1, 2)[0].subplots()
    save_figure(plot_translations(vectors, n=3, method="pca", ax=ax), tmp_path / "part.svg")
    save_figure(figure, tmp_path / "all.svg")
    assert (tmp_path / "part.svg").read_bytes() == (tmp_path / "all.svg").read_bytes()


def test_model_stands_for_its_vectors(small_model):
    assert (
        labels(plot_translations(small_model, n=4, method="pca")).keys()
        == labels(plot_translations(small_model.wv, n=4, method="pca")).keys()
    )


def test_dollar_signs_and_odd_characters_are_drawn_as_they_are(tmp_path):
    pairs = {"$a$": "$\\frac$", "_x": "%", "a\nb": "^", "\ud800": "{"}
    odd = space(en=list(pairs), de=list(pairs.values()))
    ax = plot_translations(odd, words=pairs, dictionary=pairs, method="pca")
    assert {"$a$", "_x", "$\\frac$"} <= set(labels(ax))
    save_figure(ax, tmp_path / "odd.png")


def test_long_words_are_shortened_to_forty_letters():
    long = space(en=["a" * 40, "b" * 41], de=["c", "d"])
    assert {"a" * 40, "b" * 39 + "…"} < set(labels(plot_translations(long, method="pca")))


@pytest.mark.parametrize(("options", "error", "said"), [
    ({"words": ["en1", "nope"]}, UnknownWordError, "'nope' is not in the 'en' vocabulary"),
    ({"source": "fr"}, UnknownLanguageError, "'fr'"),
    ({"target": "fr"}, UnknownLanguageError, "'fr'"),
    ({"words": "en1"}, ConfigError, "list of words"),
    ({"words": []}, ConfigError, "words is empty"),
    ({"dictionary": {"en1": "x"}}, ConfigError, "no word of 'en' has a translation in 'de', with"),
    ({"n": 0}, ConfigError, "n must be"),
    ({"method": "umap"}, ConfigError, "'tsne' or 'pca'"),
])  # fmt: skip
def test_translations_that_cannot_be_drawn_are_refused(vectors, options, error, said):
    with pytest.raises(error, match=said):
        plot_translations(vectors, **options)


def test_other_things_than_vectors_are_refused():
    with pytest.raises(ConfigError, match="a model are wanted, got list"):
        plot_translations([1, 2])


def test_untrained_model_is_refused():
    with pytest.raises(ConfigError, match="no languages"):
        plot_translations(BilBOWA())


# ---- subsampling


def test_two_models_show_the_same_words_side_by_side(vectors):
    other = space(seed=5, en=[f"en{i}" for i in range(12)], de=[f"de{i}" for i in range(12)])
    left, right = plot_subsampling(vectors, other, n=8, method="pca").axes
    assert list(labels(left)) == list(labels(right))
    assert left.get_xlim() == pytest.approx(right.get_xlim())
    assert left.get_ylim() == pytest.approx(right.get_ylim())
    for ax, model, name in (
        (left, vectors, "with parallel subsampling"),
        (right, other, "without"),
    ):
        rows = units(model, [(word[:2], word) for word in labels(ax)])
        cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
        assert ax.get_title() == f"{name} (mean cosine {cosines.mean():.2f})"


def test_word_that_the_second_model_lacks_is_an_error(vectors):
    with pytest.raises(UnknownWordError, match="'de' vocabulary"):
        plot_subsampling(vectors, numbered(en=12, de=2), method="pca")


# ---- neighbours


def test_neighbours_are_the_nearest_words_around_the_word(vectors):
    ax = plot_neighbours(vectors, "en3", n=4)
    own = [word for word, _ in vectors["en"].most_similar("en3", topn=4)]
    other = [word for word, _ in vectors["en"].most_similar_cross("en3", 4, method="csls")]
    assert list(labels(ax)) == ["en3", *own, *other]
    np.testing.assert_allclose(labels(ax)["en3"].xy, 0, atol=1e-12)
    assert np.mean(ax.get_xlim()) == pytest.approx(0)
    assert np.mean(ax.get_ylim()) == pytest.approx(0)
    assert labels(ax)["en3"].get_weight() == "bold"
    assert labels(ax)["en3"].get_fontsize() > labels(ax)[own[0]].get_fontsize()


def test_neighbours_of_three_languages_have_three_colours_and_markers():
    ax = plot_neighbours(numbered(en=5, de=5, es=5), "de2", n=3)
    assert [len(points) for points in dots(ax).values()] == [4, 3, 3]
    assert list(dots(ax)) == ["de", "en", "es"]
    assert len({labels(ax)[word].get_color() for word in ("de2", "en2", "es2")}) == 3


@pytest.mark.parametrize("word", ["en0", "en2"])
def test_neighbours_are_found_beside_and_of_a_vector_of_zeros(word):
    some = numbered(en=5, de=5)
    some["en"].vectors[2] = 0
    some["en"].fill_norms(force=True)
    points = dots(plot_neighbours(some, word, n=3))
    assert {code: found.shape for code, found in points.items()} == {"en": (4, 2), "de": (3, 2)}
    assert np.isfinite(np.vstack(list(points.values()))).all()


def test_language_of_a_word_is_the_first_that_has_it_unless_said():
    shared = space(en=["in", "a"], de=["in", "b"])
    assert plot_neighbours(shared, "in").get_title() == "in (en) and its nearest words"
    assert plot_neighbours(shared, "in", "de").get_title() == "in (de) and its nearest words"


def test_unknown_word_is_an_error_that_names_the_languages(vectors):
    with pytest.raises(UnknownWordError, match=r"none of the vocabularies of \['en', 'de'\]"):
        plot_neighbours(vectors, "nope")
    with pytest.raises(UnknownWordError, match="it is a word of 'en'"):
        plot_neighbours(vectors, "en1", "de")


# ---- losses


def test_curves_are_the_loss_history(small_model):
    mono, cross, rate, words = plot_loss(small_model).axes
    history = small_model.loss_history
    kinds = ((mono, "monolingual"), (cross, "crosslingual"), (words, "translations"))
    for ax, kind in kinds:
        assert [line.get_label() for line in ax.lines] == list(history[0][kind])
        for line in ax.lines:
            assert list(line.get_xdata()) == [1, 2, 3]
            assert list(line.get_ydata()) == [entry[kind][line.get_label()] for entry in history]
    assert list(rate.lines[0].get_ydata()) == [entry["alpha"] for entry in history]


def test_history_of_an_older_model_has_no_panel_of_translations(small_model):
    for entry in small_model.loss_history:
        del entry["translations"]
    assert [ax.get_title() for ax in plot_loss(small_model).axes] == [
        "monolingual loss", "cross-lingual loss", "learning rate",
    ]  # fmt: skip


@pytest.mark.parametrize("epochs", [1, 2, 7, 300])
def test_epochs_are_whole_numbers(small_model, epochs):
    small_model.loss_history = small_model.loss_history[:1] * epochs
    for ax in plot_loss(small_model).axes:
        ticks = ax.get_xticks()
        assert len(ticks)
        np.testing.assert_array_equal(ticks, ticks.round())


def test_pair_that_was_not_always_trained_has_a_gap(small_model):
    small_model.loss_history[1] = {**small_model.loss_history[1], "crosslingual": {"en-fr": 1.0}}
    values = {line.get_label(): line.get_ydata() for line in plot_loss(small_model).axes[1].lines}
    assert np.isnan(values["en-de"]).tolist() == [False, True, False]
    assert np.isnan(values["en-fr"]).tolist() == [True, False, True]


def test_model_without_losses_is_refused():
    with pytest.raises(ConfigError, match="a trained model is wanted"):
        plot_loss(BilBOWA())


# ---- files and matplotlib's state


@pytest.mark.parametrize("suffix", [".png", ".svg", ".SVG"])
def test_same_figure_gives_the_same_bytes(vectors, tmp_path, suffix):
    for name in ("a", "b"):
        ax = plot_translations(vectors, n=4, method="pca")
        save_figure(ax if name == "a" else ax.figure, tmp_path / (name + suffix))
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_other_suffix_is_refused_before_anything_is_written(vectors, tmp_path):
    with pytest.raises(ConfigError, match=r"ends in \.png or \.svg, got"):
        save_figure(plot_neighbours(vectors, "en1"), tmp_path / "a.pdf")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_nothing_global_is_touched(vectors, small_model, tmp_path, monkeypatch):
    before = dict(rcParams)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)  # importing it would fail
    for figure in (
        plot_translations(vectors, method="pca"), plot_neighbours(vectors, "en1"),
        plot_subsampling(vectors, vectors, method="pca"), plot_loss(small_model),
    ):  # fmt: skip
        assert isinstance(figure, Axes | Figure)
        save_figure(figure, tmp_path / "a.svg")
    assert dict(rcParams) == before


def test_missing_library_is_named_with_its_extra(vectors, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.manifold", None)
    with pytest.raises(ImportError, match=r"pip install 'gensim_bilbowa\[plot\]'"):
        plot_translations(vectors)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'gensim_bilbowa\[plot\]'"):
        plot_neighbours(vectors, "en1")


# ---- fonts


def test_script_without_a_font_is_named_and_drawn_as_squares(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(fonts, "_installed", dict)
    both = space(en=["dog", "cat", "a"], zh=["狗", "猫", "x猫"])
    with caplog.at_level(logging.WARNING):
        ax = plot_translations(both, dictionary={"dog": "狗", "cat": "猫", "a": "x猫"},
                               method="pca")  # fmt: skip
    assert "no installed font has the letters of CJK (words: 3)" in caplog.text
    assert {"□", "x□"} <= set(labels(ax))
    save_figure(ax, tmp_path / "a.png")  # and no warning of matplotlib's


def test_family_that_has_most_of_the_letters_is_chosen(monkeypatch):
    installed = {
        "Few Sans": frozenset("狗"),
        "Many": frozenset("狗猫"),
        "Many Sans": frozenset("狗猫"),
    }
    monkeypatch.setattr(fonts, "_installed", lambda: installed)
    letters = fonts.lettering(["dog", "狗", "猫"])
    assert letters.families == (*rcParams["font.family"], "Many Sans")
    assert not letters.replacements


def test_words_in_usual_letters_need_no_other_font(caplog):
    letters = fonts.lettering(["dog", "Mädchen", "собака"])
    assert letters.families == tuple(rcParams["font.family"])
    assert not caplog.text


def test_marks_that_are_not_seen_are_left_out(monkeypatch, caplog):
    monkeypatch.setattr(fonts, "_installed", dict)
    assert fonts.lettering(["a\U000e0061b"]).shown("a\U000e0061b") == "ab"
    assert not caplog.text


def test_installed_fonts_are_read():
    installed = fonts._installed()
    assert "a" in installed["DejaVu Sans"]
    assert not any(name.startswith("Last Resort") for name in installed)


# ---- the page


def page(tmp_path, *args, **options):
    write_page(tmp_path / "map.html", *args, **{"method": "pca", **options})
    return Parsed((tmp_path / "map.html").read_text(encoding="utf-8"))


def test_page_has_the_first_words_with_their_points(tmp_path, vectors):
    data = page(tmp_path, vectors, n=7).data
    assert [language["code"] for language in data["languages"]] == ["en", "de"]
    assert data["languages"][1]["words"] == [f"de{i}" for i in range(7)]
    words = [(code, f"{code}{i}") for code in ("en", "de") for i in range(7)]
    expected = project(units(vectors, words), "pca")
    points = np.vstack([language["points"] for language in data["languages"]])
    assert np.abs(points).max() == 1
    expected -= (expected.min(axis=0) + expected.max(axis=0)) / 2
    np.testing.assert_allclose(points, expected / np.abs(expected).max(), atol=1e-4)


def test_page_has_neighbours_and_translations_with_scores(tmp_path, vectors):
    english = page(tmp_path, vectors, n=5, topn=3).data["languages"][0]["neighbours"]
    for row in range(5):
        for code, expected in (
            ("en", vectors["en"].most_similar(row, topn=3)),
            ("de", vectors["en"].most_similar_cross(row, 3, method="csls")),
        ):
            assert [word for word, _ in english[code][row]] == [word for word, _ in expected]
            np.testing.assert_allclose(
                [score for _, score in english[code][row]], [s for _, s in expected], atol=6e-4
            )


def test_page_shows_the_languages_asked_for(tmp_path):
    data = page(tmp_path, numbered(en=4, de=4, es=4), ["es", "en", "es"]).data
    assert [language["code"] for language in data["languages"]] == ["es", "en"]
    assert set(data["languages"][0]["neighbours"]) == {"es", "en"}


def test_words_cannot_become_markup_or_code(tmp_path, vectors):
    evil = ["</script><b>", "<!--", "]]>", "&lt;", "{{title}}", "\u2028", "\ud800", "'\"\\"]
    odd = space(en=evil, de=[f"d{i}" for i in range(len(evil))])
    title = "</title><script>alert(1)</script>{{data}}"
    made, usual = page(tmp_path, odd, title=title), page(tmp_path, vectors)
    assert made.tags == usual.tags
    assert made.data["title"] == title
    assert made.data["languages"][0]["words"] == evil


def test_page_loads_nothing_and_forbids_it(tmp_path, vectors):
    made = page(tmp_path, vectors)
    assert made.addresses == ["data:,"]
    text = (tmp_path / "map.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert text.replace("http://www.w3.org/2000/svg", "").count("://") == 0


def test_page_has_the_colours_of_the_figures(tmp_path, vectors):
    page(tmp_path, vectors)
    text = (tmp_path / "map.html").read_text(encoding="utf-8")
    for number, colour in enumerate(drawing.COLOURS):
        assert f"--c{number}: {colour};" in text


def test_same_vectors_give_the_same_page(tmp_path, vectors):
    pages = []
    for _ in range(2):
        page(tmp_path, vectors, method="tsne")
        pages.append((tmp_path / "map.html").read_bytes())
    assert pages[0] == pages[1]


def test_earlier_page_stays_if_the_new_one_cannot_be_made(tmp_path, vectors, monkeypatch):
    page(tmp_path, vectors)
    before = (tmp_path / "map.html").read_bytes()
    monkeypatch.setattr("pathlib.Path.write_text", lambda *a, **k: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_page(tmp_path / "map.html", vectors, n=3, method="pca")
    assert [(f.name, f.read_bytes()) for f in tmp_path.iterdir()] == [("map.html", before)]


@pytest.mark.parametrize(("options", "error", "said"), [
    ({"languages": "en"}, ConfigError, "list of codes"),
    ({"languages": []}, ConfigError, "no words"),
    ({"languages": ["fr"]}, UnknownLanguageError, "'fr'"),
    ({"n": 0}, ConfigError, "n must be"), ({"topn": -1}, ConfigError, "topn must be"),
    ({"method": "umap"}, ConfigError, "method must be"),
])  # fmt: skip
def test_pages_that_cannot_be_are_refused(tmp_path, vectors, options, error, said):
    with pytest.raises(error, match=said):
        write_page(tmp_path / "map.html", vectors, **options)
    assert not list(tmp_path.iterdir())
