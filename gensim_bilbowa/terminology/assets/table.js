// ---- the table: which terms are shown, in which order, and the rows of them that can be seen

const scroller = byId("scroller"), table = byId("table"), rows = byId("rows");
const search = byId("search");
const ROW = Math.round(1.9 * parseFloat(getComputedStyle(document.documentElement).fontSize));
const BEYOND = 12;  // rows made above and below those that can be seen
document.documentElement.style.setProperty("--row", `${ROW}px`);

let ordered = terms, view = terms, shownState = "";
let selected = terms[0] || null, lastSelected = selected;  // the last one when none is shown
let sorting = {column: null, down: false};

const collators = [SOURCE, TARGET].map((code) => {
  try {
    return new Intl.Collator(code, {numeric: true});
  } catch {
    return new Intl.Collator(undefined, {numeric: true});  // no such code
  }
});

function languageName(code) {
  try {
    return new Intl.DisplayNames("en", {type: "language"}).of(code);
  } catch {
    return code;
  }
}

const number = (digits) => (value) => value === undefined ? "" : value.toFixed(digits);
const byNumber = (value) => (one, other) => (value(one) ?? -Infinity) - (value(other) ?? -Infinity);
const COLUMNS = [
  {id: "number", name: "#", title: "Order of the list", figure: true, of: (term) => term.number + 1, shown: count},
  {id: "state", name: "State", order: byNumber((term) => STATES.indexOf(term.state)), cell: stateCell},
  {id: "source", name: languageName(SOURCE), order: (one, other) => collators[0].compare(one.text, other.text), cell: sourceCell},
  {id: "target", name: languageName(TARGET), cell: targetCell,
    order: (one, other) => collators[1].compare(one.chosen[0] ?? "", other.chosen[0] ?? "")},
  {id: "score", name: "Score", title: "Evidence that the first translation is right", figure: true,
    of: (term) => term.best?.score, shown: number(2)},
  {id: "share", name: "Share", title: "Part of the term's occurrences that the first translation has", figure: true,
    of: (term) => term.best?.share, shown: (share) => share === undefined ? "" : percent(share)},
  {id: "count", name: "Count", title: "Occurrences of the term in all its forms", figure: true,
    of: (term) => term.count, shown: count},
  {id: "termhood", name: "Termhood", title: "How much more it belongs to this text than to the language", figure: true,
    of: (term) => term.termhood, shown: number(2)},
  {id: "others", name: "Others", title: "What else translates it", cell: othersCell,
    order: byNumber((term) => term.others.reduce((sum, [, share]) => sum + share, 0))},
];
const TEXTS = new Set(["source", "target", "others"]);
for (const column of COLUMNS) column.order ??= byNumber(column.of);

function stateCell(term) {
  const sign = {open: "", accepted: "✓", rejected: "✗"}[term.state];
  return [element("span", {class: "sign", "aria-hidden": "true"}, sign), element("span", {class: "unseen"}, term.state)];
}

const badge = (title) => element("span", {class: "badge", title}, "G", element("span", {class: "unseen"}, `: ${title}`));

function sourceCell(term) {
  const parts = [inLanguage(SOURCE, term.text)];
  if (term.known) parts.push(" ", badge("in the glossary"));
  return parts;
}

function targetCell(term) {
  const parts = [];
  for (const text of term.chosen) {
    if (parts.length) parts.push(" · ");
    parts.push(inLanguage(TARGET, text, "bdi", term.offered.includes(text) ? {} : {class: "own"}));
    if (translationOf(term, text)?.known) parts.push(" ", badge("so in the glossary"));
  }
  return parts;
}

function othersCell(term) {
  return term.others.flatMap(([text, share], at) =>
    [at ? ", " : "", inLanguage(TARGET, text), ` ${percent(share)}`]);
}

// ---- what is shown

function searched(term) {
  term.searched ??= folded([
    term, ...term.variants, ...term.translations, ...term.translations.flatMap(({variants}) => variants),
  ].map(({text}) => text).concat(term.others.map(([text]) => text)).join("\n"));
  return term.chosen === term.proposed ? term.searched : `${term.searched}\n${folded(term.chosen.join("\n"))}`;
}

function filters() {
  const parts = folded(search.value).split(/\s+/u).filter(Boolean);
  const score = byId("least-score").valueAsNumber, least = byId("least-count").valueAsNumber;
  const glossary = byId("glossary").value, inconsistent = byId("inconsistent").checked;
  const of = {known: (term) => term.known, unknown: (term) => !term.known, differs: (term) => term.differs};
  return [
    shownState && ((term) => term.state === shownState),
    !isNaN(score) && ((term) => term.best?.score >= score),
    !isNaN(least) && ((term) => term.count >= least),
    glossary && of[glossary],
    inconsistent && ((term) => term.inconsistent),
    parts.length && ((term) => parts.every((part) => searched(term).includes(part))),
  ].filter(Boolean);
}

