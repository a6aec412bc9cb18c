"""What search engines and previews of shared links are told: of which pages, in which languages, never the key."""

import json
import re
from datetime import timedelta
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from django.conf.urls.i18n import i18n_patterns
from django.contrib.auth.models import Group, Permission
from django.contrib.sitemaps.views import index, sitemap
from django.test import Client
from django.urls import include, path
from django.utils import timezone
from django.utils.translation import gettext_lazy

from mpquiz.exceptions import Refusal
from mpquiz.models import Attempt, Question, Quiz
from mpquiz.sitemaps import QuizSitemap
from tests.factories import (
    learner,
    make_essay,
    make_guide,
    make_page,
    make_pool,
    make_question,
    make_quiz,
    make_tag,
    make_user,
)
from tests.test_leaks import change_the_key

pytestmark = pytest.mark.django_db
SITE = "http://testserver"
PAGE = "/en/quizzes/floats/"
IN_ARABIC = "/ar/quizzes/floats/"

MAP = path("sitemap.xml", sitemap, {"sitemaps": {"quizzes": QuizSitemap}})
ADDRESSES = [path("accounts/login/", index, name="login"), path("quizzes/", include("mpquiz.urls"))]


class Prefixed:
    """Each language behind its prefix."""

    urlpatterns = [MAP, *i18n_patterns(*ADDRESSES)]


class DefaultWithout:
    """The default language without a prefix."""

    urlpatterns = [MAP, *i18n_patterns(*ADDRESSES, prefix_default_language=False)]


class OneForAll:
    """One address for all languages, which the reader's browser chooses."""

    urlpatterns = [MAP, *ADDRESSES]


@pytest.fixture(autouse=True)
def prefixed(settings):
    settings.ROOT_URLCONF = Prefixed


class Head(HTMLParser):
    """The tags of a page's head, and the data for machines in it."""

    def __init__(self, html):
        super().__init__()
        self.links, self.metas, self.data, self._reads = [], [], [], False
        self.feed(html.partition("</head>")[0])

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "link" and found.get("rel") in ("canonical", "alternate"):
            self.links.append((found["rel"], found.get("hreflang"), found["href"]))
        elif tag == "meta" and (name := found.get("property") or found.get("name")):
            self.metas.append((name, found["content"]))
        self._reads = tag == "script" and found.get("type") == "application/ld+json"

    def handle_endtag(self, tag):
        self._reads = False

    def handle_data(self, data):
        if self._reads:
            self.data.append(data)

    @property
    def canonical(self):
        return [href for rel, _language, href in self.links if rel == "canonical"]

    @property
    def alternates(self):
        return {language: href for rel, language, href in self.links if rel == "alternate"}

    def all(self, name):
        return [content for one, content in self.metas if one == name]

    @property
    def quiz(self):
        [data] = self.data
        return json.loads(data)


def head_of(address, client=None):
    response = (client or Client()).get(address)
    assert response.status_code == 200
    return Head(response.content.decode())


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def is_hidden(head):
    """Not to be found, and nothing of it told to machines."""
    return head.all("robots") == ["noindex"] and not (head.canonical or head.alternates or head.data)


# The links ----------------------------------------------------------------------------------------------------


def test_a_page_names_its_one_address_and_those_in_its_other_languages():
    make_quiz()
    others = {"en": f"{SITE}{PAGE}", "ar": f"{SITE}{IN_ARABIC}", "x-default": f"{SITE}{PAGE}"}
    for address in (PAGE, IN_ARABIC):
        head = head_of(f"{address}?notice=finished&utm_source=x")
        assert head.canonical == [f"{SITE}{address}"]
        assert head.alternates == others
        assert head.all("robots") == []


def test_a_quiz_published_in_one_language_names_no_other():
    make_quiz(published=["ar"])
    head = head_of(IN_ARABIC)
    assert head.canonical == [f"{SITE}{IN_ARABIC}"]
    assert head.alternates == {}
    assert head.all("og:locale:alternate") == []


def test_a_language_in_which_it_is_not_published_leaks_nowhere(settings):
    settings.LANGUAGES = [("en", "English"), ("ar", "العربية"), ("fr", "Français")]
    make_quiz(published=["ar"])
    assert Client().get(PAGE).status_code == 404
    assert Head(Client().get(PAGE).content.decode()).all("robots") == ["noindex"]
    assert "/en/" not in Client().get("/sitemap.xml").content.decode()


