"""Countries, continents and states: names that are places in whatever document."""

__all__ = ["PLACE_NAMES"]

PLACE_NAMES = frozenset(
    name.strip()
    for name in """
    afghanistan, africa, alabama, alaska, albania, alberta, algeria, angola, antarctica, argentina,
    arizona, arkansas, armenia, asia, australia, austria, azerbaijan, bahamas, bahrain, bangladesh,
    barbados, belarus, belgium, belize, benin, berlin, bhutan, bolivia, bosnia and herzegovina,
    botswana, brazil, british columbia, brunei, bulgaria, burkina faso, burundi, california,
    cambodia, cameroon, canada, cape verde, chile, china, colombia, colorado, connecticut,
    costa rica, croatia, cuba, cyprus, czech republic, delaware, denmark, djibouti,
    dominican republic, ecuador, egypt, el salvador, england, eritrea, estonia, ethiopia, europe,
    fiji, finland, florida, france, gabon, gambia, germany, ghana, greece, greenland, guatemala,
    guinea, guyana, haiti, hawaii, honduras, hong kong, hungary, iceland, idaho, illinois, india,
    indiana, indonesia, iowa, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan,
    kansas, kazakhstan, kentucky, kenya, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon,
    lesotho, liberia, libya, liechtenstein, lithuania, london, louisiana, luxembourg, madagascar,
    maine, malawi, malaysia, maldives, mali, malta, manitoba, maryland, massachusetts, mauritania,
    mauritius, mexico, michigan, minnesota, mississippi, missouri, moldova, monaco, mongolia,
    montana, montenegro, morocco, moscow, mozambique, myanmar, namibia, nebraska, nepal,
    netherlands, nevada, new brunswick, new hampshire, new jersey, new mexico, new south wales,
    new york, new york city, new zealand, newfoundland, nicaragua, niger, nigeria, north america,
    north carolina, north dakota, north korea, north macedonia, northern ireland, norway,
    nova scotia, ohio, oklahoma, oman, ontario, oregon, pakistan, palestine, panama,
    papua new guinea, paraguay, paris, pennsylvania, peru, philippines, poland, portugal,
    puerto rico, qatar, quebec, queensland, rhode island, romania, rome, russia, rwanda, samoa,
    saskatchewan, saudi arabia, scotland, senegal, serbia, sierra leone, singapore, slovakia,
    slovenia, somalia, south africa, south america, south australia, south carolina, south dakota,
    south korea, south sudan, soviet union, spain, sri lanka, sudan, suriname, swaziland, sweden,
    switzerland, syria, taiwan, tajikistan, tanzania, tasmania, tennessee, texas, thailand, tibet,
    tobago, togo, tokyo, tonga, trinidad, tunisia, turkey, turkmenistan, u.k., u.s., u.s.a.,
    uganda, uk, ukraine, united arab emirates, united kingdom, united states,
    united states of america, uruguay, us, usa, utah, uzbekistan, venezuela, vermont, vietnam,
    wales, washington, west virginia, western australia, wisconsin, wyoming,
    yemen, yugoslavia, zambia, zimbabwe
    """.replace("\n", " ").split(",")
)
