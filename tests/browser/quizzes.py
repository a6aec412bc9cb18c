"""The quiz that the browser takes: both languages, code, several right choices, a choice that is not translated."""

from mpquiz.models import Quiz
from tests.factories import make_guide, make_question, make_quiz


def bilingual_quiz(**fields: object) -> Quiz:
    guide = make_guide("floats", {"en": "Floating-point formats", "ar": "تمثيل الأعداد العشرية"})
    why = {"en": "The exponent has eight bits in both.", "ar": "للأس ثمانية بتات في كليهما."}
    first = make_question(
        {
            "text": {"en": "It has the range of `FP32`", "ar": "له مدى `FP32` نفسه"},
            "right": True,
            "feedback": {"en": "That is the point.", "ar": "هذا هو المقصود."},
        },
        {
            "text": {"en": "It is shorter", "ar": "هو أقصر"},
            "feedback": {"en": "Both have 16 bits.", "ar": "كلاهما 16 بت."},
        },
        {"text": {"en": "It stores text instead of numbers"}},
        prompt={"en": "What is better about `bfloat16` than `FP16`?", "ar": "بماذا يتفوّق `bfloat16` على `FP16`؟"},
        explanation=why,
        guides=[guide],
    )
    second = make_question(
        {"text": {"en": "`torch.amp.autocast`"}, "right": True},
        {"text": {"en": "`torch.amp.GradScaler`"}, "right": True},
        {"text": {"en": "`torch.save`"}},
        kind="multiple",
        prompt={"en": "Which belong to mixed precision?\n\n```python\nimport torch\n```"},
        explanation=why,
        guides=[guide],
    )
    third = make_question(
        {"text": {}, "right": True},
        {"text": {}},
        kind="true_false",
        prompt={"en": "Loss scaling helps `FP16`.", "ar": "قياس الخسارة يفيد `FP16`."},
        explanation=why,
    )
    title = {"en": "Mixed precision", "ar": "الدقة المختلطة"}
    description = {"en": "Three questions about formats.", "ar": "ثلاثة أسئلة عن الصيغ."}
    return make_quiz(
        first,
        second,
        third,
        title=title,
        description=description,
        guides=[guide],
        pass_mark=50,
        level="beginner",
        **fields,
    )