def test_a_language_without_texts_of_its_own_leads_to_the_page_whose_texts_it_shows(settings):
    settings.LANGUAGES = [("en", "English"), ("ar", "العربية"), ("fr", "Français")]
    make_quiz()
    head = head_of("/fr/quizzes/floats/")
    assert head.canonical == [f"{SITE}{PAGE}"]
    assert list(head.alternates) == ["en", "ar", "x-default"]


def test_regional_languages_of_the_site_are_those_that_are_named(settings):
    settings.LANGUAGES = [("en-gb", "British"), ("ar", "العربية")]
    settings.LANGUAGE_CODE = "en-gb"
    make_quiz()
    head = head_of("/en-gb/quizzes/floats/")
    assert list(head.alternates) == ["en-gb", "ar", "x-default"]
    assert head.all("og:locale:alternate") == ["en_GB", "ar"]


def test_the_default_language_may_be_without_a_prefix(settings):
    settings.ROOT_URLCONF = DefaultWithout
    make_quiz()
    others = {"en": f"{SITE}/quizzes/floats/", "ar": f"{SITE}{IN_ARABIC}", "x-default": f"{SITE}/quizzes/floats/"}
    for address in ("/quizzes/floats/", IN_ARABIC):
        head = head_of(address)
        assert (head.canonical, head.alternates) == ([f"{SITE}{address}"], others)


def test_one_address_for_all_languages_has_no_others(settings):
    settings.ROOT_URLCONF = OneForAll
    make_quiz()
    for language in ("en", "ar"):
        head = Head(Client().get("/quizzes/floats/", headers={"Accept-Language": language}).content.decode())
        assert (head.canonical, head.alternates) == ([f"{SITE}/quizzes/floats/"], {})
        assert head.quiz["url"] == f"{SITE}/quizzes/floats/"


def test_the_list_names_its_languages_and_its_bare_address():
    make_quiz(published=["ar"])
    for language in ("en", "ar"):
        head = head_of(f"/{language}/quizzes/?level=beginner")
        assert head.canonical == [f"{SITE}/{language}/quizzes/"]
        assert set(head.alternates) == {"en", "ar", "x-default"}
        assert head.all("robots") == head.data == []


def test_each_page_of_a_long_list_has_an_address_of_its_own(monkeypatch):
    monkeypatch.setattr("mpquiz.views.quizzes._MOST_CARDS", 2)
    for number in range(3):
        make_quiz(slug=f"quiz-{number}", count=1)
    assert head_of("/en/quizzes/?page=1").canonical == [f"{SITE}/en/quizzes/"]
    second = head_of("/en/quizzes/?page=2")
    assert second.canonical == [f"{SITE}/en/quizzes/?page=2"]
    assert second.alternates == {}  # in Arabic, other quizzes come as far down


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_alternates_of_a_page_name_each_other(language):
    make_quiz()
    head = head_of(f"/{language}/quizzes/floats/")
    for address in head.alternates.values():
        assert head_of(address.removeprefix(SITE)).alternates == head.alternates


# Previews of links --------------------------------------------------------------------------------------------


def test_a_shared_link_shows_title_and_description_in_the_language_of_the_page():
    title, description = (
        {"en": "Floats & “more”", "ar": "الأعداد"},
        {"en": 'On *numbers* "<b>".', "ar": "عن **الأعداد**."},
    )
    make_quiz(title=title, description=description)
    head = head_of(PAGE)
    assert head.all("og:title") == ["Floats & “more”"]
    assert head.all("description") == head.all("og:description") == ['On numbers "<b>".']
    assert (head.all("og:type"), head.all("og:url")) == (["website"], [f"{SITE}{PAGE}"])
    assert (head.all("og:locale"), head.all("og:locale:alternate")) == (["en"], ["ar"])
    arabic = head_of(IN_ARABIC)
    assert (arabic.all("og:title"), arabic.all("og:description")) == (["الأعداد"], ["عن الأعداد."])
    assert (arabic.all("og:locale"), arabic.all("og:locale:alternate")) == (["ar"], ["en"])


def test_texts_that_fall_back_say_their_own_language():
    make_quiz(title={"en": "Floats"}, description={"en": "On numbers."})
    page = Client().get(IN_ARABIC).content.decode()
    assert Head(page).all("og:locale") == ["en"]
    assert '<meta name="description" content="On numbers." lang="en">' in page


