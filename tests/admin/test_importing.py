"""Bringing a file into admin: upload or paste, look at it, confirm or discard."""

import base64
import hashlib
import io
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from mpquiz import files, kinds
from mpquiz.admin.preview import PAGE_SIZE
from mpquiz.models import Guide, PendingImport, Question, Quiz, Tag
from tests.factories import make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db

SAMPLE = Path(__file__).resolve().parents[2] / "project/samples/one-of-each.yaml"

MAY = ("view_quiz", "add_quiz", "add_question", "change_quiz", "change_question", "view_question")

FLOATS = """\
mpquiz: 1
namespace: handbook
quiz:
  slug: floats
  title: {en: Floats, ar: الأعداد}
questions:
  - key: bits
    kind: single
    prompt: {en: How many bits?, ar: كم بتًا؟}
    explanation: {en: Sixteen it is.}
    choices:
      - {key: a, text: {en: Sixteen, ar: ستة عشر}, right: true, feedback: {en: Well counted.}}
      - {key: b, text: {en: Eight, ar: ثمانية}, weight: 0.25}
"""


def many(count):
    """A native file of so many questions."""
    questions = "".join(
        f"  - {{key: q{n}, kind: single, prompt: {{en: Question {n}?}}, choices: "
        "[{key: a, text: {en: Yes}, right: true}, {key: b, text: {en: No}}]}\n"
        for n in range(1, count + 1)
    )
    return FLOATS[: FLOATS.index("  - key")] + questions


class Importer:
    """An editor at the import's pages."""

    def __init__(self, client, language="en"):
        self.client, self.base = client, f"/{language}/admin/mpquiz/quiz/import/"

    def upload(self, data=FLOATS, name="floats.yaml", **fields):
        data = data.encode() if isinstance(data, str) else data
        return self.send(file=SimpleUploadedFile(name, data), **fields)

    def paste(self, text=FLOATS, **fields):
        return self.send(text=text, **fields)

    def send(self, **fields):
        return self.client.post(self.base, {"format": "", "language": "en", "encoding": "", "into": "", **fields})

    def look(self, sent, **query):
        assert sent.status_code == 302, errors_of(sent)
        return self.client.get(sent.url, query)

    def confirm(self, sent, seen=None):
        seen = seen or self.look(sent).context_data["seen"]
        return self.client.post(sent.url, {"confirm": "on", "seen": seen})


def errors_of(page):
    """Everything that the page of the form complains about."""
    form = page.context_data["form"]
    said = [message for messages in form.errors.values() for message in messages]
    return said + [line.message for line in page.context_data.get("mistakes", ())]


@pytest.fixture
def importer(admin):
    return Importer(admin.client)


@pytest.fixture
def storage(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return default_storage


# Rights ---------------------------------------------------------------------------------------------------


def test_a_stranger_and_a_learner_are_sent_to_sign_in(client):
    for _ in range(2):
        assert "/login/" in client.get(Importer(client).base).url
        assert "/login/" in client.get(f"{Importer(client).base}{uuid.uuid4()}/").url
        client.force_login(make_user(f"learner{_}"))


@pytest.mark.parametrize(
    "rights", [(), ("add_quiz",), ("add_question",), ("view_quiz", "change_quiz", "change_question")]
)
def test_staff_who_may_not_add_quizzes_and_questions_are_refused(staff, rights):
    importer = Importer(staff(*rights).client)
    assert importer.client.get(importer.base).status_code == 403
    assert importer.upload().status_code == 403
    assert not PendingImport.objects.exists()


def test_another_s_upload_is_not_there(importer, staff):
    sent = importer.upload()
    other = Importer(staff(*MAY).client)
    assert other.look(sent).status_code == 404
    assert other.client.post(sent.url, {"discard": "on"}).status_code == 404
    assert other.client.post(sent.url, {"confirm": "on", "seen": "x"}).status_code == 404
    assert PendingImport.objects.count() == 1
    assert not Quiz.objects.exists()


def test_who_may_only_add_changes_nothing_by_a_file(staff, admin):
    Importer(admin.client).confirm(Importer(admin.client).upload())
    importer = Importer(staff("add_quiz", "add_question").client)
    page = importer.upload(FLOATS.replace("How many bits?", "How many bits has it?"))
    assert "You may not change questions, and this file changes some." in errors_of(page)
    assert Question.objects.get().prompt_en == "How many bits?"


def test_who_may_only_add_joins_no_quiz_and_forces_nothing(staff):
    make_quiz(slug="floats")
    importer = Importer(staff("add_quiz", "add_question").client)
    assert errors_of(importer.upload(into="floats")) == ["You may add quizzes, not change them. Choose a new slug."]
    assert "force" not in importer.client.get(importer.base).context_data["form"].fields


def test_a_file_with_guides_wants_the_right_to_add_guides(staff):
    importer = Importer(staff(*MAY).client)
    page = importer.upload(FLOATS + "guides:\n  - {slug: g, title: {en: G}, address: /g/}\n")
    assert errors_of(page) == ["You may not add guides, and this file brings new ones."]
    assert not Guide.objects.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.gift", "$CATEGORY: Algebra\n\nTwo? {=2 ~3}"),
        ("a.gift", "// [tag:Algebra]\nTwo? {=2 ~3}"),
        ("a.yaml", FLOATS.replace("    kind: single", "    kind: single\n    tags: [Algebra]")),
        ("a.yaml", FLOATS + "tags:\n  - {name: Algebra, description: {en: Letters.}}\n"),
    ],
)
def test_a_file_with_new_tags_wants_the_right_to_add_tags(staff, name, text):
    importer = Importer(staff(*MAY).client)
    assert errors_of(importer.upload(text, name)) == ["You may not add tags, and this file brings new ones."]
    assert not Tag.objects.exists()
    Tag.objects.create(name="Algebra", description_en="Letters.")
    assert importer.upload(text, name).status_code == 302


