"use strict";

// ---- the list: its terms, and what is worked out of them once

const data = JSON.parse(document.getElementById("data").textContent);
const [SOURCE, TARGET] = data.languages.map((code) => code.replaceAll("_", "-"));  // BCP 47
const INCONSISTENT = 0.1;  // share that a second translation has at least

const terms = data.terms.map((term, number) => {
  const [best, ...more] = term.translations;
  const shares = [...more.map(({share}) => share), ...term.others.map(([, share]) => share)];
  return {
    ...term, number, best,
    proposed: best ? [best.text] : [],
    inconsistent: shares.some((share) => share >= INCONSISTENT),
    differs: term.known && !term.translations.some(({known}) => known),
    // What the list has as translations, to choose from by number.
    offered: [...new Set([...term.translations.map(({text}) => text), ...term.others.map(([text]) => text)])],
  };
});

const translationOf = (term, text) => term.translations.find((found) => found.text === text);
const shareOf = (term, text) =>
  (translationOf(term, text) || {share: (term.others.find(([other]) => other === text) || [])[1]}).share;

const count = (number) => number.toLocaleString("en");
const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;
const percent = (share) => share >= 0.995 || share === 0 || share >= 0.1 ? `${Math.round(100 * share)}%`
  : `${(100 * share).toFixed(1)}%`;
