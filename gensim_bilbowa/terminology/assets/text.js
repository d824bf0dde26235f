// ---- text: elements of it, as it is searched, and where a term stands in it

const byId = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const inLanguage = (lang, text, name = "bdi", attributes = {}) =>
  element(name, {lang, dir: "auto", ...attributes}, text);

const UNDIVIDED = {ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ς: "σ"};
// Accents of Latin, Greek and Cyrillic, points of Hebrew, vowels and the stretching of Arabic: what
// one leaves out when one types. Marks of other scripts are letters to their readers.
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670]/gu;

function folded(text) {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").toLowerCase().replace(ACCENTS, "")
    .replace(/[ßæœøđðþłħıς]/gu, (letter) => UNDIVIDED[letter]);
}

// What may stand within a word of a text: an access key's sign, a soft hyphen, a tag.
const WITHIN = String.raw`(?:&amp;|[&_~\xad\u200b\\]|<[^<>]{1,200}>)?`;
const BETWEEN = String.raw`(?:[\s\-\u2010\u2011&_~\\]|&nbsp;|&#160;|<[^<>]{1,200}>)`;
// Scripts without spaces, in which a word may begin and end anywhere.
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u;
const LETTER = String.raw`(?!${UNSPACED.source})[\p{L}\p{M}\p{N}]`;
const SPACED = new RegExp(LETTER, "u");
// Where a word begins: behind no letter, be it one and an access key's sign; or behind a line's end
// that is written as \n.
const BEGIN = String.raw`(?:(?<!${LETTER}[&_~\xad]?)|(?<=\\[nrt]))`;
const END = String.raw`(?![&_~\xad]?${LETTER})`;

function letterPattern(letter) {
  if (/['’ʼ]/u.test(letter)) return String.raw`(?:\\?['’ʼ]{1,2}|&apos;|&#39;)`;
  if (letter === "&") return "(?:&amp;|&)";
  const escaped = letter.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`), parts = letter.normalize("NFD");
  return parts === letter ? escaped : `(?:${escaped}|${parts})`;
}

function formPattern(form) {
  const words = form.normalize("NFC").trim().split(/\s+/u).map((word) => [...word]);
  let pattern = "";
  words.forEach((letters, number) => {
    if (number) {
      const before = words[number - 1].at(-1);
      // Tokens stand apart in a term, but not always in the text: "don 't", "文件 管理".
      const near = !(SPACED.test(before) && SPACED.test(letters[0]));
      pattern += `${BETWEEN}${near ? "{0,8}" : "{1,8}"}`;
    }
    pattern += letters.map(letterPattern).join(WITHIN);
  });
  const letters = [...form.trim()];
  return `${SPACED.test(letters[0]) ? BEGIN : ""}(?:${pattern})${SPACED.test(letters.at(-1)) ? END : ""}`;
}

// A pattern that finds any of some forms of a term, or null if there are none. A pattern can be too
// large for a browser: forms that are no words any more, and the rarest of very many, are not marked.
function formsPattern(forms) {
  const ordered = [...new Set(forms)].filter((form) => form.trim() && form.length <= 200).slice(0, 200)
    .sort((one, other) => other.length - one.length);
  return ordered.length ? new RegExp(ordered.map(formPattern).join("|"), "giu") : null;
}

function marked(text, pattern) {
  const parts = [];
  let at = 0;
  for (const found of pattern ? text.matchAll(pattern) : []) {
    parts.push(text.slice(at, found.index), element("mark", {}, found[0]));
    at = found.index + found[0].length;
  }
  return [...parts, text.slice(at)];
}
