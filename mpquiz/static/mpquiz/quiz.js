/* What htmx leaves to do: move the focus, say short notices aloud, and say when an answer was not saved.
   A page may hold several stages, each with its own words beside it: those of one quiz never speak for another. */
(() => {
  "use strict";
  const is = (event, part) => Boolean(event.detail.target?.matches?.(part));
  const isStage = (event) => is(event, ".mpquiz-stage");
  const isReport = (event) => is(event, ".mpquiz-report");
  const beside = (stage, part) => stage.parentElement.querySelector(part);

  // A refusal that is no part of ours (CSRF after a sign-in elsewhere) is not cured by trying again.
  function notSaved({ elt, target, xhr }) {
    if (elt.matches("a[href]")) return location.assign(elt.href); // nothing to save: the page itself says what is wrong
    const form = elt.closest("form");
    const stale = xhr && xhr.status >= 400 && xhr.status < 500;
    const words = beside(target, stale ? ".mpquiz-stale-page" : ".mpquiz-not-saved");
    if (!words || !form) return;
    form.querySelectorAll(".mpquiz-error").forEach((old) => old.remove());
    (form.querySelector(".mpquiz-actions") || form.lastElementChild).before(words.content.cloneNode(true));
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!isStage(event) && !isReport(event)) return;
    // Only our own parts carry this header: a host's whole error page does not belong into the stage.
    const part = event.detail.xhr.getResponseHeader("HX-Push-Url") !== null;
    event.detail.shouldSwap = part;
    event.detail.isError = !part;
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (!isStage(event)) return;
    const stage = event.detail.target;
    const status = beside(stage, ".mpquiz-status");
    const card = stage.querySelector("[data-notice]");
    status.textContent = card ? card.dataset.notice : "";
    if (event.detail.elt === stage && "quiet" in stage.dataset) return; // it came with the page, nobody asked for it
    const target = stage.querySelector(".mpquiz-verdict, [autofocus]") || stage.querySelector("[tabindex='-1']");
    if (target) target.focus();
  });

  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      if (isStage(event)) notSaved(event.detail);
      if (isReport(event)) event.detail.target.querySelector("[data-failed]").hidden = false;
    });
  }
})();
