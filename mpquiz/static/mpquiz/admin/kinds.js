// On the page of a question: shows what the chosen kind wants of its choices, and what to know of it.
// Without this script all fields of a new question are there, and of a stored one those of its kind.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const select = document.getElementById("id_kind");
  if (!select) return;

  function show() {
    const hints = [...document.querySelectorAll(".mpquiz-kind")];
    const chosen = hints.find((hint) => hint.dataset.kind === select.value);
    if (!chosen) return;
    const wanted = chosen.dataset.fields.split(" ");
    for (const hint of hints) hint.hidden = hint !== chosen;
    for (const widget of document.querySelectorAll("[data-field]")) {
      const filled = widget.type === "checkbox" ? widget.checked : widget.value.trim() !== "";
      widget.toggleAttribute("data-away", !filled && !wanted.includes(widget.dataset.field));
    }
  }

  select.addEventListener("change", show);
  document.addEventListener("formset:added", show);
  show();
});