function select(term) {
  const before = selected;
  selected = term;
  const at = view.indexOf(term);
  if (at >= 0) bringIntoView(at);
  draw();
  if (term !== before) showDetail();
}

function bringIntoView(at) {
  const head = byId("columns").offsetHeight, top = at * ROW, room = scroller.clientHeight - head;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + ROW > scroller.scrollTop + room) scroller.scrollTop = top + ROW - room;
}

// Finds out anew which terms are shown. A selected term that is no longer shown gives way to the
// one that stood next behind it.
function refilter() {
  const tests = filters(), earlier = view, wanted = selected || lastSelected;
  view = ordered.filter((term) => tests.every((test) => test(term)));
  const there = new Set(view);
  const behind = () => earlier.slice(Math.max(0, earlier.indexOf(wanted))).find((term) => there.has(term));
  const next = there.has(wanted) ? wanted : behind() || view.at(-1) || null;
  byId("shown").textContent = view.length === terms.length ? counted(terms.length, "term")
    : `${count(view.length)} of ${counted(terms.length, "term")}`;
  byId("nothing").hidden = view.length > 0;
  const changed = next !== selected;
  selected = next;
  lastSelected = next || wanted;
  if (next) bringIntoView(view.indexOf(next));
  draw();
  if (changed) showDetail();
}

// Rows keep their places when terms are decided on, until it is sorted again.
function sortBy(column) {
  const figure = Boolean(column.figure) && column.id !== "number" || column.id === "others";
  sorting = sorting.column === column ? {column, down: !sorting.down} : {column, down: figure};
  for (const other of COLUMNS) {
    const own = other === sorting.column;
    other.head.setAttribute("aria-sort", own ? (sorting.down ? "descending" : "ascending") : "none");
  }
  const {order} = column, sign = sorting.down ? -1 : 1;
  ordered = [...terms].sort((one, other) => sign * order(one, other));
  refilter();
}

// ---- rows

function rowOf(term, at) {
  const row = element("tr", {
    id: `row-${term.number}`, class: term.state, "aria-rowindex": at + 2, "aria-selected": term === selected,
  });
  for (const {id, of, shown, cell} of COLUMNS) {
    const made = element("td", {class: id}, ...(cell ? cell(term) : [shown(of(term))]));
    if (TEXTS.has(id)) made.title = made.textContent;  // for what is cut off
    row.append(made);
  }
  return row;
}

const space = (height) => {
  const row = element("tr", {"aria-hidden": "true", class: "space"}, element("td"));
  row.style.height = `${height}px`;
  return row;
};

function draw() {
  const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - BEYOND);
  const last = Math.min(view.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / ROW) + BEYOND);
  const made = [];
  for (let at = first; at < last; at++) made.push(rowOf(view[at], at));
  rows.replaceChildren(space(first * ROW), ...made, space(Math.max(0, view.length - last) * ROW));
  table.setAttribute("aria-rowcount", view.length + 1);
  if (selected && byId(`row-${selected.number}`)) table.setAttribute("aria-activedescendant", `row-${selected.number}`);
  else table.removeAttribute("aria-activedescendant");
}

rows.addEventListener("click", ({target}) => {
  const row = target.closest("tr[id]");
  if (row) select(terms[row.id.slice("row-".length)]);
});

let drawing = 0;
function drawSoon() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
}
scroller.addEventListener("scroll", drawSoon);
new ResizeObserver(drawSoon).observe(scroller);

for (const column of COLUMNS) {
  const button = element("button", {type: "button", title: column.title ?? ""}, column.name);
  button.addEventListener("click", () => sortBy(column));
  column.head = element("th", {scope: "col", class: column.id, "aria-sort": "none"}, button);
  byId("columns").append(column.head);
}

// ---- filters, and how far the work is

const stateLabels = ["", ...STATES].map((state) => {
  const radio = element("input", {type: "radio", name: "state", value: state}), amount = element("b", {});
  radio.checked = !state;
  radio.addEventListener("change", () => { shownState = state; refilter(); });
  byId("states").append(element("label", {}, radio, element("span", {}, state || "all", " ", amount)));
  return {state, radio, amount};
});

function showProgress() {
  const numbers = tally();
  for (const {state, amount} of stateLabels) amount.textContent = count(state ? numbers[state] : terms.length);
  for (const state of ["accepted", "rejected"]) {
    document.querySelector(`#bar .${state}`).style.width = `${100 * numbers[state] / Math.max(1, terms.length)}%`;
  }
}

// All anew, after decisions.
function refresh() {
  refilter();
  showProgress();
  showDetail();
}