def test_a_long_description_is_cut_and_none_is_left_out():
    quiz = make_quiz(description="word " * 100)
    [told] = head_of(PAGE).all("description")
    assert len(told) <= 200 and told.endswith("…")
    Quiz.objects.filter(pk=quiz.pk).update(description_en="")
    assert head_of(PAGE).all("description") == head_of(PAGE).all("og:description") == []


def test_the_site_is_named_where_the_host_names_it(settings):
    make_quiz()
    assert head_of(PAGE).all("og:site_name") == []
    settings.MPQUIZ = {**settings.MPQUIZ, "SITE_NAME": gettext_lazy("True")}
    assert head_of(PAGE).all("og:site_name") == ["True"]
    assert head_of(IN_ARABIC).all("og:site_name") == ["صحيحة"]


def test_a_host_that_makes_these_tags_itself_empties_the_template(settings, tmp_path):
    make_quiz()
    (tmp_path / "mpquiz").mkdir()
    (tmp_path / "mpquiz" / "_finding.html").write_text("")
    first = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**first, "DIRS": [tmp_path, *first["DIRS"]]}]
    head = head_of(PAGE)
    assert head.links == [] and head.all("og:title") == []
    assert head.quiz["@type"] == "Quiz"


# Which pages --------------------------------------------------------------------------------------------------

EARLIER, LATER = (timezone.now() + timedelta(days=days) for days in (-2, 2))
CLOSED_TO_GUESTS = {
    "signed in": {"access": "signed_in"},
    "groups": {"access": "groups"},
    "password": {"password": "open"},
    "not yet open": {"opens_at": LATER},
    "closed": {"closes_at": EARLIER},
}


@pytest.mark.parametrize("rules", CLOSED_TO_GUESTS.values(), ids=CLOSED_TO_GUESTS)
def test_a_quiz_that_a_guest_may_not_take_is_not_found_whoever_looks(rules):
    quiz = make_quiz(**rules)
    amal, group = make_user(), Group.objects.create(name="Class 3")
    amal.groups.add(group)
    quiz.groups.add(group)
    for client in (Client(), signed_in(amal)):
        assert is_hidden(head_of(PAGE, client))
    assert locations() == []


def only_for_members(learner, quiz):
    return None if learner.user else Refusal("not_allowed", "Members only.")


def test_a_quiz_that_the_host_s_rule_keeps_from_guests_is_not_found(settings):
    make_quiz()
    assert len(locations()) == 2
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_TAKE": only_for_members}
    assert is_hidden(head_of(PAGE)) and is_hidden(head_of(PAGE, signed_in(make_user())))
    assert locations() == []


@pytest.mark.parametrize("rules", [{"published": ()}, {"archived": True}], ids=["draft", "archived"])
def test_what_only_staff_see_is_not_found_and_no_link_shows_what_it_is(rules):
    make_quiz(**rules)
    staff = make_user(is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="view_quiz"))
    head = head_of(PAGE, signed_in(staff))
    assert is_hidden(head) and head.all("og:title") == []
    assert Client().get(PAGE).status_code == 404
    assert locations() == []


GUARDED = {"preview": False}, {"time_limit": 5}, {"shuffle_questions": True}, {"draw": 1}, {"one_way": True}


@pytest.mark.parametrize("rules", GUARDED, ids=str)
def test_a_quiz_whose_questions_may_not_be_read_is_found_without_them(rules):
    make_quiz(make_question(prompt="Secret?"), make_question(prompt="Secret?"), publishes_answers=True, **rules)
    page = Client().get(PAGE).content.decode()
    assert Head(page).canonical == [f"{SITE}{PAGE}"]
    assert "Secret?" not in page and Head(page).data == []
    assert len(locations()) == 2


def test_a_quiz_with_a_pool_is_found_without_its_questions():
    question = make_question(prompt="Secret?")
    make_pool(make_quiz(question), make_tag("Vectors", make_question()))
    assert head_of(PAGE).data == []


