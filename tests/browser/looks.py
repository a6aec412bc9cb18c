"""How a page of editors is looked at: in every language, width and scheme, by axe and for what reaches too far."""

import os

EVERY = bool(os.environ.get("MPQUIZ_LOOKS"))
"""Whether all go with all, as .ci/long does. The gate looks at each language, width and scheme once."""

LOOKS = [
    (language, width, scheme)
    for language in ("en", "ar")
    for width in (390, 1280)
    for scheme in ("light", "dark")
    if EVERY or (language, width, scheme) in [("ar", 390, "dark"), ("en", 1280, "light")]
]
CUT_OFF = """() => [...document.querySelectorAll("main :is(input, select, textarea, button)")].flatMap((control) => {
  const box = control.getBoundingClientRect()
  if (box.width < 2) return []
  for (let around = control.parentElement; around; around = around.parentElement) {
    if (!["hidden", "clip"].includes(getComputedStyle(around).overflowX)) continue
    const room = around.getBoundingClientRect()
    if (room.width > 2 && (box.left < room.left - 1 || box.right > room.right + 1))
      return [`${control.tagName} ${control.name || control.className} reaches out of ${around.className}`]
  }
  return []
})"""
"""The controls of a page that something around them cuts off at its edge, where no scrolling shows the rest."""

SCHEMES = sorted({(language, scheme) for language, _width, scheme in LOOKS})


def judged(page, name, context):
    """What axe finds in our part, and whether something reaches beyond the window."""
    from axe_playwright_python.sync_playwright import Axe

    if folder := os.environ.get("MPQUIZ_SCREENSHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
    found = Axe().run(page, context=context).response["violations"]
    assert [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate(CUT_OFF) == []
