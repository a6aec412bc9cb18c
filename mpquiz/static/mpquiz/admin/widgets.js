// Django's widgets as select2 and SelectFilter make them leave some parts without a name, for whoever hears a page.
"use strict";
{
  function nameOf(select) {
    return select.ariaLabel || select.labels[0]?.textContent.trim().replace(/:$/, "") || "";
  }

  function nameSelect(select) {
    const container = select.nextElementSibling;
    if (!container?.matches(".select2-container")) return;
    const name = nameOf(select);
    const selection = container.querySelector(".select2-selection");
    const chosen = container.querySelector("span.select2-selection__rendered");
    selection.ariaLabel = name;
    if (chosen) {
      selection.id = `${chosen.id}-named`;
      selection.setAttribute("aria-labelledby", `${selection.id} ${chosen.id}`);
      chosen.removeAttribute("role"); // a box within a box, of which only the outer one can be entered
      chosen.removeAttribute("aria-readonly");
    }
    const search = container.querySelector(".select2-search__field");
    if (search) search.ariaLabel = name;
  }

  function nameAll() {
    document.querySelectorAll("select.admin-autocomplete").forEach(nameSelect);
    for (const icon of document.querySelectorAll("span.search-label-icon[aria-label]")) icon.role = "img";
    const row = document.getElementById("mpquiz-arranged")?.dataset.row;
    for (const head of document.querySelectorAll("th.original:empty")) {
      const word = document.createElement("span");
      word.className = "visually-hidden";
      word.textContent = row;
      head.append(word);
    }
  }

  addEventListener("load", () => {
    setTimeout(nameAll);
    django.jQuery(document).on("select2:open", (event) => {
      const search = document.querySelector(".select2-container--open .select2-search__field");
      if (search) search.ariaLabel = nameOf(event.target);
    });
  });
  document.addEventListener("formset:added", () => setTimeout(nameAll));
}
