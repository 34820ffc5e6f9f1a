"""English words that extraction knows: which class of thing a noun names, and what points where.

Classes are few and coarse, because an entity is its name and its class: two documents
meet in an entity only where both see the same class in it.
"""

PERSON, ORGANIZATION, PLACE, WORK = "Person", "Organization", "Place", "Work"
EVENT, PRODUCT, GROUP, CONCEPT, THING = "Event", "Product", "Group", "Concept", "Thing"
ANIMAL = "Animal"

ENTITY_LABELS = {
    "PERSON": PERSON,
    "ORG": ORGANIZATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "NORP": GROUP,
    "LANGUAGE": THING,
    "PRODUCT": PRODUCT,
    "EVENT": EVENT,
    "WORK_OF_ART": WORK,
    "LAW": WORK,
}
"""Labels of spaCy's named entities by class."""

VALUE_LABELS = frozenset(
    ("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL", "VALUE")
)
"""Labels whose spans are values, never entities."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NOUNS = {
    PERSON: """
        academic activist actor actress administrator admiral adviser advocate ambassador analyst
        anchor animator anthropologist archaeologist archbishop architect artist astronaut
        astronomer athlete attorney author banker baron baroness bassist billionaire biographer
        biologist bishop blogger boxer boy broadcaster businessman businesswoman candidate captain
        cardinal cartoonist ceo chairman chairwoman champion chancellor chef chemist child
        choreographer cinematographer clergyman coach colonel columnist comedian commander
        commissioner composer conductor congressman congresswoman correspondent cricketer critic
        cyclist dancer daughter defendant democrat designer detective diplomat director dj doctor
        dramatist driver drummer duchess duke economist editor emperor empress engineer entertainer
        entrepreneur equestrian executive explorer farmer father filmmaker footballer founder
        forward general geographer girl goalkeeper golfer governor grandmaster grandson guitarist
        heir hero heroine historian host humorist husband illustrator inventor investor journalist
        judge jurist justice keyboardist king lawmaker lawyer lead leader lecturer lieutenant
        linebacker linguist lyricist major man manager mathematician mayor merchant midfielder
        minister missionary model monarch monk mother musician naturalist navigator nephew novelist
        nun nurse officer official owner painter pastor patriarch patron performer person
        philanthropist philosopher photographer physician physicist pianist pilot pioneer pitcher
        player playwright poet politician pope president presenter priest prince princess principal
        prisoner producer professor programmer protagonist psychiatrist psychologist publisher
        quarterback queen racer rapper receiver recipient referee reporter representative
        republican researcher reverend ruler runner sailor saint scholar scientist screenwriter
        sculptor secretary senator sergeant sheriff singer singer-songwriter sister skater soldier
        soloist son songwriter sociologist soprano spokesman spokesperson spokeswoman sportsman
        statesman striker student surgeon swimmer teacher tenor theologian theorist translator
        treasurer tsar tutor vicar victim violinist vocalist warrior widow wife winner woman
        wrestler writer""",
    ORGANIZATION: """
        academy administration agency airline alliance army association bank board brand brewery
        broadcaster bureau business carmaker chain charity church clan club college commission
        committee company conglomerate consortium consultancy cooperative corporation council
        court department division employer enterprise faculty federation firm force foundation
        franchise government group hospital institute institution insurer joint-venture label
        laboratory league legislature manufacturer ministry monastery movement museum navy network
        newspaper ngo operator orchestra order organisation organization parliament partnership
        party police publisher regiment regulator restaurant retailer school seminary senate
        society squad startup studio subsidiary team theatre theater think-tank tribunal union
        university unit vendor venture watchdog
        band boyband choir duo ensemble girl-group quartet quintet trio""",
    PLACE: """
        airport archipelago area arena barony basin bay beach borough bridge building campus canal
        canton cape capital castle cathedral cemetery city coast colony commune community
        constituency continent country county creek crossing dam desert district dome empire
        estate fort forest fortress gulf hamlet harbor harbour headland highway hill hotel house
        island islands isle junction kingdom lake land landmark locality lowland mansion mill mine
        mosque motorway mountain mountains municipality nation neighborhood neighbourhood ocean
        palace parish park peak peninsula plateau platform port prefecture prison property province
        railway range region republic reservoir resort ridge river road route ruin ruins sea
        settlement shire site skyscraper square stadium state station strait street suburb summit
        temple territory tower town township tributary tunnel valley venue viaduct village volcano
        ward waterfall waterway wetland woreda""",
    WORK: """
        adaptation album anime anthem anthology article autobiography ballad ballet biography blog
        book broadcast cartoon comedy comic compilation composition constitution documentary drama
        ep epic episode essay feature fiction film franchise hymn journal law legislation magazine
        manga memoir miniseries movie musical mixtape novel novella opera painting periodical
        photograph play podcast poem poetry program programme publication record remake report
        saga screenplay sculpture sequel serial series show single sitcom song soundtrack statue
        statute story symphony telenovela thriller track treaty trilogy webcomic western""",
    EVENT: """
        attack battle bombing campaign ceremony championship championships competition conference
        conflict contest coup crisis cup derby disaster earthquake election elections exhibition
        expedition explosion fair festival final fire flood game games hurricane invasion massacre
        match meeting olympics operation outbreak pandemic playoffs protest race rebellion
        referendum revolt revolution riot season siege storm strike summit symposium tour
        tournament tragedy trial uprising war wedding""",
    PRODUCT: """
        aircraft airliner app application automobile bomber browser camera car chatbot chip console
        device drone drug engine gadget game-console handheld headset laptop locomotive machine
        medication missile model motorcycle phone plane platform processor product rifle robot
        rocket sedan ship smartphone smartwatch software speaker spacecraft submarine suv tablet
        tank technology toy truck vehicle videogame warship watch website weapon""",
    GROUP: """
        clan community dynasty ethnicity family nationality people peoples sect tribe""",
}
_AMBIGUOUS = _words(
    """
    broadcaster business chain clan community final forward franchise game general lead
    major model order platform publisher record report station track unit single state area
    property
    """
)

NOUN_CLASSES: dict[str, str] = {
    noun: class_
    for class_, nouns in _NOUNS.items()
    for noun in nouns.split()
    if noun not in _AMBIGUOUS
}
NOUN_CLASSES |= {
    f"{prefix}-{noun}": class_
    for noun, class_ in NOUN_CLASSES.items()
    if class_ == PERSON
    for prefix in ("co", "ex", "vice")
}
"""Class of what a common noun names, for nouns that leave little doubt."""

_NAME_WORDS = {
    ORGANIZATION: """
        academy agency airlines airways association authority bakery bank brewery broadcasting
        bureau church clinic club co college commission communications committee company conference
        congress consortium corp corporation council department distillery division exchange f.c.
        fc federation forces foundation foundry gallery gmbh group guild holdings initiative
        hospital inc inc. industries institute institution laboratories laboratory league legion
        library limited ltd ltd. llc media ministry motors museum navy network networks news office
        orchestra organisation organization parliament partners party partnership pictures plc
        police press publishing records regiment school seminary senate shipyard society studio
        studios systems team technologies trust u.n. union universities university ventures yard""",
    PLACE: """
        airport arena avenue bay beach borough bridge building canal castle cathedral cemetery
        city county creek dam desert district forest fort glacier gulf harbor harbour heights hill
        hills hotel island islands isles junction lake mosque mount mountain mountains ocean palace
        parish park peninsula plateau province railway reservoir river road sea square stadium
        station strait street terminal theater theatre tower township tunnel valley village""",
    EVENT: """
        battle championship championships cup festival grand-prix massacre olympics open revolution
        siege war wars tournament""",
    WORK: """
        act agreement constitution gazette herald journal magazine report statement treaty""",
}
NAME_WORDS: dict[str, str] = {
    word: class_ for class_, words in _NAME_WORDS.items() for word in words.split()
}
"""Class that a name's last word (or first, "Mount", "Battle", "University") gives it."""