def test_a_file_that_says_more_of_a_tag_wants_the_right_to_change_tags(staff):
    Tag.objects.create(name="Algebra")
    importer = Importer(staff(*MAY, "add_tag").client)
    page = importer.upload(FLOATS + "tags:\n  - {name: Algebra, description: {en: Letters.}}\n")
    assert errors_of(page) == ["You may not change tags, and this file changes some."]
    assert Tag.objects.get().description_en in ("", None)


def test_whoever_may_add_tags_brings_a_file_with_new_ones(staff):
    importer = Importer(staff(*MAY, "add_tag").client)
    importer.confirm(importer.upload("$CATEGORY: Algebra\n\nTwo? {=2 ~3}", "a.gift"))
    assert [tag.name for tag in Question.objects.get().tags.all()] == ["Algebra"]


def test_a_right_that_was_lost_since_the_upload_is_asked_for_again(staff):
    editor = staff(*MAY, "add_tag")
    importer = Importer(editor.client)
    sent = importer.upload("$CATEGORY: Algebra\n\nTwo? {=2 ~3}", "a.gift")
    seen = importer.look(sent).context_data["seen"]
    get_user_model().objects.get().user_permissions.remove(Permission.objects.get(codename="add_tag"))
    importer.confirm(sent, seen)
    assert not Quiz.objects.exists()
    assert not Tag.objects.exists()


def test_a_forged_post_is_refused(admin):
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = admin.client.cookies
    assert Importer(browser).paste().status_code == 403
    sent = Importer(admin.client).paste()
    assert browser.post(sent.url, {"confirm": "on"}).status_code == 403
    assert not Quiz.objects.exists()


def test_the_links_stand_where_they_can_be_followed(admin, staff):
    quiz = make_quiz()
    for language in ("en", "ar"):
        admin.language = language
        assert f'href="/{language}/admin/mpquiz/quiz/import/"' in admin.list("quiz").content.decode()
        assert "import/?into=floats" in admin.page("quiz", quiz).content.decode()
    reader = staff("view_quiz", "add_quiz")
    assert "quiz/import/" not in reader.list("quiz").content.decode()
    assert "import/?into" not in reader.page("quiz", quiz).content.decode()


# The form -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_form_opens_in_both_languages(admin, language):
    page = admin.client.get(f"/{language}/admin/mpquiz/quiz/import/?into=floats")
    assert page.context_data["form"]["into"].value() == "floats"
    assert page.context_data["form"]["language"].value() == language
    html = page.content.decode().split('<div id="content"')[1].split("<svg")[0]
    assert " style=" not in html
    assert "<script" not in html


