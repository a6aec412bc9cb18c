// What is being written, as learners will see it: asked of the server once a pause is made, which stores nothing.
// Without this script a button opens the preview in a window of its own.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const panel = document.getElementById("mpquiz-live");
  const form = panel?.closest("form");
  if (!form) return;
  const PAUSE = 500;
  const shown = panel.querySelector(".mpquiz-live-shown");
  const says = panel.querySelector("[role=status]");
  let timer = 0;
  let asking = new AbortController();

  // The fragment; null where none came, or a page to sign in. What a newer question overtook is thrown as AbortError.
  async function ask(signal) {
    const headers = { "X-Requested-With": "XMLHttpRequest" };
    const answer = await fetch(panel.dataset.url, { method: "POST", body: new FormData(form), headers, signal });
    return answer.ok && !answer.redirected ? answer.text() : null;
  }

  function isOpen() {
    return [...shown.querySelectorAll("details")].map((one) => one.open);
  }

  async function update() {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    let html = null;
    try {
      html = await ask(signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof TypeError)) throw error; // the network: said below
    }
    if (signal.aborted) return;
    says.textContent = "";
    panel.classList.toggle("mpquiz-live-failed", html === null);
    if (html !== null) {
      const open = isOpen();
      shown.innerHTML = html;
      for (const [index, one] of shown.querySelectorAll("details").entries()) one.open = open[index] ?? false;
    }
    setTimeout(() => (says.textContent = html === null ? panel.dataset.failed : panel.dataset.updated));
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE);
  }

  for (const name of ["input", "change"]) {
    form.addEventListener(name, (event) => panel.contains(event.target) || soon());
  }
  document.addEventListener("formset:removed", soon);
  for (const one of document.querySelectorAll(".mpquiz-live-window")) one.hidden = true;
  panel.hidden = false;
  const isWritten = [...form.querySelectorAll(".mpquiz-words")].some((one) => one.value.trim() !== "");
  if (isWritten) update();
});
