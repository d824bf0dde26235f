"""Pictures of word vectors and of training: figures for print, and a page to explore.

They need matplotlib and scikit-learn: ``pip install 'gensim_bilbowa[plot]'``. Neither is imported
before the first picture, and nothing global of matplotlib, pyplot included, is touched.
"""

from gensim_bilbowa.plotting.losses import plot_loss
from gensim_bilbowa.plotting.neighbours import plot_neighbours
from gensim_bilbowa.plotting.page import write_page
from gensim_bilbowa.plotting.projection import PROJECTIONS, Projection, project
from gensim_bilbowa.plotting.saving import FIGURE_FORMATS, figure_format, save_figure
from gensim_bilbowa.plotting.translations import plot_subsampling, plot_translations

__all__ = [
    "FIGURE_FORMATS",
    "PROJECTIONS",
    "Projection",
    "figure_format",
    "plot_loss",
    "plot_neighbours",
    "plot_subsampling",
    "plot_translations",
    "project",
    "save_figure",
    "write_page",
]