def test_the_quizzes_that_are_there_are_offered(importer):
    make_quiz(slug="numbers", title="Numbers")
    assert '<option value="numbers">Numbers</option>' in importer.client.get(importer.base).content.decode()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "Choose a file or paste a text."),
        ({"text": "  \n "}, "Choose a file or paste a text."),
        ({"text": FLOATS, "file": SimpleUploadedFile("a.yaml", b"x")}, "Choose a file or paste a text, not both."),
        ({"file": SimpleUploadedFile("a.yaml", b"")}, "The submitted file is empty."),
        ({"text": "just words"}, "The format could not be recognised. Choose it."),
        ({"text": FLOATS, "into": "No slug"}, "“No slug” is no slug: Latin letters, digits and hyphens."),
        ({"text": FLOATS, "into": "../x"}, "“../x” is no slug: Latin letters, digits and hyphens."),
    ],
)
def test_what_cannot_be_read_is_told(importer, fields, message):
    for field in fields.values():
        if hasattr(field, "seek"):
            field.seek(0)
    assert errors_of(importer.send(**fields)) == [message]
    assert not PendingImport.objects.exists()


@pytest.mark.parametrize(("name", "value"), [("format", "exe"), ("language", "xx"), ("encoding", "rot13")])
def test_what_is_not_offered_is_not_taken(importer, name, value):
    assert name in importer.paste(**{name: value}).context_data["form"].errors


def test_a_file_that_is_too_large_is_refused_unread(importer, settings):
    settings.MPQUIZ = settings.MPQUIZ | {"LARGEST_IMPORT": 1000}
    page = importer.upload("x" * 1001)
    assert errors_of(page) == ["The file is larger than 0.001 MB. Split it."]
    assert page.context_data["form"].data_read == b""


