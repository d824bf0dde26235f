"""Text split into words, and what is known of the split text: mark-up, languages, tokenizers."""

from gensim_bilbowa.tokenization.tokenizer import Tokenizer

__all__ = ["Tokenizer"]
