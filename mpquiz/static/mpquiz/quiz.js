/* What htmx leaves to do: move the focus, say short notices aloud, and say when an answer was not saved. */
(() => {
  "use strict";
  const stage = () => document.getElementById("mpquiz-stage");
  const ours = (event) => event.detail.target && event.detail.target === stage();
  const report = (event) => event.detail.target && event.detail.target.matches && event.detail.target.matches(".mpquiz-report");

  // A refusal that is no part of ours (CSRF after a sign-in elsewhere) is not cured by trying again.
  function notSaved(status) {
    const stale = status >= 400 && status < 500;
    const words = document.getElementById(stale ? "mpquiz-stale" : "mpquiz-not-saved");
    const form = stage() && stage().querySelector("form");
    if (!words || !form) return;
    form.querySelectorAll(".mpquiz-error").forEach((old) => old.remove());
    form.querySelector(".mpquiz-actions").before(words.content.cloneNode(true));
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!ours(event) && !report(event)) return;
    // Only our own parts carry this header: a host's whole error page does not belong into the stage.
    const part = event.detail.xhr.getResponseHeader("HX-Push-Url") !== null;
    event.detail.shouldSwap = part;
    event.detail.isError = !part;
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (!ours(event)) return;
    const status = document.getElementById("mpquiz-status");
    const card = stage().querySelector("[data-notice]");
    status.textContent = card ? card.dataset.notice : "";
    const target = document.getElementById("mpquiz-verdict") || stage().querySelector("[tabindex='-1']");
    if (target) target.focus();
  });

  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      if (ours(event)) notSaved(event.detail.xhr ? event.detail.xhr.status : 0);
      if (report(event)) event.detail.target.querySelector("[data-failed]").hidden = false;
    });
  }
})();
