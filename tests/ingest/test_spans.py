"""Where names begin and end."""

import pytest

from hlg.ingest.extract.local.document import Reader
from hlg.records import Document
from hlg.words.organization_names import ORGANIZATION_NAMES
from hlg.words.place_names import PLACE_NAMES
from hlg.words.work_names import NUMBERED_WORKS, WORK_NAMES


def names_in(text: str) -> set[str]:
    reader = Reader(Document("d", "", text))
    for _ in reader.read():
        pass
    return {form for each in reader.names.named() for form in each.forms}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bring Zoya and the kids to the lake.", "Zoya"),
        ("Tell Sanne good luck from me.", "Sanne"),
        ("Hug Bilal for us, and pray for him.", "Bilal"),
        ("Book Munich early, the hotels are mad.", "Munich"),
        ("Morning Anjali! Did you sleep well?", "Anjali"),
        ("Poor Begum has been promised three films already.", "Begum"),
        ("Newer iPhones didn't use the chipset.", "iPhones"),
        ("Happy New Year, Andy! How are you?", "New Year"),
    ],
)
def test_an_order_a_greeting_or_a_judgment_is_no_part_of_a_name(text: str, name: str) -> None:
    found = names_in(text)
    assert name in found
    assert not any(each.endswith(f" {name}") for each in found)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I saw a band from Pune called Copper Monsoon.", {"Pune", "Copper Monsoon"}),
        ("We drove the coast from George to Storms River.", {"George", "Storms River"}),
        ("I'm training for the Tulip Half with Sanne.", {"Tulip Half", "Sanne"}),
        ("They bought it at Best Buy and Walmart.", {"Best Buy", "Walmart"}),
        ("They reported on the Israel-Hamas war.", {"Israel", "Hamas"}),
        (
            "I have always loved strategy games like Civilization and Total War.",
            {"Civilization", "Total War"},
        ),
    ],
)
def test_words_between_two_names_part_them(text: str, names: set[str]) -> None:
    found = names_in(text)
    assert not any(all(name in each for name in names) for each in found)
    assert names & found


def test_abbreviations_that_a_colon_joins_are_one_name() -> None:
    found = names_in("We put together a tournament for our favorite game, CS:GO.")
    assert "CS:GO" in found
    assert "CS" not in found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I'm on the couch with Baldur's Gate and a bag of chips.", "Baldur's Gate"),
        ("There's a playground behind Cutler's Field.", "Cutler's Field"),
        ("Read page 94 of the Player's Handbook, and bring your sheets.", "Player's Handbook"),
        ("I watched it with Soo-ah on Friday.", "Soo-ah"),
        ("The surgeon, Dr. Pemberton-Hale, says six weeks.", "Pemberton-Hale"),
        ("They asked me about Usain Bolt for thirty minutes.", "Usain Bolt"),
        ("There's one by a band named Sunday Furniture and I can't find it.", "Sunday Furniture"),
        ("Don't start the Great Tiger War.", "Great Tiger War"),
        ("It's called Eight Minutes of Rain.", "Eight Minutes of Rain"),
        ("They read The Thursday Murder Club last month.", "Thursday Murder Club"),
        ("The action game Hi-Fi Rush was nominated.", "Hi-Fi Rush"),
    ],
)
def test_a_name_stays_whole(text: str, name: str) -> None:
    assert name in names_in(text)


def test_what_a_firm_or_a_country_has_is_another_name() -> None:
    found = names_in("Google's Assistant and France's Senate were in the news.")
    assert not any("'s" in name for name in found)


def test_the_president_of_a_board_is_no_name() -> None:
    found = names_in("The honourable President of the Treasury Board has the floor.")
    assert not any(name.startswith(("President", "of ")) for name in found)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Either way, the Fire HD 8 is the cheapest tablet for most.", "Fire HD 8"),
        ("The Google Pixel 7a is down to a new low.", "Google Pixel 7a"),
        ("The iPhone 15 Pro is on sale this week.", "iPhone 15 Pro"),
        ("The Ultra runs on a Snapdragon 8 Gen 2 chip.", "Snapdragon 8 Gen 2"),
        ("I play Overwatch 2 with my brother.", "Overwatch 2"),
        ("Levels of TGF-beta were high in all patients.", "TGF-beta"),
        ("The cells lack expression of c-Myc in culture.", "c-Myc"),
        ("True positive reactions to SRV-I were found.", "SRV-I"),
        ("I've always liked Under Armour, working with them would be cool.", "Under Armour"),
        ("I am a huge fan of Lord of the Rings!", "Lord of the Rings"),
        ("St Kilda could now miss the top eight.", "St Kilda"),
        ("Super Bowl 50 was played in Santa Clara.", "Super Bowl 50"),
    ],
)
def test_what_belongs_to_a_name_stays_with_it(text: str, name: str) -> None:
    assert name in names_in(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("In the first quarter: Ole Miss 7, Georgia 14", "Ole Miss"),
        ("Microsoft bought 5 firms, and Toyota 200.", "Toyota"),
        ("They moved to Paris 5 years ago.", "Paris"),
        ("In June 2019 Anna 3 times left the room.", "Anna"),
        ("Nobody lives under Ben Nevis any more.", "Ben Nevis"),
    ],
)
def test_scores_dates_and_prepositions_are_no_part_of_a_name(text: str, name: str) -> None:
    assert name in names_in(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I finished The Last of Us last week.", "Last of Us"),
        ("I finally beat Baldur's Gate 3 yesterday.", "Baldur's Gate 3"),
        ("We stayed up for FIFA 23 with my brother.", "FIFA 23"),
        ("We finished The Last of Us Part II last night.", "Last of Us Part II"),
        ("Nobody told me that Portal 2 has a coop mode.", "Portal 2"),
        ("My niece reads The Very Hungry Caterpillar every night.", "Very Hungry Caterpillar"),
    ],
)
def test_a_work_that_many_know_is_whole(text: str, name: str) -> None:
    assert name in names_in(text)


@pytest.mark.parametrize(
    ("text", "no_name"),
    [
        ("He is among us, and she was in the hobbit hole.", "among us"),
        ("I played Counter-Strike 2 times this week.", "Counter-Strike 2"),
        ("He called FIFA 23 times about the tickets.", "FIFA 23"),
    ],
)
def test_small_words_and_counts_make_no_work(text: str, no_name: str) -> None:
    assert no_name not in names_in(text)


def test_listed_names_have_single_spaces() -> None:
    for name in PLACE_NAMES | ORGANIZATION_NAMES | WORK_NAMES | NUMBERED_WORKS:
        assert name == " ".join(name.split()).lower()
    assert {"hong kong", "new south wales"} <= PLACE_NAMES
