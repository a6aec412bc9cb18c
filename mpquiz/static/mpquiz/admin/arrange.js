// Rows that have a number are moved by buttons, by a handle, or by typing another number; all numbers follow, and what
// moved is announced. Without this script the numbers are typed, and the rows stand anew once they are saved.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const says = document.getElementById("mpquiz-arranged");
  if (!says) return;
  const EDGE = 60; // pixels from the window's edge within which it scrolls under a drag
  const LONGEST = 60; // letters of a row's name

  const groups = [...document.querySelectorAll("[data-inline-formset]")];
  for (const group of groups) arranged(group);

  function arranged(group) {
    const prefix = JSON.parse(group.dataset.inlineFormset).name.replace("#", "");
    const numbers = () =>
      [...group.querySelectorAll("input[data-arranged]")].filter((one) => !one.name.includes("__prefix__"));
    const rowOf = (input) => input.closest("tr.form-row") ?? input.closest(".inline-related");
    const rows = () => numbers().map(rowOf);
    const numberOf = (row) => row.querySelector("input[data-arranged]");
    if (!group.querySelector("input[data-arranged]")) return;

    // A row with the line of its errors, which Django puts before it.
    function whole(row) {
      const before = row.previousElementSibling;
      return before?.classList.contains("row-form-errors") ? [before, row] : [row];
    }

    function nameOf(row) {
      const number = numberOf(row);
      const start = number.name.slice(0, -"place".length);
      for (const field of number.dataset.arranged.split(" ")) {
        for (const one of row.querySelectorAll(`[name^="${start}${field}"]`)) {
          const text = one.selectedOptions ? (one.selectedOptions[0]?.text ?? "") : one.value;
          if (text.trim()) return text.trim().slice(0, LONGEST);
        }
      }
      return `#${rows().indexOf(row) + 1}`;
    }

    const worded = (words, values) => words.replace(/\{(\w+)\}/g, (_all, name) => `\u2068${values[name]}\u2069`);

    function button(row, sign, step) {
      const one = document.createElement("button");
      one.type = "button";
      one.textContent = sign;
      one.dataset.step = step;
      one.addEventListener("click", () => {
        const to = rows().indexOf(row) + step;
        if (to >= 0 && to < rows().length) move(row, to);
      });
      return one;
    }

    function decorate(row) {
      const controls = document.createElement("span");
      controls.className = "mpquiz-arrange";
      const handle = document.createElement("span");
      handle.className = "mpquiz-handle";
      handle.ariaHidden = "true";
      handle.title = says.dataset.drag;
      handle.textContent = "⠿";
      handle.addEventListener("pointerdown", (event) => drag(row, handle, event));
      controls.append(handle, button(row, "↑", -1), button(row, "↓", 1));
      if (row.matches("tr")) numberOf(row).before(controls);
      else row.querySelector("h3").prepend(controls);
      numberOf(row).addEventListener("change", () => setTimeout(() => byNumber(row)));
      row.addEventListener("input", label);
      row.addEventListener("change", label);
    }

    function label() {
      const all = rows();
      for (const [index, row] of all.entries()) {
        const name = nameOf(row);
        for (const one of row.querySelectorAll(".mpquiz-arrange button")) {
          const isUp = one.dataset.step === "-1";
          one.ariaLabel = worded(isUp ? says.dataset.up : says.dataset.down, { name });
          one.ariaDisabled = String(index === (isUp ? 0 : all.length - 1));
        }
      }
    }

    // The others are put around the row: it keeps the focus, and a pointer that holds it.
    function place(row, to) {
      const others = rows().filter((one) => one !== row);
      const [first] = whole(row);
      for (const one of others.slice(0, to)) first.before(...whole(one));
      let last = row;
      for (const one of others.slice(to)) {
        last.after(...whole(one));
        last = one;
      }
    }

    function renumber() {
      for (const [index, input] of numbers().entries()) input.value = index + 1;
      label();
    }

    // Numbers that a script writes are no change to a form, unless it is told.
    function announce(row) {
      group.dispatchEvent(new Event("change", { bubbles: true }));
      const all = rows();
      says.textContent = "";
      const values = { name: nameOf(row), place: all.indexOf(row) + 1, count: all.length };
      setTimeout(() => (says.textContent = worded(says.dataset.moved, values)));
    }

    function move(row, to) {
      place(row, to);
      renumber();
      announce(row);
      row.scrollIntoView({ block: "nearest" });
    }

    // What was typed is where it shall stand; no number, or 0: last.
    function byNumber(row) {
      const last = rows().length;
      const typed = parseInt(numberOf(row).value, 10) || last;
      move(row, Math.min(Math.max(typed, 1), last) - 1);
    }

    function drag(row, handle, start) {
      if (start.button !== 0) return;
      start.preventDefault();
      const from = rows();
      let y = start.clientY;
      let frame = requestAnimationFrame(follow);
      handle.setPointerCapture(start.pointerId);
      row.classList.add("mpquiz-dragged");
      const noted = (event) => (y = event.clientY);
      handle.addEventListener("pointermove", noted);
      for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, drop, { once: true });
      addEventListener("keydown", escape, true);

      function middle(one) {
        const box = one.getBoundingClientRect();
        return box.top + box.height / 2;
      }

      function follow() {
        const all = rows();
        const at = all.indexOf(row);
        if (at > 0 && y < middle(all[at - 1])) place(row, at - 1);
        else if (at < all.length - 1 && y > middle(all[at + 1])) place(row, at + 1);
        if (y < EDGE) scrollBy(0, -10);
        if (y > innerHeight - EDGE) scrollBy(0, 10);
        frame = requestAnimationFrame(follow);
      }

      function escape(event) {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        place(row, from.indexOf(row));
        drop();
      }

      function drop() {
        cancelAnimationFrame(frame);
        removeEventListener("keydown", escape, true);
        handle.removeEventListener("pointermove", noted);
        row.classList.remove("mpquiz-dragged");
        if (rows().every((one, index) => one === from[index])) return;
        renumber();
        announce(row);
      }
    }

    // Django numbers the fields of all rows anew where one is taken out, in the order in which they stand: for that
    // moment they stand as they came, since those that are stored come first.
    function sortBy(key) {
      const all = rows().sort((one, other) => key(one) - key(other));
      if (all.length) place(all[0], 0);
      let last = all[0];
      for (const one of all.slice(1)) {
        last.after(...whole(one));
        last = one;
      }
    }

    const indexOf = (row) => Number(numberOf(row).name.slice(prefix.length + 1).split("-")[0]);

    document.addEventListener("formset:removed", (event) => {
      if (event.detail.formsetName !== prefix) return;
      const order = rows();
      sortBy(indexOf);
      setTimeout(() => {
        sortBy((row) => order.indexOf(row));
        renumber();
      });
    });
    document.addEventListener("formset:added", (event) => {
      if (event.detail.formsetName !== prefix) return;
      decorate(event.target);
      renumber();
    });
    for (const row of rows()) decorate(row);
    label();
  }
});