def test_a_pasted_text_that_is_too_large_is_refused_in_words(importer, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 5000
    page = importer.paste("x" * 6000)
    assert page.status_code == 413
    assert "larger than 0.005 MB" in page.content.decode()
    assert 'name="csrfmiddlewaretoken"' in page.content.decode()


def test_errors_keep_the_pasted_text_and_quote_its_lines(importer):
    page = importer.paste(FLOATS.replace("kind: single", "kind: riddle"))
    [line] = page.context_data["mistakes"]
    assert (line.number, line.quoted) == (8, "kind: riddle")
    assert page.context_data["form"]["text"].value().replace("\r\n", "\n") == FLOATS.replace(
        "kind: single", "kind: riddle"
    )
    assert "kind: riddle" in page.content.decode()
    assert not PendingImport.objects.exists()


def test_a_refused_file_can_be_mended_in_the_text_field(importer):
    broken = FLOATS.replace("kind: single", "kind: riddle")
    page = importer.upload(broken)
    assert page.context_data["form"]["text"].value() == broken
    assert page.context_data["form"]["format"].value() == "yaml"
    assert importer.paste(FLOATS, format="yaml").status_code == 302


def test_a_file_in_another_encoding_is_read_by_the_name_of_it(importer):
    data = FLOATS.encode("windows-1256")
    page = importer.upload(data)
    assert "windows-1256" in errors_of(page)[0]
    importer.confirm(importer.upload(data, encoding="windows-1256"))
    assert Question.objects.get().prompt_ar == "كم بتًا؟"


# The preview ----------------------------------------------------------------------------------------------


def test_an_upload_is_shown_and_nothing_is_stored(importer):
    page = importer.look(importer.upload())
    html = page.content.decode()
    assert not Quiz.objects.exists()
    for text in ("How many bits?", "كم بتًا؟", "Sixteen", "ستة عشر", "Well counted.", "Sixteen it is.", "(25 %)"):
        assert text in html
    assert 'lang="en" dir="ltr"><p class="mpquiz-small">English</p>' in html
    assert 'lang="ar" dir="rtl"><p class="mpquiz-small">العربيّة</p>' in html
    assert "Right answer" in html
    assert "الإجابة الصحيحة" in html
    assert 'name="confirm"' in html


def test_each_id_of_the_preview_stands_once(importer):
    html = importer.look(importer.upload(many(3))).content.decode()
    ids = [part.split('"')[0] for part in html.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_the_preview_is_answered_nowhere(importer):
    html = importer.look(importer.upload()).content.decode()
    asked = html.split('<fieldset disabled class="mpquiz-asked">')[1].split("<details")[0]
    assert "Right answer" not in asked
    assert "checked" not in asked


def test_the_preview_has_pages(importer):
    sent = importer.upload(many(PAGE_SIZE + 5))
    first, second = importer.look(sent), importer.look(sent, page=2)
    assert "Question 1?" in first.content.decode()
    assert "Question 21?" not in first.content.decode()
    assert "Question 21?" in second.content.decode()
    assert second.context_data["page"].number == 2
    assert importer.look(sent, page="x").context_data["page"].number == 1
    assert first.context_data["seen"] == second.context_data["seen"]


def test_a_page_of_the_preview_takes_as_many_queries_for_a_hundred_questions_as_for_ten(importer, query_count):
    few, many_ = importer.upload(many(10)), importer.upload(many(100))
    assert query_count(lambda: importer.look(few)) == query_count(lambda: importer.look(many_))


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_preview_opens_in_both_languages_without_inline_style_or_script(admin, language):
    importer = Importer(admin.client, language)
    html = importer.look(importer.upload()).content.decode()
    assert f'<html lang="{language}"' in html
    content = html.split('<div id="content"')[1].split("<svg")[0]
    assert " style=" not in content
    assert "<script" not in content


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def test_scripts_in_a_file_stay_text(importer):
    data = FLOATS.replace("How many bits?", f"'{SCRIPT}'").replace("Eight", f"'{SCRIPT}'")
    data = data.replace("Well counted.", f"'{SCRIPT}'").replace("Sixteen it is.", f"'[x](javascript:alert) {SCRIPT}'")
    data = data.replace("en: Floats", f"en: '{SCRIPT}'")
    name = '"><script>alert(1)</script>.yaml'
    html = importer.look(importer.upload(data, name)).content.decode()
    content = html.split('<div id="content"')[1]
    assert "<script>alert" not in content
    assert "<img src=x" not in content
    assert "javascript:alert" not in content.replace("[x](javascript:alert)", "")
    assert "&lt;script&gt;" in content


def test_scripts_in_what_is_wrong_stay_text(importer):
    page = importer.paste(FLOATS.replace("kind: single", f"kind: '{SCRIPT}'"))
    assert errors_of(page)
    assert "<script>alert" not in page.content.decode()
    assert "<img src=x" not in page.content.decode()


def test_a_file_s_name_turns_nothing_around(importer):
    importer.upload(name="a\u202elmay.yaml")
    assert PendingImport.objects.get().name == "almay.yaml"


# Confirming -----------------------------------------------------------------------------------------------


def test_confirmed_it_is_stored_and_stands_in_the_history(importer):
    answer = importer.confirm(importer.upload())
    quiz = Quiz.objects.get()
    assert answer.url == f"/en/admin/mpquiz/quiz/{quiz.pk}/change/"
    assert quiz.questions.get().prompt_ar == "كم بتًا؟"
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.get_change_message()) == (str(quiz.pk), "Imported from floats.yaml.")
    assert "The import is stored. Questions: New: 1." in importer.client.get(answer.url).content.decode()


def test_confirmed_twice_it_is_stored_once(importer):
    sent = importer.upload()
    seen = importer.look(sent).context_data["seen"]
    first, second = importer.confirm(sent, seen), importer.confirm(sent, seen)
    assert first.url == second.url
    assert importer.client.get(sent.url).url == first.url
    assert (Quiz.objects.count(), Question.objects.count(), LogEntry.objects.count()) == (1, 1, 1)
    assert bytes(PendingImport.objects.get().data) == b""


def test_the_same_file_again_adds_nothing(importer):
    importer.confirm(importer.upload())
    importer.confirm(importer.upload())
    assert (Quiz.objects.count(), Question.objects.count()) == (1, 1)


def test_confirmed_and_deleted_since_it_lands_in_the_list(importer):
    sent = importer.upload()
    importer.confirm(sent)
    Quiz.objects.get().delete()
    assert importer.client.get(sent.url).url == "/en/admin/mpquiz/quiz/"


def test_who_may_see_no_quiz_lands_at_the_start(staff):
    importer = Importer(staff("add_quiz", "add_question").client)
    assert importer.confirm(importer.upload()).url == "/en/admin/"


def test_what_changed_since_is_shown_anew(importer):
    sent = importer.upload()
    seen = importer.look(sent).context_data["seen"]
    make_question(key="handbook/bits", prompt="Something else")
    page = importer.confirm(sent, seen)
    assert page.status_code == 200
    assert page.context_data["changed"]
    assert Question.objects.get().prompt_en == "Something else"
    assert not Quiz.objects.exists()
    assert PendingImport.objects.get().confirmed_at is None


def test_a_confirmation_that_shows_nothing_seen_stores_nothing(importer):
    sent = importer.upload()
    assert importer.client.post(sent.url, {"confirm": "on"}).status_code == 200
    assert not Quiz.objects.exists()


def test_what_an_editor_changed_is_kept_unless_forced(importer):
    importer.confirm(importer.upload())
    Question.objects.update(prompt_en="Mine")
    importer.confirm(importer.upload())
    assert Question.objects.get().prompt_en == "Mine"
    importer.confirm(importer.upload(force="on"))
    assert Question.objects.get().prompt_en == "How many bits?"


def test_it_goes_under_a_slug_of_the_editor_s(importer):
    importer.confirm(importer.upload(into="other"))
    assert Quiz.objects.get().slug == "other"


# Discarding -----------------------------------------------------------------------------------------------


def test_discarded_it_is_gone(importer):
    sent = importer.upload()
    assert importer.client.post(sent.url, {"discard": "on"}).url == "/en/admin/mpquiz/quiz/"
    assert not PendingImport.objects.exists()
    assert importer.look(sent).status_code == 404


def test_stale_uploads_are_forgotten_at_the_next(importer):
    importer.upload()
    old = PendingImport.objects.get()
    PendingImport.objects.update(created_at=timezone.now() - timedelta(days=2))
    importer.upload()
    assert PendingImport.objects.exclude(pk=old.pk).count() == 1
    assert not PendingImport.objects.filter(pk=old.pk).exists()


NAME = f"{hashlib.sha256(b'x').hexdigest()[:40]}.png"


@pytest.mark.parametrize("referred", [False, True])
def test_files_of_a_discarded_upload_are_taken_out_unless_a_text_refers_to_them(importer, storage, referred):
    files.store({NAME: b"x"})
    sent = importer.upload()
    PendingImport.objects.update(files=[NAME])
    if referred:
        make_question(prompt={"ar": f"![x]({files.reference(NAME)})"})
    importer.client.post(sent.url, {"discard": "on"})
    assert storage.exists(files.path(NAME)) is referred


def test_files_that_another_upload_waits_with_stay(importer, storage):
    files.store({NAME: b"x"})
    sent = importer.upload()
    importer.upload()
    PendingImport.objects.update(files=[NAME])
    importer.client.post(sent.url, {"discard": "on"})
    assert storage.exists(files.path(NAME))


def test_an_upload_itself_never_reaches_the_storage(importer, storage, tmp_path):
    importer.upload()
    assert list(tmp_path.rglob("*")) == []


# A second language, and files -----------------------------------------------------------------------------


def test_a_second_language_is_seen_in_its_place_before_it_is_stored(importer):
    importer.confirm(importer.upload("How many bits? {=Sixteen ~Eight}", name="a.gift", into="floats"))
    sent = importer.upload("كم بتًا؟ {=ستة عشر ~ثمانية}", name="b.gift", language="ar", into="floats")
    page = importer.look(sent)
    [verdict] = [one for one in page.context_data["verdicts"] if one["word"] == "Filled in"]
    assert verdict["items"] == [{"name": "floats/q1", "detail": "ar"}]
    html = page.content.decode()
    assert "How many bits?" in html
    assert "كم بتًا؟" in html
    assert Question.objects.get().prompt_ar in ("", None)
    importer.confirm(sent)
    assert Question.objects.get().prompt_ar == "كم بتًا؟"


PICTURED = """\
<?xml version="1.0"?>
<quiz><question type="description"><name><text>Flag</text></name><questiontext format="html">
<text><![CDATA[<p><img src="@@PLUGINFILE@@/flag.gif" alt="Flag"></p>]]></text>
<file name="flag.gif" path="/" encoding="base64">R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7</file>
</questiontext></question></quiz>
"""


def test_images_are_seen_in_the_preview_and_taken_out_again_when_it_is_discarded(importer, storage):
    sent = importer.upload(PICTURED, name="flag.xml")
    [name] = PendingImport.objects.get().files
    assert files.address(name) in importer.look(sent).content.decode()
    importer.client.post(sent.url, {"discard": "on"})
    assert not storage.exists(files.path(name))
    sent = importer.upload(PICTURED, name="flag.xml")
    importer.confirm(sent)
    assert storage.exists(files.path(name))
    assert name in Question.objects.get().prompt_en


# Files of other systems -----------------------------------------------------------------------------------

ENGLISH = "::One:: How many bits? {=Sixteen #Yes ~Eight}\n\n::Two:: Even? {TRUE}\n"
ARABIC = "::One:: كم بتًا؟ {=ستة عشر #نعم ~ثمانية}\n\n::Two:: زوجي؟ {TRUE}\n"


def png(colour=0):
    """A small picture."""
    file = io.BytesIO()
    Image.new("RGB", (2, 2), (colour, 0, 0)).save(file, "PNG")
    return file.getvalue()


def moodle(picture):
    """A Moodle file of one question with a picture in its text."""
    data = base64.b64encode(picture).decode()
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<quiz><question type="truefalse"><name><text>Picture</text></name>
<questiontext format="html"><text><![CDATA[<p>Red? <img src="@@PLUGINFILE@@/a.png" alt="a dot"></p>]]></text>
<file name="a.png" encoding="base64">{data}</file></questiontext>
<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>
</question></quiz>"""


def test_a_second_language_is_joined_to_the_quiz(importer):
    importer.confirm(importer.paste(ENGLISH, into="bits"))
    sent = importer.paste(ARABIC, into="bits", language="ar")
    page = importer.look(sent)
    assert "Filled in" in page.content.decode()
    importer.confirm(sent)
    assert Question.objects.count() == 2
    first = Quiz.objects.get().questions.order_by("places__place").first()
    assert (first.prompt_en, first.prompt_ar) == ("How many bits?", "كم بتًا؟")


def test_who_may_only_add_adds_a_file_of_another_system(staff):
    importer = Importer(staff("add_quiz", "add_question").client)
    importer.confirm(importer.paste(ENGLISH, into="bits"))
    assert Question.objects.count() == 2
    assert errors_of(importer.paste(ARABIC, into="bits", language="ar")) == [
        "You may add quizzes, not change them. Choose a new slug."
    ]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_text_pasted_is_the_same_as_its_file(importer, line_break):
    importer.confirm(importer.upload(ENGLISH, "x.gift"))
    importer.confirm(importer.paste(ENGLISH.replace("\n", line_break)))
    assert (Quiz.objects.count(), Question.objects.count()) == (1, 2)


def test_pictures_of_a_file_are_shown_and_kept_when_it_is_confirmed(importer, storage):
    sent = importer.upload(moodle(png()), "x.xml")
    [name] = PendingImport.objects.get().files
    html = importer.look(sent).content.decode()
    assert f'src="{storage.url(files.path(name))}"' in html
    assert 'alt="a dot"' in html
    importer.confirm(sent)
    assert files.reference(name) in Question.objects.get().prompt_en
    assert storage.exists(files.path(name))


def test_pictures_of_a_file_are_gone_when_it_is_discarded(importer, storage):
    kept, gone = importer.upload(moodle(png()), "x.xml"), importer.upload(moodle(png(9)), "y.xml")
    importer.confirm(kept)
    again = importer.upload(moodle(png()), "z.xml")
    for sent in (gone, again):
        importer.client.post(sent.url, {"discard": "on"})
    assert [one.name for one in Path(storage.location, "mpquiz").iterdir()] == [
        files.names_in(Question.objects.get().prompt_en)[0]
    ]


def test_a_stale_upload_takes_its_pictures_along(importer, storage):
    importer.upload(moodle(png()), "x.xml")
    PendingImport.objects.update(created_at=timezone.now() - timedelta(days=2))
    importer.upload()
    assert list(Path(storage.location, "mpquiz").iterdir()) == []


def test_a_question_of_any_kind_is_shown(importer):
    """The sample has one of each."""
    html = importer.look(importer.upload(SAMPLE.read_bytes(), SAMPLE.name)).content.decode()
    for _name, label in kinds.choices():
        assert f">{label}<" in html
    ids = [part.split('"')[0] for part in html.split(' id="')[1:]]
    assert len(ids) == len(set(ids))