LEADING_NAME_WORDS = _words(
    """
    academy bank battle bishop bureau church college commission constitution council
    department federation fort gulf institute lake ministry mount museum order parliament
    republic river school sea siege society treaty university
    """
)

HONORIFICS = _words(
    """
    mr mr. mrs mrs. ms ms. miss dr dr. prof prof. sir dame lord lady madam rev rev. fr fr.
    st st. capt capt. col col. gen gen. lt lt. maj maj. sgt sgt. sen sen. rep rep. gov gov.
    president king queen prince princess pope emperor senator governor congressman
    congresswoman judge justice professor captain colonel general rabbi hazrat
    """
)
RANKS = HONORIFICS - {"st", "st."}
"""Honorifics that are no part of a name, as "St Kilda" has one."""
POSTS = frozenset(
    ("CEO", "CFO", "CIO", "COO", "CPO", "CTO", "EVP", "GM", "MEP", "MP", "PM", "SVP", "VP")
)
"""Posts that stand before a name in capitals, and are no part of it."""
JOINING_WORDS = frozenset(("of", "&", "and", "or"))
"""Before one of these a rank is no rank: "General and administrative"."""
MALE_WORDS = _words(
    """
    mr mr. sir lord king prince emperor pope father son brother husband actor businessman
    congressman man boy spokesman chairman
    """
)
FEMALE_WORDS = _words(
    """
    mrs mrs. ms ms. miss dame lady madam queen princess empress mother daughter sister wife
    widow actress businesswoman congresswoman woman girl spokeswoman chairwoman
    """
)
ANIMALS = _words(
    """
    alpaca beagle bulldog bunny calf canary cat chihuahua chinchilla cockatiel cockatoo collie
    cow dachshund dog doggo donkey duck ferret foal gecko goat goldfish goose greyhound hamster
    hedgehog hen hound husky iguana kitten kitty labradoodle labrador lamb lizard llama mare mule
    parakeet parrot pig pony poodle pup puppy rabbit rooster salamander schnauzer
    sheep sheepdog snake spaniel stallion tabby terrier tomcat tortoise turtle whippet
    """
)
"""What pets and farm animals are called."""
BREEDS = _words(
    """
    beagle chihuahua collie dachshund greyhound labradoodle labrador mastiff poodle retriever
    schnauzer sheepdog shepherd spaniel terrier whippet
    """
)
"""What a breed's name ends with: "German Shepherd"."""
VESSELS = _words(
    """
    barge barque battleship boat brig brigantine carrier catamaran clipper corvette cruiser cutter
    destroyer dreadnought ferry flagship freighter frigate galleon icebreaker ironclad ketch
    lifeboat liner minesweeper sailboat schooner ship sloop smack steamboat steamer steamship
    submarine tanker trawler tug tugboat u-boat vessel warship whaler yacht
    """
)
"""What "she" may mean too."""

