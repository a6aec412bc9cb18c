// One switch for the languages of all texts on a page of admin: one of them, or side by side. It says how many texts
// each language lacks that another has, and marks their fields. What is not shown is sent all the same.
// Without this script the languages stand side by side.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const bar = document.querySelector(".mpquiz-switch");
  const form = bar?.closest("form");
  if (!form?.querySelector(".mpquiz-words")) return;
  const buttons = [...bar.querySelectorAll("button")];
  const key = `mpquiz.words.${bar.dataset.editor}`;
  const neutral = new RegExp(bar.dataset.neutral);
  const accepting = JSON.parse(bar.dataset.accepting);
  let view = known(recall());

  // A browser that keeps nothing refuses to be asked.
  function recall() {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function remember() {
    try {
      localStorage.setItem(key, view);
    } catch {
      // It is chosen anew on each page.
    }
  }

  function known(code) {
    return buttons.some((one) => one.dataset.view === code) ? code : "";
  }

  // The fields of each text, {name without language: fields}; the row that others are made of is none.
  function texts() {
    const found = new Map();
    for (const field of form.querySelectorAll(".mpquiz-words[data-words]")) {
      if (field.name.includes("__prefix__")) continue;
      const end = field.name.lastIndexOf(field.dataset.words) + field.dataset.words.length;
      const name = field.name.slice(0, end);
      found.set(name, [...(found.get(name) ?? []), field]);
    }
    return [...found.values()];
  }

  function isFilled(field) {
    return field.value.trim() !== "";
  }

  // Numbers, code and math read the same in every language, and what learners do not read may stay as it is.
  function isTranslated(fields) {
    return fields.some((field) => isFilled(field) && !neutral.test(field.value) && !("forEditors" in field.dataset));
  }

  function isDeleted(row) {
    return Boolean(row.querySelector("input[name$='-DELETE']")?.checked);
  }

  function isWanted(field) {
    const row = field.closest(".inline-related");
    return !("away" in field.dataset) && !(row && (isDeleted(row) || isExcused(row, field.lang)));
  }

  function partOf(row) {
    return row.querySelector("[name$='-part']")?.value.trim() ?? "";
  }

  function kindOfPart(part) {
    try {
      return JSON.parse(form.querySelector("#id_settings").value)?.parts?.[part]?.kind ?? "";
    } catch {
      return ""; // half written
    }
  }

  function isIn(row, language) {
    return [...row.querySelectorAll("[data-words='text']")].some((one) => one.lang === language && isFilled(one));
  }

  // An answer that is typed and accepted needs nothing in a language which has a right one of its own.
  function isExcused(row, language) {
    const offering = accepting[form.querySelector("#id_kind")?.value];
    if (!offering || offering.includes(kindOfPart(partOf(row))) || isIn(row, language)) return false;
    if (!isTranslated([...row.querySelectorAll("[data-words='text']")])) return false;
    return [...form.querySelectorAll(".inline-related")].some(
      (one) =>
        one.querySelector("[name$='-right']")?.checked &&
        !isDeleted(one) &&
        partOf(one) === partOf(row) &&
        isIn(one, language),
    );
  }

  // What holds a field with its label, help and errors.
  function box(field) {
    const line = field.closest(".form-multiline");
    if (!line) return field.closest(".form-row");
    return [...line.children].find((one) => one.contains(field));
  }

  function show() {
    for (const fields of texts()) {
      const chosen = fields.find((field) => field.lang === view);
      for (const field of fields) {
        const isOther = Boolean(chosen) && field !== chosen && !box(field).querySelector(".errorlist");
        box(field).toggleAttribute("data-other", isOther);
      }
    }
    form.toggleAttribute("data-one-language", view !== "");
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.view === view);
  }

  function tell(field, lacks) {
    const label = form.querySelector(`label[for="${field.id}"]`);
    const mark = label?.querySelector(".mpquiz-lacks");
    field.toggleAttribute("data-lacks", lacks);
    if (!lacks) mark?.remove();
    if (!lacks || mark || !label) return;
    const word = document.createElement("span");
    word.className = "mpquiz-lacks";
    word.textContent = bar.dataset.lacks;
    label.append(" ", word);
  }

  function count() {
    const lacking = {};
    for (const fields of texts()) {
      const some = isTranslated(fields);
      for (const field of fields) {
        const lacks = some && !isFilled(field) && isWanted(field);
        if (lacks) lacking[field.lang] = (lacking[field.lang] ?? 0) + 1;
        tell(field, lacks);
      }
    }
    for (const button of buttons) {
      const said = button.querySelector(".mpquiz-switch-lacks");
      if (!said) continue;
      said.hidden = !lacking[button.dataset.view];
      said.querySelector("b").textContent = lacking[button.dataset.view] ?? "";
    }
  }

  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    view = button.dataset.view;
    remember();
    show();
  });
  for (const name of ["input", "change"]) form.addEventListener(name, count);
  document.addEventListener("formset:added", () => (show(), count()));
  document.addEventListener("formset:removed", () => setTimeout(count));
  bar.hidden = false;
  show();
  count();
});