def test_the_pages_of_attempts_are_not_found_and_name_no_address():
    amal = make_user()
    attempt = Attempt.objects.start(make_quiz(), learner(amal))
    base = f"/en/quizzes/attempts/{attempt.public_id}/"
    client = signed_in(amal)
    pages = {
        name: Client.get(client, address) for name, address in (("q", f"{base}1/"), ("mine", "/en/quizzes/mine/"))
    }
    attempt.answer(1, 1)
    pages["feedback"] = client.get(f"{base}1/")
    pages["finish"] = client.post(f"{base}finish/", {})
    attempt.finish()
    pages["result"] = client.get(base)
    for name, response in pages.items():
        assert response.status_code in (200, 409), name
        head = Head(response.content.decode())
        assert is_hidden(head) and head.all("og:url") == [], name


def test_the_head_is_the_same_for_a_guest_and_for_a_learner_in_the_middle():
    quiz = make_quiz()
    amal = make_user()
    attempt = Attempt.objects.start(quiz, learner(amal))
    attempt.answer(1, 2)
    told = [vars(head_of(PAGE, client)) for client in (Client(), signed_in(amal), signed_in(make_user("stranger")))]
    for one in told:
        one = {name: one[name] for name in ("links", "metas", "data")}
        assert one == {name: told[0][name] for name in one}


# Data ---------------------------------------------------------------------------------------------------------


def as_on_the_seed_page():
    """Question 1: its prompt in English over Arabic choices; 2 whole in Arabic; 3 in English alone."""
    arabic, english = {"en": "Right", "ar": "صحيح"}, {"en": "Wrong"}
    return [
        make_question(
            {"text": arabic, "right": True}, {"text": {"en": "Less", "ar": "أقل"}}, prompt={"en": "First?"}
        ),
        make_question({"text": arabic, "right": True}, {"text": english}, prompt={"en": "Second?", "ar": "الثاني؟"}),
        make_question({"text": {"en": "Yes"}, "right": True}, {"text": english}, prompt={"en": "Third?"}),
    ]


def test_the_data_says_the_language_of_each_text_that_is_really_shown():
    guide = make_guide("floats", {"en": "Floats", "ar": "الأعداد"})
    title = {"en": "Floating point", "ar": "الفاصلة العائمة"}
    make_quiz(*as_on_the_seed_page(), title=title, description={"en": "On *it*."}, guides=[guide], level="beginner")
    data = head_of(IN_ARABIC).quiz
    assert {name: value for name, value in data.items() if name != "hasPart"} == {
        "@context": "https://schema.org",
        "@type": "Quiz",
        "url": f"{SITE}{IN_ARABIC}",
        "name": "الفاصلة العائمة",
        "inLanguage": "ar",
        "description": {"@value": "On it.", "@language": "en"},
        "learningResourceType": "quiz",
        "educationalLevel": "beginner",
        "isAccessibleForFree": True,
        "about": [
            {"@type": "LearningResource", "name": "الأعداد", "inLanguage": "ar", "url": f"{SITE}/guides/floats/"}
        ],
        "assesses": ["الأعداد"],
    }
    parts = [(part["text"], part["inLanguage"]) for part in data["hasPart"]]
    assert parts == [("First?", "en"), ("الثاني؟", "ar"), ("Third?", "en")]
    offered = [[(one["text"], one["inLanguage"]) for one in part["suggestedAnswer"]] for part in data["hasPart"]]
    assert offered == [
        [("صحيح", "ar"), ("أقل", "ar")],
        [("صحيح", "ar"), ("Wrong", "en")],
        [("Yes", "en"), ("Wrong", "en")],
    ]


def test_the_data_of_the_other_language_is_whole_in_it():
    make_quiz(*as_on_the_seed_page(), title={"en": "Floating point", "ar": "الفاصلة"}, description={"en": "On it."})
    data = head_of(PAGE).quiz
    assert (data["name"], data["inLanguage"], data["description"]) == ("Floating point", "en", "On it.")
    assert {part["inLanguage"] for part in data["hasPart"]} == {"en"}
    assert "ar" not in re.findall(r'"inLanguage": "(\w+)"', json.dumps(data))


def of_every_kind():
    return [
        make_question(("One", True), "Two", prompt="Single?"),
        make_question(("One", True), ("Two", True), "Three", kind="multiple", prompt="Multiple?"),
        make_question({"right": True}, {}, kind="true_false", prompt="Statement."),
        make_question({"text": "Paris", "right": True}, {"text": "*"}, kind="text", prompt="Text?"),
        make_question({"value": "3..5", "right": True}, kind="number", prompt="Number?"),
        make_question({"part": "1", "text": "gap", "right": True}, kind="gaps", prompt="A [[1]] in **it**."),
        make_question("First", "Second", kind="ordering", prompt="Ordering?"),
        make_essay("Essay?"),
        make_page("Only read."),
    ]


