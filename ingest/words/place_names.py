"""Countries, states and large cities: names that are places in whatever document."""

__all__ = ["PLACE_NAMES"]

PLACE_NAMES = frozenset(
    name.strip()
    for name in """
    afghanistan, africa, alabama, alaska, albania, alberta, algeria, angola, antarctica, argentina,
    arizona, arkansas, armenia, asia, australia, austria, azerbaijan, bahamas, bahrain, bangladesh,
    barbados, belarus, belgium, belize, benin, berlin, bhutan, bolivia, bosnia and herzegovina,
    botswana, brazil, britain, british columbia, brunei, bulgaria, burkina faso, burundi,
    california, cambodia, cameroon, canada, cape verde, chile, china, colombia, colorado,
    connecticut, costa rica, croatia, cuba, cyprus, czech republic, delaware, denmark, djibouti,
    dominican republic, ecuador, egypt, el salvador, england, eritrea, estonia, ethiopia, europe,
    fiji, finland, florida, france, gabon, gambia, germany, ghana, great britain, greece,
    greenland, guatemala, guinea, guyana, haiti, hawaii, honduras, hong kong, hungary, iceland,
    idaho, illinois, india, indiana, indonesia, iowa, iran, iraq, ireland, israel, italy, ivory
    coast, jamaica, japan, kansas, kazakhstan, kentucky, kenya, kosovo, kuwait, kyrgyzstan, laos,
    latvia, lebanon, lesotho, liberia, libya, liechtenstein, lithuania, london, louisiana,
    luxembourg, madagascar, maine, malawi, malaysia, maldives, mali, malta, manitoba, maryland,
    massachusetts, mauritania, mauritius, mexico, michigan, minnesota, mississippi, missouri,
    moldova, monaco, mongolia, montana, montenegro, morocco, moscow, mozambique, myanmar, namibia,
    nebraska, nepal, netherlands, nevada, new brunswick, new hampshire, new jersey, new mexico, new
    south wales, new york, new york city, new zealand, newfoundland, nicaragua, niger, nigeria,
    north america, north carolina, north dakota, north korea, north macedonia, northern ireland,
    norway, nova scotia, ohio, oklahoma, oman, ontario, oregon, pakistan, palestine, panama, papua
    new guinea, paraguay, paris, pennsylvania, peru, philippines, poland, portugal, puerto rico,
    qatar, quebec, queensland, rhode island, romania, rome, russia, rwanda, samoa, saskatchewan,
    saudi arabia, scotland, senegal, serbia, sierra leone, singapore, slovakia, slovenia, somalia,
    south africa, south america, south australia, south carolina, south dakota, south korea, south
    sudan, soviet union, spain, sri lanka, sudan, suriname, swaziland, sweden, switzerland, syria,
    taiwan, tajikistan, tanzania, tasmania, tennessee, texas, thailand, tibet, tobago, togo, tokyo,
    tonga, trinidad, tunisia, turkey, turkmenistan, u.k., u.s., u.s.a., uganda, uk, ukraine, united
    arab emirates, united kingdom, united states, united states of america, uruguay, us, usa, utah,
    uzbekistan, venezuela, vermont, vietnam, wales, washington, west virginia, western australia,
    wisconsin, wyoming, yemen, yugoslavia, zambia, zimbabwe, aarhus, abidjan, abu dhabi, abuja,
    accra, adana, addis ababa, adelaide, aden, agra, albuquerque, aleppo, alexandria, algiers,
    almaty, amman, amsterdam, anaheim, ankara, annaba, antakya, antalya, antananarivo, antofagasta,
    antwerp, arequipa, arlington, asahikawa, asmara, astana, astrakhan, athens, atlanta, auckland,
    baghdad, bakersfield, baku, balkans, baltimore, bamako, bandung, bangalore, bangkok, bangui,
    barcelona, barranquilla, basel, beijing, beirut, belfast, belgrade, bengaluru, benghazi,
    bergen, bern, beverly hills, bilbao, birmingham, bishkek, bissau, blantyre, blida,
    bloemfontein, bologna, bonn, bordeaux, boston, bradford, bratislava, brazzaville, bremen,
    brest, brighton, brisbane, bristol, brno, brooklyn, brussels, bucharest, budapest, buenos
    aires, bujumbura, bulawayo, bursa, busan, bydgoszcz, cairo, calgary, cali, caloocan, canberra,
    cape town, caracas, cardiff, caribbean, cartagena, casablanca, cebu, chelyabinsk, chengdu,
    chennai, cherepovets, chicago, chihuahua, chisinau, chongqing, christchurch, cincinnati,
    cologne, colombo, conakry, copenhagen, cotonou, coventry, crimea, curitiba, cusco, dakar,
    dalian, dallas, damascus, dar es salaam, delhi, denver, detroit, dhaka, dodoma, doha, donetsk,
    dortmund, douala, dresden, dubai, dublin, durban, dushanbe, düsseldorf, eastern europe,
    edinburgh, edmonton, espoo, faisalabad, fort worth, frankfurt, freetown, fresno, fukuoka, gaza,
    gaza strip, gdansk, geneva, genoa, giza, glasgow, gothenburg, graz, guadalajara, guangzhou,
    guatemala city, guayaquil, haiphong, halifax, hamburg, hangzhou, hannover, hanoi, harare,
    havana, helsinki, hermosillo, hiroshima, ho chi minh city, hobart, hohhot, hollywood, hong
    kong, honolulu, houston, huambo, hyderabad, ibadan, incheon, indianapolis, isfahan, islamabad,
    istanbul, jabalpur, jacksonville, jakarta, jeddah, jersey city, jerusalem, jodhpur,
    johannesburg, kabul, kaluga, kampala, kananga, kansas city, karachi, karbala, kathmandu,
    katsina, kazan, khabarovsk, kharkiv, kharkov, khartoum, kiev, kigali, kingston, kinshasa,
    kirkuk, kisumu, kitakyushu, kolkata, krakow, kraków, kuala lumpur, kumasi, kursk, kuwait city,
    kyiv, kyoto, lagos, lahore, lanzhou, las vegas, latakia, latin america, lausanne, leeds,
    leicester, leipzig, lexington, lhasa, libreville, lille, lilongwe, lisbon, liverpool, lobito,
    los angeles, louisville, luanda, lublin, lubumbashi, lucknow, luoyang, lusaka, luxor, lyon,
    macao, macau, madrid, maiduguri, malacca, malaga, malmö, managua, manchester, manhattan,
    manila, mannheim, maputo, maracaibo, maracay, marrakesh, marseille, marseilles, maseru,
    mashhad, mawlamyine, mbeya, melbourne, memphis, mexicali, mexico city, miami, middle east,
    milan, milwaukee, minneapolis, minsk, mogadishu, mombasa, monrovia, monterrey, montevideo,
    montreal, montréal, mosul, mukalla, mumbai, munich, muscat, mwanza, n'djamena, nagano,
    nagasaki, nagoya, nairobi, nakuru, nanchang, nanjing, nanning, nantes, naples, nashville, new
    delhi, new orleans, newark, newcastle, niamey, nottingham, nouakchott, novosibirsk, nuremberg,
    nyala, oakland, odesa, odessa, oklahoma city, omaha, omdurman, omsk, osaka, osasco, oslo,
    ottawa, oujda, palermo, palo alto, panama city, pasto, perth, peshawar, philadelphia, phnom
    penh, pittsburgh, plovdiv, port-au-prince, portland, portsmouth, poznan, prague, pretoria,
    puebla, pyongyang, quebec city, quito, rabat, raleigh, rangpur, rasht, rawalpindi, recife,
    reykjavik, riga, rio de     janeiro, riyadh, rosario, rotterdam, sacramento, salt lake city,
    samarkand, san antonio, san     diego, san francisco, san jose, sanaa, sao paulo, sapporo,
    sarajevo, saratov, scandinavia, seattle, semarang, seoul, sevastopol, sevilla, seville,
    shanghai, sheffield, shenyang, shenzhen, shiraz, siberia, silicon valley, skopje, smolensk,
    sofia, southampton, southeast asia, soweto, st. louis, st. petersburg, stockholm, strasbourg,
    stuttgart, suez, surrey, suva, swansea, sydney, são paulo, tabora, tabriz, tabuk, taichung,
    taipei, taiyuan, tallinn, tampa, tampere, tampico, tangshan, tashkent, tbilisi, tegucigalpa,
    tehran, tel aviv, tepic, the hague, thessaloniki, thimphu, tianjin, tijuana, tirana, toronto,
    toulouse, toyohashi, tripoli, trondheim, tucson, tulsa, tunis, turin, turku, ulaanbaatar,
    utrecht, valencia, vancouver, venice, veracruz, vienna, vientiane, villahermosa, vilnius,
    vladivostok, volgograd, wall street, warsaw, west bank, western europe, wichita, windhoek,
    winnipeg, wroclaw, wuhan, xi'an, yangon, yerevan, yokohama, zagreb, zanzibar, zaragoza, zarqa,
    zurich, zürich
    """.replace("\n", " ").split(",")
)
