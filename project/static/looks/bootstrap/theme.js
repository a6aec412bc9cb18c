// Bootstrap is dark where an attribute says so: it follows the reader's system. Without JavaScript it is light.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => { document.documentElement.dataset.bsTheme = dark.matches ? "dark" : "light"; };
follow();
dark.addEventListener("change", follow);
