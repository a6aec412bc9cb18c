"""What the pages weigh, whether they fit, and whether a host's reset changes them."""

import base64
import gzip

import pytest

from mpquiz.models import Attempt
from tests.browser.quizzes import bilingual_quiz
from tests.factories import learner, make_question, make_quiz, make_user, texts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What Bootstrap's reboot, Tailwind's preflight and Django's admin do to the elements that we use.
RESETS = {
    "reboot": """
        *, ::before, ::after { box-sizing: border-box }
        h1, h2, h3 { margin: 0 0 .5rem; font-weight: 500; line-height: 1.2; font-size: calc(1.3rem + .6vw) }
        p { margin: 0 0 1rem } ol, ul { padding-left: 2rem; margin: 0 0 1rem }
        fieldset { min-width: 0; padding: 0; margin: 0; border: 0 }
        legend { float: left; width: 100%; padding: 0; margin-bottom: .5rem; font-size: 1.5rem; line-height: inherit }
        legend + * { clear: left }
        button, input { margin: 0; font-family: inherit; font-size: inherit; line-height: inherit }
        code { font-size: .875em; color: #d63384; word-wrap: break-word }
        pre { display: block; margin: 0 0 1rem; overflow: auto; font-size: .875em }
        a { color: #0d6efd; text-decoration: underline } label { display: inline-block }
        summary { display: list-item } small { font-size: .875em } output { display: inline-block }
        strong { font-weight: bolder } dd { margin: 0 0 .5rem } hr { margin: 1rem 0; opacity: .25 }
    """,
    "preflight": """
        *, ::before, ::after { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid }
        h1, h2, h3 { font-size: inherit; font-weight: inherit }
        a { color: inherit; text-decoration: inherit } strong { font-weight: bolder }
        code, pre { font-size: 1em } small { font-size: 80% } ol, ul, menu { list-style: none }
        button, input { font: inherit; color: inherit; background-color: transparent; border-radius: 0 }
        button { cursor: default; background-image: none } summary { display: list-item }
        img, svg { display: block; vertical-align: middle } img { max-width: 100%; height: auto }
    """,
    "Django's admin": """
        code, pre { font-family: monospace; color: #666; font-size: 0.875rem; overflow-x: auto }
    """,
}

COMPARE = """async ([one, two]) => {
  const load = source => new Promise(done => { const i = new Image(); i.onload = () => done(i); i.src = source })
  const images = [await load(one), await load(two)]
  const pixels = images.map(image => {
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext("2d"); context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height).data
  })
  if (pixels[0].length !== pixels[1].length) return `size ${images.map(i => i.width + "x" + i.height)}`
  let differing = 0
  for (let i = 0; i < pixels[0].length; i += 4)
    if ([0, 1, 2].some(c => Math.abs(pixels[0][i + c] - pixels[1][i + c]) > 24)) differing++
  return differing / (pixels[0].length / 4)
}"""


def an_attempt(user=None):
    quiz = bilingual_quiz()
    attempt = Attempt.objects.start(quiz, learner(user or make_user()))
    attempt.answer(1, 2)
    return attempt


def paths_of(attempt):
    base = f"/ar/quizzes/attempts/{attempt.public_id}"
    return {"quiz": "/ar/quizzes/floats/", "question": f"{base}/2/", "feedback": f"{base}/1/"}


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("where", ["before", "after"])
def test_a_host_s_reset_does_not_change_the_look(open_page, signed_in, chromium, reset, where):
    user = make_user()
    attempt = an_attempt(user)
    cookies = signed_in(user)
    page = open_page(cookies=cookies)
    judge = chromium.new_page()
    paths = paths_of(attempt)
    seen = {name: look(page, path) for name, path in paths.items()}
    page.route("**/reset.css", lambda route: route.fulfill(body=RESETS[reset], content_type="text/css"))
    page.route(lambda url: "/attempts/" in url or url.endswith("/floats/"), lambda route: with_reset(route, where))
    for name, path in paths.items():
        differing = judge.evaluate(COMPARE, [seen[name], look(page, path)])
        assert not isinstance(differing, str), f"{name} with {reset} {where}: {differing}"
        assert differing < 0.002, f"{name} with {reset} {where}: {differing:.2%} of the pixels differ"
    judge.close()


def look(page, path):
    page.goto(path)
    page.evaluate("document.activeElement.blur()")
    picture = page.locator("article.mpquiz").screenshot(animations="disabled")
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def with_reset(route, where):
    response = route.fetch()
    link = '<link rel="stylesheet" href="/reset.css">'
    html = response.text()
    html = (
        html.replace("<meta charset", f"{link}<meta charset")
        if where == "before"
        else html.replace("</head>", f"{link}</head>")
    )
    route.fulfill(response=response, body=html)


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("language", ["ar", "en"])
def test_no_page_scrolls_sideways(open_page, signed_in, language, width):
    user = make_user()
    attempt = an_attempt(user)
    page = open_page(cookies=signed_in(user), width=width)
    for path in (*paths_of(attempt).values(), "/ar/quizzes/", "/ar/quizzes/mine/"):
        page.goto(path.replace("/ar/", f"/{language}/"))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    attempt.finish()
    page.goto(f"/{language}/quizzes/attempts/{attempt.public_id}/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_is_pressed_is_large_enough(open_page):
    bilingual_quiz()
    page = open_page("/ar/quizzes/floats/", width=320)
    for target in page.locator(".mpquiz-choice, .mpquiz-button, summary").all():
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 24, target.inner_text()


def weigh(page, path):
    """Bytes of HTML, CSS and JavaScript together, each compressed as a server would."""
    bodies = []
    kinds = ("document", "stylesheet", "script")
    page.on("response", lambda one: bodies.append(one) if one.request.resource_type in kinds else None)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return sum(len(gzip.compress(one.body(), 6)) for one in bodies)


def test_the_quiz_page_and_the_question_page_are_light(open_page, signed_in):
    choice = {"en": "A choice of about the usual length, with some `code` in it", "ar": "خيار بطول معتاد وفيه `code`"}
    questions = [
        make_question(
            {"text": choice, "right": True},
            *({"text": {la: f"{text} {n}" for la, text in choice.items()}} for n in range(3)),
            prompt={
                "en": f"Question {number}, which is asked at some length?",
                "ar": f"السؤال {number} بشيء من الطول؟",
            },
        )
        for number in range(8)
    ]
    user = make_user()
    attempt = Attempt.objects.start(make_quiz(*questions), learner(user))
    cookies = signed_in(user)
    question = weigh(open_page("/en/quizzes/", cookies=cookies), f"/ar/quizzes/attempts/{attempt.public_id}/2/")
    quiz = weigh(open_page("/en/quizzes/"), "/ar/quizzes/floats/")
    assert max(question, quiz) < 35_000, (question, quiz)


def test_a_long_word_and_wide_code_stay_in_their_box(open_page):
    wide = "x" * 200
    make_quiz(make_question((wide, True), f"`{wide}`", prompt={"en": f"{wide}\n\n```\n{wide}\n```"}))
    page = open_page("/ar/quizzes/floats/", width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert texts("prompt", "x") == {"prompt_en": "x"}
