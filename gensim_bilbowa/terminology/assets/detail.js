// ---- the selected term: its forms, its translations to choose from, examples

const editing = byId("editing"), edited = byId("edited");

function tell(message) {
  byId("status").textContent = message;
}

function formsOf(lang, {variants}) {
  if (!variants.length) return [];
  const parts = variants.flatMap(({text, count: times}, at) =>
    [at ? ", " : "", inLanguage(lang, text), element("span", {class: "figure"}, ` ${count(times)}`)]);
  return [element("p", {class: "forms"}, "also ", ...parts)];
}

function headingOf(term) {
  const facts = [counted(term.count, "time"), `termhood ${term.termhood.toFixed(2)}`];
  if (term.known) facts.push(term.differs ? "in the glossary, translated otherwise" : "in the glossary");
  if (term.inconsistent) facts.push("inconsistent");
  return [
    inLanguage(SOURCE, term.text, "h2"),
    element("p", {class: "facts"}, element("span", {class: `state ${term.state}`}, term.state), ` · ${facts.join(" · ")}`),
    ...formsOf(SOURCE, term),
  ];
}

function candidateOf(term, text, at) {
  const found = translationOf(term, text), share = shareOf(term, text), chosen = term.chosen.includes(text);
  const box = element("input", {type: "checkbox", id: `candidate-${at}`, "aria-label": text});
  box.checked = chosen;
  box.addEventListener("change", () => choose(term, text, true));
  const alone = element("button", {
    type: "button", title: "Choose this alone", ...(chosen ? {"aria-current": "true"} : {}),
  }, inLanguage(TARGET, text));
  alone.addEventListener("click", () => choose(term, text, false));
  const facts = [];
  if (found) facts.push(`score ${found.score.toFixed(2)}`, counted(found.count, "time"));
  if (found?.known) facts.push("in the glossary");
  if (!term.offered.includes(text)) facts.push("written by hand");
  const meter = element("span", {class: "share"});
  if (share !== undefined) {
    const filled = element("i", {});
    filled.style.width = `${100 * Math.min(1, share)}%`;
    meter.append(filled, element("span", {}, percent(share)));
  }
  const key = at < 9 ? element("kbd", {"aria-hidden": "true"}, String(at + 1)) : "";
  return element("li", chosen ? {class: "chosen"} : {},
    element("div", {class: "candidate"}, key, box, alone, meter),
    element("p", {class: "facts"}, facts.join(" · ")),
    ...(found ? formsOf(TARGET, found) : []));
}

function exampleOf(example, patterns) {
  const place = [example.file, example.unit].filter(Boolean);
  return element("li", {},
    element("p", {lang: SOURCE, dir: "auto"}, ...marked(example.source, patterns[0])),
    element("p", {lang: TARGET, dir: "auto"}, ...marked(example.target, patterns[1])),
    ...(place.length ? [element("p", {class: "place"}, ...place.map((part) => element("bdi", {}, part)))] : []));
}

function examplesOf(term) {
  const source = formsPattern([term, ...term.variants].map(({text}) => text));
  return term.translations.filter(({examples}) => examples.length).flatMap((found) => {
    const target = formsPattern([found, ...found.variants].map(({text}) => text));
    return [
      element("h3", {}, "Examples with ", inLanguage(TARGET, found.text)),
      element("ul", {class: "examples"}, ...found.examples.map((example) => exampleOf(example, [source, target]))),
    ];
  });
}

// What can be chosen for a term: what the list offers, and what was written by hand.
const candidatesOf = (term) => [...new Set([...term.offered, ...term.chosen])];

function showDetail() {
  stopEditing();
  const focused = document.activeElement?.id, term = selected;
  for (const id of ["accept", "reject", "open", "edit"]) byId(id).disabled = !term;
  byId("heading").replaceChildren(...(term ? headingOf(term) : [element("p", {}, "No term is selected.")]));
  byId("candidates").replaceChildren(...(term ? candidatesOf(term).map((text, at) => candidateOf(term, text, at)) : []));
  byId("examples").replaceChildren(...(term ? examplesOf(term) : []));
  if (/^candidate-/.test(focused)) byId(focused)?.focus();
}

// ---- what is decided about it

function choose(term, text, also) {
  const here = term.chosen.includes(text);
  const chosen = !also ? [text] : here ? term.chosen.filter((other) => other !== text) : [...term.chosen, text];
  if (!chosen.length) {
    tell("A term has at least one translation; to leave the term out, reject it.");
    showDetail();
    return;
  }
  if (sameTexts(chosen, term.chosen)) return;
  decide([{term, state: term.state, chosen}]);
  tell(`${term.text}: ${chosen.join(", ")}`);
  refresh();
}

function pass(state) {
  const term = selected;
  if (!term) return;
  if (state === "accepted" && !term.chosen.length) {
    tell("Choose or write a translation first.");
    return;
  }
  selected = view[view.indexOf(term) + 1] || term;
  if (state !== term.state) decide([{term, state, chosen: term.chosen}]);
  refresh();
  const {accepted, rejected} = tally();
  tell(`${term.text}: ${state}. ${count(accepted + rejected)} of ${count(terms.length)} decided.`);
}

function openAgain() {
  const term = selected;
  if (!term || !isDecided(term)) return;
  decide([{term, state: "open", chosen: term.proposed}]);
  refresh();
  tell(`${term.text}: open`);
}

function undoLast() {
  const term = undo();
  if (!term) {
    tell("There is nothing to undo.");
    return;
  }
  refresh();
  if (view.includes(term)) select(term);
  tell(`undone: ${term.text} is ${term.state}`);
}

function startEditing() {
  if (!selected) return;
  editing.hidden = false;
  edited.lang = TARGET;
  edited.value = selected.chosen[0] ?? "";
  edited.focus();
  edited.select();
}

function stopEditing() {
  editing.hidden = true;
}

editing.addEventListener("submit", (event) => {
  event.preventDefault();
  const term = selected, text = edited.value.trim();
  if (!text) {
    tell("A translation cannot be empty; to leave the term out, reject it.");
    return;
  }
  const chosen = [...new Set([text, ...term.chosen.slice(1)])];
  if (!sameTexts(chosen, term.chosen)) decide([{term, state: term.state, chosen}]);
  refresh();
  table.focus();
  tell(`${term.text}: ${chosen.join(", ")}`);
});
edited.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  stopEditing();
  table.focus();
});
byId("cancel").addEventListener("click", () => { stopEditing(); table.focus(); });
byId("accept").addEventListener("click", () => pass("accepted"));
byId("reject").addEventListener("click", () => pass("rejected"));
byId("open").addEventListener("click", openAgain);
byId("edit").addEventListener("click", startEditing);