def test_each_kind_says_what_is_asked_and_offered_and_not_what_is_right():
    make_quiz(*of_every_kind())
    parts = head_of(PAGE).quiz["hasPart"]
    told = [
        (one["text"], one["eduQuestionType"], [a["text"] for a in one.get("suggestedAnswer", [])]) for one in parts
    ]
    assert told == [
        ("Single?", "Multiple choice", ["One", "Two"]),
        ("Multiple?", "Checkbox", ["One", "Two", "Three"]),
        ("Statement.", "Multiple choice", ["True", "False"]),
        ("Text?", "Open ended", []),
        ("Number?", "Open ended", []),
        ("A … in it.", "Open ended", []),
        ("Ordering?", "Open ended", []),
        ("Essay?", "Open ended", []),
    ]
    assert not any("acceptedAnswer" in one for one in parts)


def test_a_quiz_that_says_so_tells_what_is_right():
    quiz = make_quiz(*of_every_kind(), publishes_answers=True)
    parts = {one["text"]: one for one in head_of(PAGE).quiz["hasPart"]}

    def told(prompt):
        return [[a["text"] for a in parts[prompt].get(name, [])] for name in ("acceptedAnswer", "suggestedAnswer")]

    assert told("Single?") == [["One"], ["Two"]]
    assert told("Multiple?") == [["One", "Two"], ["Three"]]
    assert told("Statement.") == [["True"], ["False"]]
    assert told("Text?") == [["Paris"], []]
    assert told("Number?")[0] != []
    assert told("Essay?") == told("Ordering?") == [[], []]
    Quiz.objects.filter(pk=quiz.pk).update(show_right_answer="finish")
    assert "acceptedAnswer" not in json.dumps(head_of(PAGE).quiz)


