// ---- decisions: of each term a state, and the translations chosen; kept, saved, loaded, undone

const STATES = ["open", "accepted", "rejected"];
const FORMAT = "gensim_bilbowa: decisions on terms";
const KEY = `bilbowa-terms-${data.list}`;
const undoable = [];
let kept = true;     // whether the browser has a storage that takes the decisions
let unsaved = false;  // whether there are some that are neither kept nor saved

for (const term of terms) Object.assign(term, {state: "open", chosen: term.proposed});

const sameTexts = (one, other) => one.length === other.length && one.every((text, at) => text === other[at]);
const isDecided = (term) => term.state !== "open" || !sameTexts(term.chosen, term.proposed);

function tally() {
  const numbers = {open: 0, accepted: 0, rejected: 0};
  for (const {state} of terms) numbers[state] += 1;
  return numbers;
}

// Each change is of a term: {term, state, chosen}. All of them are one step to undo.
function decide(changes) {
  undoable.push(changes.map(({term}) => ({term, state: term.state, chosen: term.chosen})));
  for (const {term, state, chosen} of changes) Object.assign(term, {state, chosen});
  keep();
}

// Returns the first term of the step that was undone, or null if there was none.
function undo() {
  const step = undoable.pop();
  if (!step) return null;
  for (const {term, state, chosen} of step) Object.assign(term, {state, chosen});
  keep();
  return step[0].term;
}

const decisions = () => JSON.stringify({
  format: FORMAT, version: 1, list: data.list, languages: data.languages,
  decisions: terms.filter(isDecided).map(({number, text, state, chosen}) =>
    ({number, source: text, state, translations: chosen})),
}, null, 1);

const isDecision = (given) => given !== null && typeof given === "object" && typeof given.source === "string"
  && STATES.includes(given.state) && Array.isArray(given.translations)
  && given.translations.every((text) => typeof text === "string" && text.trim())
  && (given.translations.length > 0 || given.state !== "accepted");

// Returns the changes that a file of decisions makes, and how many of them have no term here. An
// earlier list's decisions are taken by the terms' texts.
function changesOf(text) {
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error("that is not a file of decisions: it is not JSON");
  }
  if (given === null || given.format !== FORMAT || !Array.isArray(given.decisions)) {
    throw new Error("that is not a file of decisions, as this page saves them");
  }
  if (given.version !== 1) throw new Error(`this page reads decisions of version 1, not ${given.version}`);
  if (String(given.languages) !== String(data.languages)) {
    throw new Error(`decisions on terms of ${given.languages}; those here are ${data.languages}`);
  }
  const wrong = given.decisions.findIndex((decision) => !isDecision(decision));
  if (wrong >= 0) throw new Error(`decision ${wrong + 1} of the file has no source, state or translations`);
  const byText = new Map([...terms].reverse().map((term) => [term.text, term]));
  const changes = [];
  let missing = 0;
  for (const {number, source, state, translations} of given.decisions) {
    const here = given.list === data.list && terms[number], term = here && here.text === source ? here : byText.get(source);
    if (term) changes.push({term, state, chosen: translations});
    else missing += 1;
  }
  return {changes, missing};
}

// ---- the browser's storage

let waiting = 0;

function keep() {
  unsaved = true;
  clearTimeout(waiting);
  waiting = setTimeout(keepNow, 200);
}

function keepNow() {
  clearTimeout(waiting);
  if (!unsaved || !kept) return;
  try {
    localStorage.setItem(KEY, decisions());
    unsaved = false;
  } catch {
    kept = false;
    tell("This browser does not keep decisions for this page: save them to a file.");
  }
}

// Returns whether there were some that could be read.
function recall() {
  let text = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    kept = false;
  }
  if (text === null) return false;
  try {
    for (const {term, state, chosen} of changesOf(text).changes) Object.assign(term, {state, chosen});
  } catch (error) {
    tell(`What the browser kept cannot be read: ${error.message}`);
    return false;
  }
  return true;
}

addEventListener("pagehide", keepNow);
addEventListener("beforeunload", (event) => {
  keepNow();
  if (unsaved) event.preventDefault();
});
// The same list in another window.
addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  for (const term of terms) Object.assign(term, {state: "open", chosen: term.proposed});
  undoable.length = 0;
  recall();
  refresh();
});
