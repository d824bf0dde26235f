"""The commands, each imported when it is run: most need gensim, which takes seconds."""

from __future__ import annotations

from importlib import import_module

import click
from click.shell_completion import CompletionItem

from gensim_bilbowa.running.interrupts import interruptible

__all__ = ["SUMMARIES", "Commands"]

# The first sentences of their help.
SUMMARIES = {
    "align": "Join word2vec or fastText vectors of several languages in one space.",
    "completion": "Print the completion script of a shell.",
    "convert": "Write the vectors of a model, or of another format, to a folder or file.",
    "demo": "Train on a built-in corpus of English, German and Spanish, and translate.",
    "evaluate": "Measure the vectors of a model by what they are for, with 95% intervals.",
    "info": "Describe a trained model, or vectors that were saved by themselves.",
    "lexicon": "Make a dictionary: for each word its translations, with scores.",
    "plot": "Draw words and their translations, the neighbours of a word, or the losses of "
    "training.",
    "reproduce": "Run the experiments of the paper, and print their tables beside the paper's.",
    "sentences": "Find for each sentence of one text the nearest of another, or mine both for "
    "pairs.",
    "terms": "Find the terms of translation files, and how they are translated.",
    "train": "Train a model on parallel and monolingual text.",
    "translate": "Translate words.",
    "tune": "Find parameters for a text, without a dictionary.",
}


class Commands(click.Group):
    """A group whose commands are in the modules beside this one that have their names."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in SUMMARIES:
            return None
        with interruptible():
            module = import_module(f"gensim_bilbowa.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    # Two that would import all of them to tell what each is for.

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command is for."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return what a shell offers: commands, and options of the group."""
        commands = [
            CompletionItem(name, help=summary)
            for name, summary in SUMMARIES.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]