@pytest.mark.parametrize("who", ["guest", "learner"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_head_does_not_depend_on_the_key(language, who):
    make_quiz(*of_every_kind()[:3], description="On it.", guides=[make_guide()])
    client = Client() if who == "guest" else signed_in(make_user())

    def head():
        return client.get(f"/{language}/quizzes/floats/").content.partition(b"</head>")[0]

    before = head()
    assert b"application/ld+json" in before
    change_the_key()
    assert head() == before
    Quiz.objects.update(publishes_answers=True)
    assert head() != before


HOSTILE = "</script><script>alert(1)</script><!-- & \u2028\u2029 \\ \" '"


def test_no_text_ends_the_data_or_the_tags():
    make_quiz(make_question((HOSTILE, True), "Two", prompt=HOSTILE), title=HOSTILE[:190], description=f"`{HOSTILE}`")
    page = Client().get(PAGE).content.decode()
    [raw] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert not set("<>&\u2028\u2029") & set(raw)
    [part] = json.loads(raw)["hasPart"]
    assert "alert(1)" in part["text"] and "</script>" in part["text"]
    assert "<script>alert" not in page
    [described] = Head(page).all("description")
    assert "</script>" in described


def test_what_is_missing_is_left_out():
    make_quiz(title={}, description=None)
    data = head_of(PAGE).quiz
    assert data["name"] == "floats"
    assert data.keys() == {
        "@context",
        "@type",
        "url",
        "name",
        "learningResourceType",
        "isAccessibleForFree",
        "hasPart",
    }


# All questions are in the HTML --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", [{}, {"layout": "all"}, {"shuffle_choices": True}, {"attempts_allowed": 2}], ids=str
)
@pytest.mark.parametrize("language", ["en", "ar"])
def test_all_questions_and_choices_stand_in_the_page_without_a_script(language, rules):
    numbers = range(1, 9)
    make_quiz(*(make_question((f"Yes {n}", True), f"No {n}", prompt=f"Question no {n}?") for n in numbers), **rules)
    body = Client().get(f"/{language}/quizzes/floats/").content.decode().partition("<body>")[2]
    for n in numbers:
        assert all(text in body for text in (f"Question no {n}?", f"Yes {n}<", f"No {n}<"))
    assert ("<details" in body) is (rules != {"layout": "all"})


# The sitemap --------------------------------------------------------------------------------------------------

_NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


def entries(host="testserver"):
    response = Client().get("/sitemap.xml", headers={"host": host})
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml")
    return ElementTree.fromstring(response.content).findall("s:url", _NAMES)


def locations():
    return [one.findtext("s:loc", None, _NAMES) for one in entries()]


def others(entry):
    return {one.get("hreflang"): one.get("href") for one in entry.findall("x:link[@rel='alternate']", _NAMES)}


def test_the_sitemap_has_each_quiz_in_each_of_its_languages():
    make_quiz()
    make_quiz(slug="arabic", published=["ar"])
    found = entries()
    assert [one.findtext("s:loc", None, _NAMES) for one in found] == [
        f"{SITE}{PAGE}",
        f"{SITE}{IN_ARABIC}",
        f"{SITE}/ar/quizzes/arabic/",
    ]
    both = {"en": f"{SITE}{PAGE}", "ar": f"{SITE}{IN_ARABIC}", "x-default": f"{SITE}{PAGE}"}
    assert [others(one) for one in found] == [both, both, {}]


@pytest.mark.parametrize("site", [Prefixed, DefaultWithout, OneForAll])
def test_the_sitemap_and_the_pages_say_the_same(settings, site):
    settings.ROOT_URLCONF = site
    make_quiz()
    make_quiz(slug="arabic", published=["ar"])
    found = entries()
    assert len(found) == (2 if site is OneForAll else 3)
    for one in found:
        address = one.findtext("s:loc", None, _NAMES)
        accepted = {"Accept-Language": "ar" if "arabic" in address else "en"}
        page = Client().get(address.removeprefix(SITE), headers=accepted)
        head = Head(page.content.decode())
        assert (page.status_code, head.canonical, head.alternates) == (200, [address], others(one))


def test_a_first_language_that_is_not_the_site_s_own_is_the_default_of_a_quiz_without_that(settings):
    settings.LANGUAGES = [("en", "English"), ("ar", "العربية"), ("ar-eg", "مصر")]
    make_quiz(published=["ar"])
    [alternates] = {tuple(others(one).items()) for one in entries()}
    assert dict(alternates)["x-default"] == f"{SITE}{IN_ARABIC}"


def test_a_quiz_in_no_language_of_the_site_is_not_in_its_sitemap(settings):
    make_quiz(published=["ar"])
    settings.LANGUAGES = [("en", "English")]
    assert locations() == []


def test_the_last_change_is_that_of_the_quiz_or_of_what_it_shows():
    quiz = make_quiz()
    old, later = timezone.now() - timedelta(days=30), timezone.now() - timedelta(days=10)
    Quiz.objects.update(updated_at=old)
    Question.objects.update(updated_at=old)
    assert {one.findtext("s:lastmod", None, _NAMES) for one in entries()} == {f"{old:%Y-%m-%d}"}
    Question.objects.filter(pk=quiz.questions.first().pk).update(updated_at=later)
    assert {one.findtext("s:lastmod", None, _NAMES) for one in entries()} == {f"{later:%Y-%m-%d}"}
    Quiz.objects.update(preview=False)
    assert {one.findtext("s:lastmod", None, _NAMES) for one in entries()} == {f"{old:%Y-%m-%d}"}


def test_the_sitemap_takes_one_query_for_any_number_of_quizzes(django_assert_num_queries):
    for number in range(30):
        make_quiz(slug=f"quiz-{number}", count=2)
    Client().get("/sitemap.xml")
    with django_assert_num_queries(1):
        assert len(entries()) == 60


def test_an_index_of_sitemaps_can_be_made_of_it(settings):
    class Indexed:
        urlpatterns = [
            path("sitemap.xml", index, {"sitemaps": {"quizzes": QuizSitemap}, "sitemap_url_name": "one"}),
            path("sitemap-<section>.xml", sitemap, {"sitemaps": {"quizzes": QuizSitemap}}, name="one"),
            *i18n_patterns(*ADDRESSES),
        ]

    settings.ROOT_URLCONF = Indexed
    make_quiz()
    [one] = ElementTree.fromstring(Client().get("/sitemap.xml").content).findall("s:sitemap", _NAMES)
    assert one.findtext("s:loc", None, _NAMES) == f"{SITE}/sitemap-quizzes.xml"
    assert Client().get("/sitemap-quizzes.xml").content.count(b"<loc>") == 2
