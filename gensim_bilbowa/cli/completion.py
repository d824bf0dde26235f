"""``bilbowa completion``: what a shell needs to complete commands, options and files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["completion"]


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example (a line for ~/.bashrc):
      eval "$(bilbowa completion bash)"
    """  # noqa: D301 (\b tells click to keep the lines)
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "bilbowa", "_BILBOWA_COMPLETE").source())