MONTHS = _words(
    """
    january february march april may june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec
    """
)
CALENDAR = MONTHS | _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri
    sat sun spring summer autumn fall winter today tomorrow yesterday
    """
)

SPEECH_VERBS = _words(
    """
    said says say saying told tells explained explains added adds wrote writes noted notes stated
    states commented comments argued argues claimed claims announced replied asked warned
    continued recalled insisted admitted tweeted posted remarked
    """
)
QUOTATION_MARKS = frozenset(('"', "“", "”", "``", "''", "«", "»"))

HE, SHE, IT, THEY = "he", "she", "it", "they"
PRONOUNS: dict[str, str] = {
    "he": HE,
    "him": HE,
    "his": HE,
    "himself": HE,
    "she": SHE,
    "her": SHE,
    "hers": SHE,
    "herself": SHE,
    "it": IT,
    "its": IT,
    "itself": IT,
    "they": THEY,
    "them": THEY,
    "their": THEY,
    "theirs": THEY,
    "themselves": THEY,
}
"""Third-person pronouns by what they agree with."""

CORPORATE_ENDINGS = _words(
    """
    inc inc. corp corp. corporation co co. company ltd ltd. limited llc plc gmbh ag sa nv
    group holdings
    """
)

VAGUE_NOUNS = _words(
    """
    afternoon aspect bit case complaint couple day days deal end evening example fact few group half
    idea issue item kind lot lots majority matter moment month morning night number ones option part
    parts piece place plenty point problem question rest result series side sort step stuff terms
    thing things time times type variety way ways week weekend word words year years
    """
)
"""Nouns that name nothing by themselves."""

STOP_WORDS = _words(
    """
    a about above after again against all almost also although always am among an and
    another any anyone anything are aren't as at away back be became because become been
    before being below between both but by came can can't could did didn't do does doesn't
    doing don't down during each either else enough even ever every everyone everything few
    first for found from further get gets getting give go goes going good got had has have
    having he her here hers herself him himself his how however i i'm if in into is isn't it
    it's its itself just know last least less let like made make makes making many may maybe
    me might more most much must my myself need never new no nor not nothing now of off
    often on once one only or other others our ours out over own part perhaps put quite
    rather really right said same say says second see seem seems seen several shall she
    should since so some someone something still such take than that that's the their theirs
    them themselves then there there's these they thing things think this those though three
    through time to together too took toward two under until up upon us use used using very
    want was wasn't way we well went were weren't what when where whether which while who
    whole whom whose why will with within without won't would year years yes yet you your
    yours yourself
    """
)
"""Words that say nothing about a text's subject."""
