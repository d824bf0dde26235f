"""The figures of the paper's tables (Gouws et al. 2015), to stand beside what is measured."""

from __future__ import annotations

__all__ = ["ACCURACY", "MINUTES", "TRANSLATION"]

# P@1 and P@5 in percent, English to Spanish and back. Of word co-occurrence the paper prints P@1
# 30, 19 and P@5 20, 30; a P@5 below the P@1 cannot be.
TRANSLATION = {
    "Edit distance": ((13, 24), (18, 27)),
    "Word co-occurrence": ((30, 20), (19, 30)),
    "Translation matrix": ((33, 51), (35, 52)),
    "BilBOWA, as in the paper": ((39, 51), (44, 55)),
}

# Accuracy in percent, English to German and back.
ACCURACY = {
    "Majority class": (46.8, 46.8),
    "Glossed": (65.1, 68.6),
    "MT, word by word": (68.1, 67.4),
    "Klementiev et al.": (77.6, 71.1),
    "Bilingual autoencoder": (91.8, 72.8),
    "BiCVM": (83.7, 71.4),
    "BilBOWA, as in the paper": (86.5, 75.0),
}

# Of training, on Europarl.
MINUTES = {
    "Klementiev et al.": 14_400,
    "Bilingual autoencoder": 4_800,
    "BiCVM": 15,
    "BilBOWA, as in the paper": 6,
}
