"""Countries, states and large cities: names that are places in whatever document."""

from hlg.ingest.words.listed import listed

__all__ = ["PLACE_NAMES"]

PLACE_NAMES = listed(
    """
    aarhus, abidjan, abu dhabi, abuja, accra, adana, addis ababa, adelaide, aden, afghanistan,
    africa, agra, alabama, alaska, albania, alberta, albuquerque, aleppo, alexandria, algeria,
    algiers, almaty, amman, amsterdam, anaheim, angola, ankara, annaba, antakya, antalya,
    antananarivo, antarctica, antofagasta, antwerp, arequipa, argentina, arizona, arkansas,
    arlington, armenia, asahikawa, asia, asmara, astana, astrakhan, athens, atlanta, auckland,
    australia, austria, azerbaijan, baghdad, bahamas, bahrain, bakersfield, baku, balkans,
    baltimore, bamako, bandung, bangalore, bangkok, bangladesh, bangui, barbados, barcelona,
    barranquilla, basel, beijing, beirut, belarus, belfast, belgium, belgrade, belize,
    bengaluru, benghazi, benin, bergen, berlin, bern, beverly hills, bhutan, bilbao, birmingham,
    bishkek, bissau, blantyre, blida, bloemfontein, bolivia, bologna, bonn, bordeaux, bosnia and
    herzegovina, boston, botswana, bradford, bratislava, brazil, brazzaville, bremen, brest,
    brighton, brisbane, bristol, britain, british columbia, brno, brooklyn, brunei, brussels,
    bucharest, budapest, buenos aires, bujumbura, bulawayo, bulgaria, burkina faso, bursa,
    burundi, busan, bydgoszcz, cairo, calgary, cali, california, caloocan, cambodia, cameroon,
    canada, canberra, cape town, cape verde, caracas, cardiff, caribbean, cartagena, casablanca,
    cebu, chelyabinsk, chengdu, chennai, cherepovets, chicago, chihuahua, chile, china,
    chisinau, chongqing, christchurch, cincinnati, cologne, colombia, colombo, colorado,
    conakry, connecticut, copenhagen, costa rica, cotonou, coventry, crimea, croatia, cuba,
    curitiba, cusco, cyprus, czech republic, dakar, dalian, dallas, damascus, dar es salaam,
    delaware, delhi, denmark, denver, detroit, dhaka, djibouti, dodoma, doha, dominican
    republic, donetsk, dortmund, douala, dresden, dubai, dublin, durban, dushanbe, düsseldorf,
    eastern europe, ecuador, edinburgh, edmonton, egypt, el salvador, england, eritrea, espoo,
    estonia, ethiopia, europe, faisalabad, fiji, finland, florida, fort worth, france,
    frankfurt, freetown, fresno, fukuoka, gabon, gambia, gaza, gaza strip, gdansk, geneva,
    genoa, germany, ghana, giza, glasgow, gothenburg, graz, great britain, greece, greenland,
    guadalajara, guangzhou, guatemala, guatemala city, guayaquil, guinea, guyana, haiphong,
    haiti, halifax, hamburg, hangzhou, hannover, hanoi, harare, havana, hawaii, helsinki,
    hermosillo, hiroshima, ho chi minh city, hobart, hohhot, hollywood, honduras, hong kong,
    honolulu, houston, huambo, hungary, hyderabad, ibadan, iceland, idaho, illinois, incheon,
    india, indiana, indianapolis, indonesia, iowa, iran, iraq, ireland, isfahan, islamabad,
    israel, istanbul, italy, ivory coast, jabalpur, jacksonville, jakarta, jamaica, japan,
    jeddah, jersey city, jerusalem, jodhpur, johannesburg, kabul, kaluga, kampala, kananga,
    kansas, kansas city, karachi, karbala, kathmandu, katsina, kazakhstan, kazan, kentucky,
    kenya, khabarovsk, kharkiv, kharkov, khartoum, kiev, kigali, kingston, kinshasa, kirkuk,
    kisumu, kitakyushu, kolkata, kosovo, krakow, kraków, kuala lumpur, kumasi, kursk, kuwait,
    kuwait city, kyiv, kyoto, kyrgyzstan, lagos, lahore, lanzhou, laos, las vegas, latakia,
    latin america, latvia, lausanne, lebanon, leeds, leicester, leipzig, lesotho, lexington,
    lhasa, liberia, libreville, libya, liechtenstein, lille, lilongwe, lisbon, lithuania,
    liverpool, lobito, london, los angeles, louisiana, louisville, luanda, lublin, lubumbashi,
    lucknow, luoyang, lusaka, luxembourg, luxor, lyon, macao, macau, madagascar, madrid,
    maiduguri, maine, malacca, malaga, malawi, malaysia, maldives, mali, malmö, malta, managua,
    manchester, manhattan, manila, manitoba, mannheim, maputo, maracaibo, maracay, marrakesh,
    marseille, marseilles, maryland, maseru, mashhad, massachusetts, mauritania, mauritius,
    mawlamyine, mbeya, melbourne, memphis, mexicali, mexico, mexico city, miami, michigan,
    middle east, milan, milwaukee, minneapolis, minnesota, minsk, mississippi, missouri,
    mogadishu, moldova, mombasa, monaco, mongolia, monrovia, montana, montenegro, monterrey,
    montevideo, montreal, montréal, morocco, moscow, mosul, mozambique, mukalla, mumbai, munich,
    muscat, mwanza, myanmar, n'djamena, nagano, nagasaki, nagoya, nairobi, nakuru, namibia,
    nanchang, nanjing, nanning, nantes, naples, nashville, nebraska, nepal, netherlands, nevada,
    new brunswick, new delhi, new hampshire, new jersey, new mexico, new orleans, new south
    wales, new york, new york city, new zealand, newark, newcastle, newfoundland, niamey,
    nicaragua, niger, nigeria, north america, north carolina, north dakota, north korea, north
    macedonia, northern ireland, norway, nottingham, nouakchott, nova scotia, novosibirsk,
    nuremberg, nyala, oakland, odesa, odessa, ohio, oklahoma, oklahoma city, omaha, oman,
    omdurman, omsk, ontario, oregon, osaka, osasco, oslo, ottawa, oujda, pakistan, palermo,
    palestine, palo alto, panama, panama city, papua new guinea, paraguay, paris, pasto,
    pennsylvania, perth, peru, peshawar, philadelphia, philippines, phnom penh, pittsburgh,
    plovdiv, poland, port-au-prince, portland, portsmouth, portugal, poznan, prague, pretoria,
    puebla, puerto rico, pyongyang, qatar, quebec, quebec city, queensland, quito, rabat,
    raleigh, rangpur, rasht, rawalpindi, recife, reykjavik, rhode island, riga, rio de janeiro,
    riyadh, romania, rome, rosario, rotterdam, russia, rwanda, sacramento, salt lake city,
    samarkand, samoa, san antonio, san diego, san francisco, san jose, sanaa, sao paulo,
    sapporo, sarajevo, saratov, saskatchewan, saudi arabia, scandinavia, scotland, seattle,
    semarang, senegal, seoul, serbia, sevastopol, sevilla, seville, shanghai, sheffield,
    shenyang, shenzhen, shiraz, siberia, sierra leone, silicon valley, singapore, skopje,
    slovakia, slovenia, smolensk, sofia, somalia, south africa, south america, south australia,
    south carolina, south dakota, south korea, south sudan, southampton, southeast asia, soviet
    union, soweto, spain, sri lanka, st. louis, st. petersburg, stockholm, strasbourg,
    stuttgart, sudan, suez, suriname, surrey, suva, swansea, swaziland, sweden, switzerland,
    sydney, syria, são paulo, tabora, tabriz, tabuk, taichung, taipei, taiwan, taiyuan,
    tajikistan, tallinn, tampa, tampere, tampico, tangshan, tanzania, tashkent, tasmania,
    tbilisi, tegucigalpa, tehran, tel aviv, tennessee, tepic, texas, thailand, the hague,
    thessaloniki, thimphu, tianjin, tibet, tijuana, tirana, tobago, togo, tokyo, tonga, toronto,
    toulouse, toyohashi, trinidad, tripoli, trondheim, tucson, tulsa, tunis, tunisia, turin,
    turkey, turkmenistan, turku, u.k., u.s., u.s.a., uganda, uk, ukraine, ulaanbaatar, united
    arab emirates, united kingdom, united states, united states of america, uruguay, us, usa,
    utah, utrecht, uzbekistan, valencia, vancouver, venezuela, venice, veracruz, vermont,
    vienna, vientiane, vietnam, villahermosa, vilnius, vladivostok, volgograd, wales, wall
    street, warsaw, washington, west bank, west virginia, western australia, western europe,
    wichita, windhoek, winnipeg, wisconsin, wroclaw, wuhan, wyoming, xi'an, yangon, yemen,
    yerevan, yokohama, yugoslavia, zagreb, zambia, zanzibar, zaragoza, zarqa, zimbabwe, zurich,
    zürich
    """
)
