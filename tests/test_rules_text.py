import re
import runpy
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

import rules_coverage
from highvoltage import rules, texts
from highvoltage.rules import Rule, UnknownRule
from highvoltage.texts import RULE_TEXTS

RULEBOOKS = [name for name in rules.rulebooks() if rules.text_path(name).parent == RULE_TEXTS]
ANY_ID = re.compile(
    r"\b(?:(?:[CROKDA]|C[VI]|R[VI]|[KDO]R|TV-[KD]|INV|O[TDI]|A-[A-Z]{3}|AV)-|A-V)"
    r"\d+(?:\.\d+)*[a-z]?\b"
)
OUTSIDE = re.compile(r"(?<![\w/])/(?:work|tmp|root|home)\b|seeds/|\.txt\b|://")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_id_is_used_once_and_can_be_read(rulebook: str) -> None:
    names = rules.ids(rulebook)
    assert len(names) == len(set(names))
    for name in names:
        found = rules.rule(name)
        assert (found.id, found.rulebook) == (name, rulebook)
        assert name in found.text
        assert found.title
        assert found.path or f"## {name} " in found.text


def test_no_two_rulebooks_share_an_id() -> None:
    names = [name for rulebook in RULEBOOKS for name in rules.ids(rulebook)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_section_above_a_rule_has_a_name(rulebook: str) -> None:
    for name in rules.ids(rulebook):
        while "." in name:
            name = name.rpartition(".")[0]  # noqa: PLW2901
            rules.rule(name)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_heading_names_a_section(rulebook: str) -> None:
    for heading in re.findall(r"^##+ (\S+)", _without_code(rules.text(rulebook)), re.MULTILINE):
        assert rules.rule(heading).text.splitlines()[0].lstrip("# ").startswith(heading)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_id_the_text_names_exists(rulebook: str) -> None:
    for name in ANY_ID.findall(rules.text(rulebook)):
        rules.rule(name)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_text_points_to_nothing_outside_the_project(rulebook: str) -> None:
    assert not OUTSIDE.search(rules.text(rulebook))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_number_is_left_out(rulebook: str) -> None:
    families: dict[str, set[int]] = defaultdict(set)
    for name in rules.ids(rulebook):
        while match := re.fullmatch(r"(.+?)(\d+)[ab]?", name):
            families[match[1]].add(int(match[2]))
            name = match[1].rstrip(".")  # noqa: PLW2901
    if "TV-K-" in families:
        families["TV-K-"] |= {18, 19}  # our own vectors begin at 20
    for family, numbers in families.items():
        assert numbers == set(range(min(numbers), max(numbers) + 1)), family


def test_a_rule_ends_where_the_next_begins() -> None:
    found = rules.rule("C-4.4.4")
    assert found.path == ("C-4 Phase 2: auction", "C-4.4 Bidding")
    assert "C-4.4.5" not in found.text


def test_a_rule_holds_the_rules_below_it() -> None:
    assert "**C-2.1.2 RULING**" in rules.rule("C-2.1").text
    assert "**C-2.2**" not in rules.rule("C-2.1").text


def test_a_rule_holds_its_table() -> None:
    assert "| 46* | hybrid | 3 | 6 | 7 |" in rules.rule("C-1.2.1").text
    assert "| city count that ends the game | 21 | 17 | 17 | 15 | 14 | 002 |" in (
        rules.rule("C-1.5").text
    )


def test_a_row_of_a_table_comes_with_the_head_of_the_table() -> None:
    head, line, row = rules.rule("OD-04").text.splitlines()
    assert head == "| Id | Given | When | Then |"
    assert set(line) == set("| -")
    assert row.startswith("| **OD-04** |")


def test_a_ruling_inside_a_rule_is_read_by_its_own_id() -> None:
    assert "**RULING OR-02 (money).**" in rules.rule("O-0.5").text
    assert rules.rule("OR-02").text.startswith("**RULING OR-02 (money).** Money")
    assert rules.rule("OR-34") == Rule(
        id="OR-34",
        rulebook="outpost",
        path=("O-8 Phase 4: bureaucracy", "O-8.1 Income"),
        title="Payment table",
        text=rules.rule("O-8.1.3").text,
    )


@pytest.mark.parametrize("section", ["C-4.5", "C-4", "D-2", "O-7.0", "A", "O-11.2"])
def test_a_section_holds_all_its_rules(section: str) -> None:
    found = rules.rule(section)
    inside = [name for name in rules.ids(found.rulebook) if name.startswith(f"{section}.")]
    assert all(f"**{name}" in found.text for name in inside)
    assert section not in rules.ids(found.rulebook)


def test_a_section_with_a_rule_of_its_own_is_a_rule_too() -> None:
    assert "C-1.5" in rules.ids("classic")
    assert rules.rule("C-1.5").text.startswith("### C-1.5 Parameters")


def test_an_id_may_be_written_in_small_letters() -> None:
    assert rules.rule(" c-4.5.2 ") is rules.rule("C-4.5.2")
    assert rules.rule("CV-06A") is rules.rule("CV-06a")


def test_an_unknown_id_is_answered_with_near_ones() -> None:
    with pytest.raises(LookupError, match=r"no CV-6a in the rules; did you mean CV-06a"):
        rules.rule("CV-6a")


def test_an_unknown_rulebook_is_answered_with_near_ones() -> None:
    with pytest.raises(UnknownRule, match="did you mean classic"):
        rules.text("clasic")


def test_an_id_unlike_all_others_gets_no_hint() -> None:
    with pytest.raises(UnknownRule, match=r"there is no solar wind in the rules$"):
        rules.rule("solar wind")


def test_search_needs_all_words_and_puts_titles_first() -> None:
    found = [each.id for each in rules.search("Last BUYER")]
    assert found.index("CV-17") < found.index("C-4.3.2")
    assert not rules.search("last buyer zeppelin")
    assert not rules.search("  ")


def test_search_finds_a_rule_by_its_own_words_only() -> None:
    assert "C-2.1" not in [each.id for each in rules.search("every prefix hanging together")]


def test_the_texts_of_the_wheel_are_found_beside_the_reader(tmp_path: Path) -> None:
    packaged = tmp_path / "rules"
    packaged.mkdir()
    (packaged / "little.md").write_text("# Little\n\n## L-1 All\n\n**L-1.1** Play.\n")
    found = runpy.run_path(shutil.copy(texts.__file__, str(tmp_path)))
    assert found["RULE_TEXTS"] == packaged


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_rule_is_proved_or_needs_no_proof(rulebook: str) -> None:
    assert not rules_coverage.faults(rulebook, rules_coverage.named_in_source())


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    assert not rules_coverage.unknown_ids(rules_coverage.named_in_source())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_needs_no_proof_is_a_rule_and_has_a_reason(rulebook: str) -> None:
    exempt = rules_coverage.needing_no_proof(rulebook)
    assert set(exempt) <= set(rules.ids(rulebook))
    assert all(exempt.values())


def test_coverage_reports_what_is_missing_and_what_is_unknown() -> None:
    everything = {name for rulebook in RULEBOOKS for name in rules.ids(rulebook)}
    everything -= set(rules_coverage.needing_no_proof("classic"))
    assert not rules_coverage.faults("classic", everything)
    assert rules_coverage.faults("classic", everything - {"CV-01"}) == [
        "CV-01 has no test: Start prices"
    ]
    assert rules_coverage.faults("classic", everything | {"C-0.1"}) == [
        "C-0.1 has a test and is listed as unproved"
    ]
    assert rules_coverage.unknown_ids({"C-4.5", "C-4.5.1"}) == [
        "a test names C-4.5, which is no rule"
    ]


def _without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
