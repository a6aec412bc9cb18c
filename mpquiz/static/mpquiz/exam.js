/* What an exam adds: moments in the reader's time zone, long texts saved while they are written, a word before answers
   that are not saved are left, and the time that is left. The server decides: without this script the exam is the same. */
(() => {
  "use strict";
  const PAUSE = 2_000; // after the last key
  const LONGEST = 20_000; // after the first key that is not saved
  const MINUTE = 60_000;
  const DAY = 86_400; // seconds
  const FORMS = "form.mpquiz-form[data-save-url], form#mpquiz-form";
  const OVER = ["stale", "answered", "finished", "time_up"]; // whatever is sent after these is refused too
  const LATER = ["sign_in", "throttled"]; // the same may be taken soon

  let leaving = false; // a button of the form was pressed, or the time is up: nothing is warned of
  const savers = new Map();

  const now = () => performance.now(); // not the reader's clock, which may be wrong, or set meanwhile
  const sleep = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

  // The answer as JSON; else its status, 0 where none came. Who asks says so, and tries again.
  async function ask(url, options) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(20_000), ...options });
      const json = (response.headers.get("Content-Type") || "").startsWith("application/json");
      return json ? await response.json() : { status: response.status };
    } catch {
      return { status: 0 };
    }
  }

  // A browser may refuse to keep anything; then it holds for this page alone.
  function recall(storage, key) {
    try { return window[storage].getItem(key) || ""; } catch { return ""; }
  }
  function remember(storage, key, value) {
    try { window[storage].setItem(key, value); } catch { /* as above */ }
  }

  // Moments ---------------------------------------------------------------------------------------------------

  // What the server wrote stays at hand in the title. The day is left out of an end that is today.
  function localize() {
    for (const time of document.querySelectorAll("time.mpquiz-local:not([title])")) {
      const moment = new Date(time.dateTime);
      const language = new Intl.Locale(time.closest("[lang]").lang, { numberingSystem: "latn", calendar: "gregory" });
      const today = time.closest(".mpquiz-timer") && moment.toDateString() === new Date().toDateString();
      const style = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
      const parts = new Intl.DateTimeFormat(language, { timeZoneName: "short" }).formatToParts(moment);
      const zone = document.createElement("bdi");
      const name = parts.find((part) => part.type === "timeZoneName").value;
      zone.textContent = name.replace(/[+\u2212-]\d.*/, "\u2066$&\u2069"); // the sign stays before its number
      time.title = time.textContent;
      time.replaceChildren(new Intl.DateTimeFormat(language, style).format(moment), " (", zone, ")");
    }
  }

  // Saving ----------------------------------------------------------------------------------------------------

  const values = (form, selector) => JSON.stringify([...form.querySelectorAll(selector)].map((one) => one.value));
  const texts = (form) => values(form, "textarea.mpquiz-text");
  const revisions = (form) => values(form, "[name$=revision]");
  const answers = (form) => [...new FormData(form)].filter(([name, value]) => /(^|-)given(-|$)/.test(name) && value);
  const contents = (form) => JSON.stringify(answers(form));

  // The form as the server shows it now: null where it shows none, undefined where it does not answer.
  async function served(form) {
    const response = await fetch(location.href).catch(() => null);
    if (!response || !response.ok) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return page.querySelector(`form[data-save-url="${CSS.escape(form.dataset.saveUrl)}"]`);
  }

  class Saver {
    over = false; // this page can save nothing more
    touched = false;
    trouble = false; // what was sent last is not stored
    tries = 0; // in a row that must be made again
    since = null; // when the first key was pressed that is not saved
    running = null; // the request on its way
    unsure = null; // what was sent and not answered: sent again as it was, it counts once even if it had arrived
    said = "";
    saidAt = -Infinity;

    constructor(form) {
      this.form = form;
      this.saves = "saveUrl" in form.dataset;
      this.inPlace = form.hasAttribute("hx-post"); // practice: an answer is one once its button is pressed
      this.writes = form.querySelector("textarea.mpquiz-text") !== null;
      this.stored = form.querySelector(".mpquiz-error") ? null : contents(form); // what was refused is stored nowhere
      this.sent = texts(form);
    }

    get dirty() { return contents(this.form) !== this.stored; }

    get waits() { return this.saves && texts(this.form) !== this.sent; }

    get warns() { return this.dirty && (this.trouble || !this.inPlace); }

    wrote(area) {
      if (this.over) return;
      this.beside(area);
      this.since ??= now();
      if (this.tries || this.running) return; // it follows the try that is made, or set
      this.show("", "");
      this.saveIn(Math.min(PAUSE, this.since + LONGEST - now()));
    }

    saveIn(milliseconds) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), milliseconds);
    }

    // Resolves once it is known how it went, or that it is not known. One request at a time.
    save() {
      clearTimeout(this.timer);
      if (!this.running && !this.over && this.form.isConnected) {
        this.running = this.send().finally(() => { this.running = null; });
      }
      return this.running;
    }

    async send() {
      const { form } = this;
      this.unsure ??= { body: new URLSearchParams(new FormData(form)), contents: contents(form), texts: texts(form) };
      const { body } = this.unsure;
      body.set("save", "1");
      body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
      this.show("saving", this.word("saving"));
      const keepalive = new Blob([this.unsure.contents]).size < 50_000; // a browser lets 64 KiB outlive their page
      const options = { method: "POST", body, keepalive, headers: { "X-MPQuiz": "save" } };
      const answer = await ask(form.dataset.saveUrl, options);
      if (answer.saved) this.taken(answer);
      else if (LATER.includes(answer.code)) this.again(answer.detail);
      else if (answer.code) this.refused(answer);
      else await this.failed(answer.status);
    }

    taken({ revision, revisions = {}, refused = {} }) {
      this.seen("revision", revision);
      for (const [position, one] of Object.entries(revisions)) {
        if (!(position in refused)) this.seen(`q${position}-revision`, one);
      }
      const told = Object.entries(refused).map(([position, why]) => `${this.heading(position)}: ${why}`);
      if (!told.length) this.stored = this.unsure.contents;
      this.known(told.length > 0);
      this.say(told.length ? "failed" : "saved", [this.word("saved"), ...told].join(". "));
    }

    refused({ code, detail }) {
      this.over = OVER.includes(code);
      this.known(true);
      this.say("failed", detail);
    }

    async failed(status) {
      this.again(this.word("failed"));
      const fresh = status === 403 && await served(this.form); // who signed in elsewhere meanwhile has another token
      if (fresh) this.form.elements.csrfmiddlewaretoken.value = fresh.elements.csrfmiddlewaretoken.value;
    }

    again(reason) {
      this.tries += 1;
      this.trouble = true;
      this.saveIn(Math.min(1_500 * 2 ** this.tries, MINUTE));
      this.say("failed", reason);
    }

    // It is known how the last request went; what was written meanwhile follows.
    known(trouble) {
      this.trouble = trouble;
      this.sent = this.unsure.texts;
      this.unsure = null;
      this.tries = 0;
      this.since = this.waits ? now() : null;
      if (this.waits) this.saveIn(PAUSE);
    }

    seen(name, revision) {
      if (this.form.elements[name]) this.form.elements[name].value = revision;
    }

    // A button that is pressed waits for the request on its way, which brings the revision that the form must name.
    holds(event) {
      if (this.inPlace || this.passes || this.over || !(this.running || this.unsure)) return false;
      event.preventDefault();
      if (this.held) return true;
      this.held = true;
      this.said = ""; // whoever presses hears how it goes
      Promise.race([this.save(), sleep(10_000)]).then(() => {
        const lost = this.unsure && !this.running;
        this.held = false;
        this.passes = !lost || this.insists; // no page to go to: the text stays, unless the button is pressed again
        this.insists = lost;
        if (this.passes) this.form.requestSubmit(event.submitter);
        this.passes = false;
      });
      return true;
    }

    // Where the eyes are: a form of many questions ends far below.
    beside(area) {
      const shown = this.form.querySelector(".mpquiz-saved");
      if (shown && area.nextElementSibling !== shown) area.after(shown);
    }

    heading(position) { return document.getElementById(`q${position}-mpquiz-position`).textContent; }

    word(name) { return this.form.querySelector(".mpquiz-saved")?.dataset[name] || ""; }

    show(state, words) {
      const shown = this.form.querySelector(".mpquiz-saved");
      if (!shown) return;
      shown.textContent = words;
      shown.dataset.state = state;
    }

    // Spoken where it turns, and else once a minute.
    say(state, words) {
      this.show(state, words);
      const spoken = this.form.querySelector(".mpquiz-saved-spoken");
      if (!spoken || (words === this.said && now() - this.saidAt < MINUTE)) return;
      this.said = words;
      this.saidAt = now();
      spoken.textContent = words;
      setTimeout(() => { spoken.textContent = ""; }, PAUSE); // so that the same words are news the next time
    }
  }

  function watch() {
    for (const form of savers.keys()) if (!form.isConnected) savers.delete(form);
    for (const form of document.querySelectorAll(FORMS)) if (!savers.has(form)) savers.set(form, new Saver(form));
  }

  function saveBeforeHiding() {
    for (const saver of savers.values()) if (saver.waits && !leaving) saver.save();
  }

  // Whatever stands in the form when the time is up is the answer; of two that differ the learner chooses.
  async function saveLast() {
    for (const saver of savers.values()) {
      const chosen = saver.touched || !saver.form.querySelector(".mpquiz-stale");
      const given = saver.dirty || answers(saver.form).length > 0;
      if (saver.saves && given && chosen && (saver.writes || !saver.inPlace)) await saver.save();
    }
  }

  document.addEventListener("input", ({ target }) => {
    const saver = savers.get(target.form);
    if (!saver) return;
    leaving = false;
    saver.touched = true;
    if (saver.saves && target.matches("textarea.mpquiz-text")) saver.wrote(target);
  });

  document.addEventListener("submit", (event) => {
    const saver = savers.get(event.target);
    if (!saver || event.defaultPrevented || saver.holds(event)) return;
    clearTimeout(saver.timer);
    leaving = true;
  });

  window.addEventListener("pagehide", saveBeforeHiding);
  window.addEventListener("online", () => {
    for (const saver of savers.values()) if (saver.tries) saver.save();
  });

  window.addEventListener("beforeunload", (event) => {
    if (!leaving && [...savers.values()].some((saver) => saver.warns)) event.preventDefault();
  });

  // Going back may bring a page as it was left, though what it holds was stored or changed since.
  window.addEventListener("pageshow", async (event) => {
    if (!event.persisted) return;
    const sent = leaving;
    leaving = false;
    for (const saver of savers.values()) {
      const { form, saves } = saver;
      await saver.running; // which brings its own revision
      const fresh = saves ? await served(form) : undefined;
      if (fresh === undefined || (fresh && revisions(fresh) === revisions(form))) continue;
      if (fresh && saver.waits && !sent) continue; // stored nowhere: saving it tells of the other
      leaving = true;
      location.reload();
    }
  });

  // Time ------------------------------------------------------------------------------------------------------

  class Timer {
    isEnding = false;

    constructor(box) {
      this.box = box;
      this.shown = box.querySelector(".mpquiz-timer-left");
      this.button = box.querySelector("button");
      this.alert = document.getElementById("mpquiz-alert");
      this.marks = box.dataset.warnAt.split(" ").map(Number);
      this.key = `mpquiz-told ${box.dataset.doneUrl}`;
      this.isHidden = recall("localStorage", "mpquiz-time") === "hidden";
      box.append(this.alert); // beside the time, and empty still
      this.button.addEventListener("click", () => {
        this.isHidden = !this.isHidden;
        remember("localStorage", "mpquiz-time", this.isHidden ? "hidden" : "shown");
        this.tick();
      });
      const [loaded] = performance.getEntriesByType("navigation");
      this.set(Number(box.dataset.seconds), loaded ? loaded.responseStart : now());
    }

    // The seconds that were left at a moment; more than there were makes a warning due once more.
    set(seconds, at) {
      this.seconds = seconds;
      this.at = at;
      this.offset = Date.now() - now();
      const told = recall("sessionStorage", this.key).split(" ").filter(Boolean).map(Number);
      this.told = told.filter((mark) => mark >= seconds);
      this.tick();
    }

    tick() {
      clearTimeout(this.timeout);
      if (this.box.hidden) return;
      const exact = this.seconds - (now() - this.at) / 1000;
      const left = Math.max(Math.ceil(exact), 0);
      this.show(left);
      this.warn(left);
      if (!left) this.end();
      else this.timeout = setTimeout(() => this.tick(), (exact - left + 1) * 1000);
      if (Math.abs(Date.now() - now() - this.offset) > PAUSE) this.sync(); // it slept, or somebody set the clock
    }

    show(left) {
      const [hours, ...rest] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
      const digits = rest.map((number) => String(number).padStart(2, "0"));
      this.shown.textContent = [...(hours ? [hours] : []), ...digits].join(":");
      this.shown.hidden = this.isHidden || left > DAY; // then the date says more
      this.button.hidden = left > DAY;
      this.button.textContent = this.button.dataset[this.isHidden ? "show" : "hide"];
      this.box.dataset.state = this.marks.some((mark) => left <= mark) ? "soon" : "";
    }

    // Each mark once in an attempt, on whichever of its pages it is passed, and never long after.
    warn(left) {
      const due = this.marks.filter((mark) => left <= mark && !this.told.includes(mark));
      if (!due.length) return;
      this.told.push(...due);
      remember("sessionStorage", this.key, this.told.join(" "));
      const mark = Math.min(...due);
      if (left && mark - left <= 10) this.say(mark);
    }

    say(mark) {
      clearTimeout(this.silence);
      this.alert.textContent = this.box.querySelector(`template[data-at="${mark}"]`).content.textContent;
      if (mark) this.silence = setTimeout(() => { this.alert.textContent = ""; }, LONGEST);
    }

    // What the server says is left. Where it does not answer, what is counted here goes on.
    async sync() {
      clearTimeout(this.retry);
      this.offset = Date.now() - now();
      const { open, seconds, status } = await ask(this.box.dataset.syncUrl);
      const answered = document.getElementById("mpquiz-verdict") !== null; // by the last answer, whose feedback is read
      if (status === 0) this.retry = setTimeout(() => this.sync(), LONGEST);
      else if (seconds === null || (open === false && answered)) this.box.hidden = true;
      else if (open === false) this.end();
      else if (open) this.set(seconds, now());
    }

    // For some seconds after the end, what was on its way is still taken: only then is there a result to go to.
    async end() {
      if (this.isEnding) return;
      this.isEnding = true;
      this.say(0);
      for (;;) {
        await saveLast();
        const { open, seconds, status } = await ask(this.box.dataset.syncUrl);
        if (open && seconds !== 0) { // more was granted
          this.isEnding = false;
          this.alert.textContent = "";
          this.sync();
          return;
        }
        if (open === false || status === 200) break; // a page: somebody must sign in
        await sleep(5_000);
      }
      if ([...savers.values()].some((saver) => saver.writes && saver.trouble)) return; // the only copy of a text
      leaving = true;
      location.assign(this.box.dataset.doneUrl);
    }
  }

  watch();
  localize();
  const box = document.querySelector(".mpquiz-timer");
  const timer = box && new Timer(box);

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) saveBeforeHiding();
    else timer?.sync();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) timer?.sync(); });
  document.addEventListener("htmx:afterSettle", () => {
    localize();
    watch();
    timer?.sync(); // the last answer may have ended the attempt
  });
})();
