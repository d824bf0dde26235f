// ---- files: what is accepted as TBX, CSV and OmegaT's glossary; decisions saved and loaded

const accepted = () => terms.filter(({state}) => state === "accepted");

function download(suffix, type, text) {
  const address = URL.createObjectURL(new Blob([text], {type}));
  element("a", {href: address, download: `terms-${SOURCE}-${TARGET}${suffix}`}).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Says of a translation how it came to be here.
const origin = (term, text) => term.offered.includes(text) ? "accepted by hand" : "written by hand";

// ---- TBX: ISO 30042:2019, dialect TBX-Basic, style dca

const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"};
const inXML = (text) => text.replace(/[&<>"\r]/g, (sign) => SIGNS[sign]);

function tbx(list, substitute) {
  const whole = (name, text, attributes = "") =>
    `<${name}${attributes}>${inXML(text.replace(NOT_XML, substitute))}</${name}>\n`;
  const termSec = (text, contexts, notes) => "<termSec>\n" + whole("term", text)
    + [...new Set(contexts)].map((context) => whole("descrip", context, ' type="context"')).join("")
    + notes.map((note) => whole("note", note)).join("") + "</termSec>\n";
  const targetSec = (term, text) => {
    const found = translationOf(term, text), share = shareOf(term, text), said = [origin(term, text)];
    if (found) said.push(`score ${found.score.toFixed(4)}`);
    if (share !== undefined) said.push(`share ${share.toFixed(4)}`);
    return termSec(text, found ? found.examples.map(({target}) => target) : [], [said.join("; ")]);
  };
  const langSec = (code, content) => `<langSec xml:lang="${inXML(code)}">\n${content}</langSec>\n`;
  const concepts = list.map((term, at) => {
    const contexts = term.chosen.flatMap((text) => translationOf(term, text)?.examples ?? []);
    return `<conceptEntry id="c${at + 1}">\n`
      + langSec(SOURCE, termSec(term.text, contexts.map(({source}) => source), []))
      + langSec(TARGET, term.chosen.map((text) => targetSec(term, text)).join(""))
      + "</conceptEntry>\n";
  });
  return '<?xml version="1.0" encoding="utf-8"?>\n'
    + `<tbx type="TBX-Basic" style="dca" xml:lang="${inXML(SOURCE)}" xmlns="urn:iso:std:iso:30042:ed-2">\n`
    + "<tbxHeader>\n<fileDesc>\n<sourceDesc>\n"
    + whole("p", "Terms and translations computed by gensim_bilbowa; these were accepted by hand, "
      + "one by one, and some translations were written by hand, as their notes say")
    + "</sourceDesc>\n</fileDesc>\n</tbxHeader>\n<text>\n<body>\n" + concepts.join("")
    + "</body>\n</text>\n</tbx>\n";
}

// ---- tables

// A spreadsheet takes for a formula what begins with such a sign, wide and small ones too, or with one
// behind what is not seen; an apostrophe before it makes it text. What has apostrophes gets one more,
// so that it can be told what was there.
function isFormula(text) {
  const bare = text.replace(/^'+/, ""), first = /[^\s\p{C}\p{Z}]/u.exec(bare);
  return /^[\t\r\n]/.test(bare) || first !== null && /^[=+\-@]$/.test(first[0].normalize("NFKC"));
}

const cell = (value) => {
  const text = typeof value === "string" && isFormula(value) ? `'${value}` : String(value ?? "");
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const formsCell = (forms) => forms.map(({text, count: times}) => `${text} (${times})`).join("; ");
const figure = (value, digits) => value === undefined ? "" : Number(value.toFixed(digits));

function csv(list) {
  const head = [SOURCE, TARGET, "checked", "score", "share", `${SOURCE}_count`, `${TARGET}_count`, "termhood",
    "known", `${SOURCE}_forms`, `${TARGET}_forms`, `${SOURCE}_example`, `${TARGET}_example`, "file", "unit"];
  const lines = list.flatMap((term) => term.chosen.map((text) => {
    const found = translationOf(term, text), example = found?.examples[0];
    return [term.text, text, origin(term, text), figure(found?.score, 4), figure(shareOf(term, text), 4), term.count,
      found?.count, figure(term.termhood, 4), found?.known ? "yes" : "no", formsCell(term.variants), formsCell(found?.variants ?? []),
      example?.source, example?.target, example?.file, example?.unit];
  }));
  return "\ufeff" + [head, ...lines].map((line) => line.map(cell).join(",") + "\r\n").join("");
}

// Lines of source, target and comment. One that begins with "#" would be taken for a comment.
function glossary(list) {
  const line = (cells) => cells.map((text) => text.replace(/[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+/g, " ")).join("\t").replace(/^#/, " #");
  return list.flatMap((term) => term.chosen.map((text) => `${line([term.text, text, origin(term, text)])}\n`)).join("");
}

function exportAs(suffix, type, make) {
  const list = accepted();
  if (!list.length) {
    tell("No term is accepted yet: there is nothing to export.");
    return;
  }
  let replaced = 0;
  const substitute = () => {
    replaced += 1;
    return "\ufffd";
  };
  const text = make(list, substitute).replace(/\p{Cs}/gu, substitute);  // half characters are not UTF-8
  download(suffix, type, text);
  tell(`${counted(list.length, "term")} exported.`
    + (replaced ? ` ${counted(replaced, "character")} that the file cannot hold became \ufffd.` : ""));
}

byId("export-tbx").addEventListener("click", () => exportAs(".tbx", "application/xml", tbx));
byId("export-csv").addEventListener("click", () => exportAs(".csv", "text/csv", csv));
byId("export-omegat").addEventListener("click", () => exportAs(".utf8", "text/plain", glossary));

// ---- decisions

byId("save").addEventListener("click", () => {
  download("-decisions.json", "application/json", decisions() + "\n");
  if (!kept) unsaved = false;
  tell(`Decisions on ${counted(terms.filter(isDecided).length, "term")} saved.`);
});
byId("load").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", async ({target}) => {
  const [file] = target.files;
  if (!file) return;
  try {
    const {changes, missing} = changesOf(await file.text());
    if (changes.length) decide(changes);
    refresh();
    tell(`Decisions on ${counted(changes.length, "term")} loaded.`
      + (missing ? ` ${counted(missing, "term")} of the file ${missing === 1 ? "is" : "are"} not in this list.` : ""));
  } catch (error) {
    tell(`${file.name}: ${error.message}`);
  }
  target.value = "";  // so that the same file can be loaded again
});
