"""Organisations that many texts mention: names that are theirs in whatever document."""

from hlg.ingest.words.listed import listed

__all__ = ["MAKERS", "ORGANIZATION_NAMES"]

MAKERS = listed(
    """
    adidas, akg, alienware, anker, arc'teryx, asics, asus, audi, audio-technica, behringer,
    bianchi, birkenstock, bmw, bodum, bosch, bose, breville, brompton, cannondale, casio,
    celestron, chanel, chevrolet, chevy, citroën, columbia sportswear, crayola, cuisinart,
    datsun, de'longhi, dell, delonghi, dewalt, dior, ducati, electrolux, epiphone, estée lauder,
    ferrari, fiat, fitbit, focusrite, fujifilm, garmin, giant bicycles, gopro, gucci, h&m,
    haribo, harley-davidson, hasbro, hermès, hewlett-packard, hoka, honda, huawei, hyperx,
    hyundai, ibanez, ikea, intel, irobot, jbl, kawasaki heavy industries, kia, kitchenaid, korg,
    l'oreal, l'oréal, lada, lamborghini, lancia, le creuset, lego group, leica, lenovo, levi's,
    lexus, lindt, littmann, logitech, louis vuitton, lululemon, makita, marantz, mattel,
    maybelline, mazda, merrell, miele, mitsubishi, moleskine, msi, nespresso, new balance, nike,
    nikon, nintendo, nissan, nivea, nokia, north face, nvidia, onkyo, panasonic, peloton,
    pentax, peugeot, philips, pinarello, playmobil, porsche, prada, ravensburger, razer, reebok,
    rei, renault, rivian, rolex, royal enfield, saab, samsung, saucony, secretlab, sennheiser,
    shimano, shure, siemens, skoda, skullcandy, smeg, sonos, sony, squier, steelseries, steinway
    & sons, subaru, swarovski, tefal, tesla, thule, timberland, toshiba, toyota, traeger,
    triumph motorcycles, tupperware, under armour, uniqlo, uppababy, versace, vespa, vitamix,
    volkswagen, volvo, wacom, whirlpool corporation, wüsthof, xiaomi, yamaha, yamaha motor,
    zwilling
    """
)
"""Those after whom what they make is called: "my Garmin", "a Subaru"."""
ORGANIZATION_NAMES = MAKERS | listed(
    """
    49ers, 7-eleven, abba, abc news, ac milan, ac/dc, accenture, activision, activision
    blizzard, adobe, aerosmith, afl, airbnb, airbus, al jazeera, al-qaeda, aldi, alibaba, all
    blacks, amazon web services, american airlines, american express, amnesty international,
    anthropic, aol, ap, arctic monkeys, arizona cardinals, arizona diamondbacks, arsenal,
    arsenal fc, aspca, associated press, aston villa, astros, at&t, atlanta braves, atlanta
    falcons, atlanta hawks, atletico madrid, backstreet boys, baltimore orioles, baltimore
    ravens, bandai namco, bandcamp, bank of america, bank of england, barclays, barnes & noble,
    bayern munich, bbc, beatles, ben & jerry's, benfica, bengals, berkshire hathaway, berlin
    philharmonic, best buy, bethesda game studios, big brothers big sisters, binance, bioware,
    black sabbath, blackpink, blackrock, blackstone, bloomberg, boeing, bon iver, booking.com,
    borussia dortmund, boston bruins, boston celtics, boston red sox, boy scouts, bp, brighton &
    hove albion, british airways, brooklyn nets, bt sport, bts, buccaneers, buffalo bills,
    buffalo sabres, burger king, bytedance, cadbury, cambridge university, canadiens, canucks,
    canva, capcom, carolina panthers, cbs, cbs news, cbs sports, cd projekt red, cdc, celtic fc,
    celtics, centers for disease control, charlotte hornets, chelsea fc, chennai super kings,
    chevron, chicago bears, chicago bulls, chicago cubs, chicago white sox, chick-fil-a, cia,
    cincinnati bengals, cisco, citibank, citigroup, cleveland browns, cleveland cavaliers,
    cleveland guardians, cnbc, cnet, cnn, coca-cola, coinbase, coldplay, colorado avalanche,
    colorado rockies, columbia university, comcast, congressional budget office, conservative
    party, costco, coursera, craigslist, credit suisse, crystal palace, daft punk, dallas
    cowboys, dallas mavericks, deliveroo, deloitte, democratic party, denver broncos, denver
    nuggets, department of defense, department of justice, depeche mode, detroit lions, detroit
    pistons, detroit red wings, detroit tigers, deutsche bank, disney, doctors without borders,
    dodgers, doj, domino's, doordash, dow jones, draftkings, dreamworks, dropbox, dunkin',
    dunkin' donuts, duolingo, ea sports, ebay, electronic arts, epa, epic games, ericsson, espn,
    etsy, euronews, european central bank, european commission, european parliament, european
    union, eventbrite, everton, expedia, exxonmobil, facebook, fall out boy, fanduel, fbi, fc
    barcelona, fcc, fda, federal reserve, federal trade commission, fedex, feeding america,
    fifa, financial conduct authority, fleetwood mac, foo fighters, forbes, ford motor company,
    foreign office, fox news, fox sports, foxconn, fromsoftware, ftc, game freak, gamestop, gao,
    general electric, general motors, getty images, girl scouts, github, glaxosmithkline,
    gofundme, golden knights, golden state warriors, goldman sachs, goodreads, google, google
    deepmind, green bay packers, green day, green party, greenpeace, grizzlies, grubhub, guns n'
    roses, habitat for humanity, hamas, harpercollins, harvard, harvard university, hbo,
    heineken, hershey's, hezbollah, home depot, home office, houston astros, houston rockets,
    houston texans, hsbc, hugging face, hulu, humane society, häagen-dazs, ibm, imagine dragons,
    imf, indiana pacers, indianapolis colts, instagram, inter miami, inter milan, international
    monetary fund, interpol, iron maiden, irs, isis, isro, jacksonville jaguars, johnson &
    johnson, jpmorgan, juventus, kansas city chiefs, kansas city royals, kfc, khan academy,
    kickstarter, knesset, knicks, konami, kpmg, krispy kreme, kroger, la galaxy, labour party,
    lakers, larian studios, las vegas raiders, led zeppelin, leeds united, leicester city,
    letterboxd, liberal democrats, lidl, linkedin, linkin park, live nation, liverpool fc,
    lockheed martin, london symphony orchestra, lonely planet, los angeles chargers, los angeles
    dodgers, los angeles lakers, los angeles rams, lowe's, lufthansa, lumineers, lyft, major
    league baseball, major league soccer, make-a-wish, make-a-wish foundation, man city, man
    united, man utd, manchester city, manchester united, maple leafs, marvel studios,
    mastercard, mcdonald's, mcdonalds, mckinsey, meals on wheels, memphis grizzlies, merck, meta
    platforms, metallica, mets, miami dolphins, miami heat, microsoft, milwaukee brewers,
    milwaukee bucks, minnesota timberwolves, minnesota twins, minnesota vikings, mit, mlb, mls,
    mojang, monzo, morgan stanley, mossad, mozilla, msnbc, mtv, mumbai indians, mumford & sons,
    médecins sans frontières, nando's, nasa, nascar, national football league, national
    geographic, national geographic society, national hockey league, national trust, nato,
    naughty dog, nba, nbc, nbc news, nbc sports, ncaa, nestlé, netflix, new england patriots,
    new orleans pelicans, new orleans saints, new york giants, new york jets, new york knicks,
    new york mets, new york times, new york yankees, newcastle united, nfl, nhl, nhs, nissan
    motor, nottingham forest, novartis, npr, nvidia corporation, nypd, oecd, ofcom, oilers,
    oklahoma city thunder, one direction, opec, openai, oracle, orioles, orlando magic, osha,
    oxfam, oxford university, packers, padres, paramore, paramount, paramount pictures, paris
    saint-germain, patreon, paypal, pearl jam, penguin random house, pentagon, pepsi, pepsico,
    peta, petco, petsmart, pfizer, pga tour, philadelphia 76ers, philadelphia eagles,
    philadelphia phillies, phillies, phoenix suns, pink floyd, pinterest, pittsburgh steelers,
    pixar, pizza hut, politico, portland timbers, portland trail blazers,
    pricewaterhousecoopers, princeton university, procter & gamble, psg, pwc, qualcomm,
    radiohead, rangers fc, ravelry, real madrid, real sociedad, red bull, red cross, red hat,
    red hot chili peppers, red sox, reddit, republican party, reuters, riot games, roche,
    rockstar games, rolling stones, rotary club, royal bank of canada, royal bank of scotland,
    royal navy, rspca, ryanair, sabres, sacramento kings, sainsbury's, salesforce, salvation
    army, san antonio spurs, san diego padres, san francisco 49ers, san francisco giants, save
    the children, scotland yard, seahawks, seattle kraken, seattle mariners, seattle seahawks,
    seattle sounders, securities and exchange commission, sega, sephora, sequoia capital,
    shopify, sky news, sky sports, skype, snap inc., snapchat, society of authors, softbank,
    soundcloud, southwest airlines, spacex, spice girls, sports illustrated, spotify,
    springboks, square enix, st. louis cardinals, stanford, stanford university, starbucks,
    state department, steelers, strava, studio ghibli, substack, supreme court, t-mobile, taco
    bell, tame impala, tampa bay buccaneers, tampa bay rays, techcrunch, telegram, tencent,
    tennessee titans, tesco, texas rangers, the associated press, the athletic, the guardian,
    the new york times, the verge, the wall street journal, the washington post, ticketmaster,
    tiktok, timberwolves, toastmasters, toronto blue jays, toronto maple leafs, toronto raptors,
    tottenham, tottenham hotspur, trader joe's, trail blazers, trello, tripadvisor, tsmc,
    twitter, u.n., u2, uber, uber eats, ubisoft, ubs, udemy, uefa, ufc, unesco, unhcr, unicef,
    united airlines, united nations, universal music group, us soccer, usa today, usda, utah
    jazz, valve, vatican, verizon, vodafone, waitrose, walgreens, wall street journal, walmart,
    walt disney, walt disney company, warner bros, warner bros., warner music group, washington
    commanders, washington post, washington wizards, waterstones, wells fargo, wendy's, west
    ham, west ham united, whatsapp, white sox, whole foods, wikipedia, wnba, wolverhampton
    wanderers, world bank, world health organization, world trade organization, world wildlife
    fund, wto, wwe, wwf, y combinator, yahoo, yale, yale university, yankees, yelp, ymca,
    youtube, ywca, zoom video
    """
)
