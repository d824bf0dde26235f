"""A small list of terms, each of a kind of its own, and text that wants to be more than text."""

from gensim_bilbowa.terminology import Form, Term, TermExample, TermList, Translation

__all__ = ["EVIL", "TERMS", "found"]

EVIL = [
    "</script><script>window.hacked = 1</script>", "<!--", "<!-- <script>", "]]>", "&lt;b&gt;",
    "{{title}}", "{{data}}", "\u2028\u2029", "\ud800", "'\"\\`${1}", "\0\x1b", "a\r\nb\tc",
    "<img src=x onerror='window.hacked = 1'>", "javascript:window.hacked = 1",
]  # fmt: skip


def found(text, count=5, share=0.9, score=1.0, **others):
    return Translation(text, count, count * 0.75, share, score, **others)


TERMS = TermList(
    ("en", "de"),
    (
        Term(
            "user name", 128, 7.42,
            (
                found(
                    "Benutzername", 96, 0.74, 2.31, known=True,
                    variants=(Form("Benutzernamen", 22),),
                    examples=(
                        TermExample("Enter your &user name.", "Geben Sie Ihren &Benutzernamen ein.",
                                    "po/login.po", "login#12"),
                        TermExample("A <b>user</b> name, U_ser Name, superuser name",
                                    "Der <b>Benutzername</b> %s", "po/account.po", "17"),
                    ),
                ),
                found("Anwendername", 14, 0.11, 1.2, examples=(
                    TermExample("Unknown user name", "Unbekannter Anwendername"),
                )),
            ),
            (("Nutzername", 0.08), ("Name", 0.03)),
            (Form("User Name", 12), Form("user names", 9)),
            known=True,
        ),
        Term("café", 9, 1.5, (found("Kaffeehaus", 7, 0.8, 0.4),), (("Café", 0.05),)),
        Term("Ångström", 3, 3.25, (found("Größe", 3, 1.0, 0.9),)),
        Term("exit", 61, 5.1, (
            found("beenden", 40, 0.66, 1.4, variants=(Form("Beenden", 18),)),
        ), (("verlassen", 0.21),)),
        Term("spreadsheet", 55, 4.2, (found("Tabelle", 40, 0.6, 1.7),), known=True),
    ),
    {"fewer than 3 times in the text": 4120},
)  # fmt: skip
