/* Shows how far a file of results is. Without this script the browser downloads it plainly. */
(() => {
  "use strict";
  const form = document.querySelector(".mpquiz-download");
  if (!form || !window.ReadableStream || !window.AbortController) return;
  const find = (selector) => document.querySelector(selector);
  const sending = find(".mpquiz-sending");
  const bar = find("#mpquiz-progress");
  const ready = find(".mpquiz-ready");
  const failed = find("[data-failed]");
  const button = form.querySelector("[type=submit]");
  const link = find("[data-file]");
  let running = null;

  function shown(rows) {
    bar.value = rows;
    find("[data-done]").textContent = rows;
  }

  const ALL_THERE = 2 ** 32 - 1;

  // Frames: rows done and length, four bytes each, then so many bytes of the file. Without the last one it was cut.
  async function read(body, take) {
    const reader = body.getReader();
    let held = new Uint8Array(0);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error("cut");
      const joined = new Uint8Array(held.length + value.length);
      joined.set(held);
      joined.set(value, held.length);
      held = joined;
      while (held.length >= 8) {
        const view = new DataView(held.buffer, held.byteOffset);
        const [rows, length] = [view.getUint32(0), view.getUint32(4)];
        if (length === ALL_THERE) return;
        if (held.length < 8 + length) break;
        take(rows, held.slice(8, 8 + length));
        held = held.slice(8 + length);
      }
    }
  }

  async function download(type) {
    const data = new FormData(form);
    data.append("progress", "1");
    const answer = await fetch(location.href, { method: "POST", body: data, signal: running.signal });
    if (!answer.ok || !(answer.headers.get("Content-Type") || "").startsWith("application/octet-stream")) return null;
    const parts = [];
    await read(answer.body, (rows, part) => { parts.push(part); shown(rows); });
    return new Blob(parts, { type });
  }

  function offer(blob, name) {
    if (link.href) URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.textContent = name;
    ready.hidden = false;
    link.click();
    link.focus();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const format = form.querySelector("[name=format]:checked").value;
    running = new AbortController();
    button.disabled = true;
    [ready, failed].forEach((one) => { one.hidden = true; });
    sending.hidden = false;
    shown(0);
    try {
      const blob = await download(format === "csv" ? "text/csv" : "application/octet-stream");
      if (blob) offer(blob, `${form.dataset.name}.${format}`);
      else form.submit(); // a page with what is wrong with the form, or that asks to sign in
    } catch (error) {
      failed.hidden = running.signal.aborted;
    } finally {
      sending.hidden = true;
      button.disabled = false;
    }
  });

  find("[data-stop]").addEventListener("click", () => running.abort());
})();
