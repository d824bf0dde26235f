// ---- keys, and the beginning

const help = byId("help");

function move(steps) {
  if (!view.length) return;
  const at = view.indexOf(selected);
  select(view[Math.max(0, Math.min(view.length - 1, at + steps))]);
}

const aPage = () => Math.max(1, Math.floor((scroller.clientHeight - byId("columns").offsetHeight) / ROW) - 1);

const KEYS = {
  ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
  PageDown: () => move(aPage()), PageUp: () => move(-aPage()), Home: () => move(-Infinity), End: () => move(Infinity),
  a: () => pass("accepted"), Enter: () => pass("accepted"), r: () => pass("rejected"),
  o: openAgain, u: undoLast, e: startEditing,
  "/": () => { search.focus(); search.select(); },
  "?": () => help.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help.open) return;
  const {target, key} = event;
  // What has a meaning of its own where the focus is, stays with it.
  if (target.matches("input:not([type=checkbox], [type=radio]), select")) return;
  if (key === "Enter" && target.matches("button")) return;
  if (/^Arrow/.test(key) && target.matches("[type=radio]")) return;
  const known = key.length === 1 ? key.toLowerCase() : key;
  // First the signs: on many keyboards "/" is a digit's key with Shift; on some a digit is.
  if (Object.hasOwn(KEYS, known)) KEYS[known]();
  else if (/^[1-9]$/.test(key)) chooseBy(key, false);
  else if (event.shiftKey && /^Digit[1-9]$/.test(event.code)) chooseBy(event.code.at(-1), true);
  else return;
  event.preventDefault();
});

function chooseBy(digit, also) {
  if (!selected) return;
  const text = candidatesOf(selected)[digit - 1];
  if (text === undefined) tell(`There is no translation ${digit}.`);
  else choose(selected, text, also);
}

search.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Escape") {
    search.value = "";
    refilter();
  } else if (event.key !== "Enter" && event.key !== "ArrowDown") {
    return;
  }
  event.preventDefault();
  table.focus();
});

const filtering = byId("filters");
filtering.addEventListener("input", ({target}) => { if (target.type !== "radio") refilter(); });
filtering.addEventListener("submit", (event) => event.preventDefault());
byId("show-all").addEventListener("click", () => {
  filtering.reset();
  shownState = "";
  stateLabels[0].radio.checked = true;
  refilter();
  table.focus();
});
byId("help-button").addEventListener("click", () => help.showModal());

if (recall()) tell("Decisions are as this browser kept them.");
byId("kept").textContent = kept
  ? "Decisions are kept in this browser, for this list; save them to a file to pass them on or to be sure of them."
  : "This browser does not keep decisions for this page: save them to a file.";
if (!kept) tell(byId("kept").textContent);
const leftOut = Object.entries(data.left_out);
if (leftOut.length) {
  byId("left-out").append(element("h3", {}, "Not in the list"),
    element("ul", {}, ...leftOut.map(([reason, many]) => element("li", {}, `${reason}: ${count(many)}`))));
}
refresh();
table.focus();
