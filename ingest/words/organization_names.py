"""Organisations that many texts mention: names that are theirs in whatever document."""

from hlg.ingest.words.listed import listed

__all__ = ["ORGANIZATION_NAMES"]

ORGANIZATION_NAMES = listed(
    """
    49ers, 7-eleven, abba, abc news, ac milan, ac/dc, accenture, activision, activision
    blizzard, adidas, adobe, aerosmith, afl, airbnb, airbus, al jazeera, al-qaeda, aldi,
    alibaba, alienware, all blacks, amazon web services, american airlines, american express,
    amnesty international, anthropic, aol, ap, arc'teryx, arctic monkeys, arizona cardinals,
    arizona diamondbacks, arsenal, arsenal fc, asics, aspca, associated press, aston villa,
    astros, asus, at&t, atlanta braves, atlanta falcons, atlanta hawks, atletico madrid, audi,
    backstreet boys, baltimore orioles, baltimore ravens, bandai namco, bandcamp, bank of
    america, bank of england, barclays, barnes & noble, bayern munich, bbc, beatles, ben &
    jerry's, benfica, bengals, berkshire hathaway, berlin philharmonic, best buy, bethesda game
    studios, big brothers big sisters, binance, bioware, black sabbath, blackpink, blackrock,
    blackstone, bloomberg, bmw, boeing, bon iver, booking.com, borussia dortmund, bosch, bose,
    boston bruins, boston celtics, boston red sox, boy scouts, bp, breville, brighton & hove
    albion, british airways, brompton, brooklyn nets, bt sport, bts, buccaneers, buffalo bills,
    buffalo sabres, burger king, bytedance, cadbury, cambridge university, canadiens, canucks,
    canva, capcom, carolina panthers, casio, cbs, cbs news, cbs sports, cd projekt red, cdc,
    celtic fc, celtics, centers for disease control, chanel, charlotte hornets, chelsea fc,
    chennai super kings, chevrolet, chevron, chicago bears, chicago bulls, chicago cubs, chicago
    white sox, chick-fil-a, cia, cincinnati bengals, cisco, citibank, citigroup, citroën,
    cleveland browns, cleveland cavaliers, cleveland guardians, cnbc, cnet, cnn, coca-cola,
    coinbase, coldplay, colorado avalanche, colorado rockies, columbia university, comcast,
    congressional budget office, conservative party, costco, coursera, craigslist, crayola,
    credit suisse, crystal palace, cuisinart, daft punk, dallas cowboys, dallas mavericks,
    de'longhi, deliveroo, dell, deloitte, delonghi, democratic party, denver broncos, denver
    nuggets, department of defense, department of justice, depeche mode, detroit lions, detroit
    pistons, detroit red wings, detroit tigers, deutsche bank, dior, disney, doctors without
    borders, dodgers, doj, domino's, doordash, dow jones, draftkings, dreamworks, dropbox,
    ducati, dunkin', dunkin' donuts, duolingo, ea sports, ebay, electronic arts, epa, epic
    games, epiphone, ericsson, espn, etsy, euronews, european central bank, european commission,
    european parliament, european union, eventbrite, everton, expedia, exxonmobil, facebook,
    fall out boy, fanduel, fbi, fc barcelona, fcc, fda, federal reserve, federal trade
    commission, fedex, feeding america, ferrari, fifa, financial conduct authority, fitbit,
    fleetwood mac, foo fighters, forbes, ford motor company, foreign office, fox news, fox
    sports, foxconn, fromsoftware, ftc, fujifilm, game freak, gamestop, gao, garmin, general
    electric, general motors, getty images, girl scouts, github, glaxosmithkline, gofundme,
    golden knights, golden state warriors, goldman sachs, goodreads, google, google deepmind,
    gopro, green bay packers, green day, green party, greenpeace, grizzlies, grubhub, gucci,
    guns n' roses, h&m, habitat for humanity, hamas, harley-davidson, harpercollins, harvard,
    harvard university, hasbro, hbo, heineken, hermès, hershey's, hewlett-packard, hezbollah,
    home depot, home office, honda, houston astros, houston rockets, houston texans, hsbc,
    huawei, hugging face, hulu, humane society, hyperx, hyundai, häagen-dazs, ibanez, ibm, ikea,
    imagine dragons, imf, indiana pacers, indianapolis colts, instagram, intel, inter miami,
    inter milan, international monetary fund, interpol, iron maiden, irs, isis, isro,
    jacksonville jaguars, jbl, johnson & johnson, jpmorgan, juventus, kansas city chiefs, kansas
    city royals, kfc, khan academy, kia, kickstarter, kitchenaid, knesset, knicks, konami, korg,
    kpmg, krispy kreme, kroger, la galaxy, labour party, lakers, lamborghini, larian studios,
    las vegas raiders, le creuset, led zeppelin, leeds united, leica, leicester city, lenovo,
    letterboxd, levi's, lexus, liberal democrats, lidl, linkedin, linkin park, live nation,
    liverpool fc, lockheed martin, logitech, london symphony orchestra, lonely planet, los
    angeles chargers, los angeles dodgers, los angeles lakers, los angeles rams, louis vuitton,
    lowe's, lufthansa, lululemon, lumineers, lyft, major league baseball, major league soccer,
    make-a-wish, make-a-wish foundation, man city, man united, man utd, manchester city,
    manchester united, maple leafs, marvel studios, mastercard, mattel, mazda, mcdonald's,
    mcdonalds, mckinsey, meals on wheels, memphis grizzlies, merck, merrell, meta platforms,
    metallica, mets, miami dolphins, miami heat, microsoft, miele, milwaukee brewers, milwaukee
    bucks, minnesota timberwolves, minnesota twins, minnesota vikings, mit, mitsubishi, mlb,
    mls, mojang, moleskine, monzo, morgan stanley, mossad, mozilla, msi, msnbc, mtv, mumbai
    indians, mumford & sons, médecins sans frontières, nando's, nasa, nascar, national football
    league, national geographic, national geographic society, national hockey league, national
    trust, nato, naughty dog, nba, nbc, nbc news, nbc sports, ncaa, nespresso, nestlé, netflix,
    new balance, new england patriots, new orleans pelicans, new orleans saints, new york
    giants, new york jets, new york knicks, new york mets, new york times, new york yankees,
    newcastle united, nfl, nhl, nhs, nike, nikon, nintendo, nissan, nissan motor, nokia, north
    face, nottingham forest, novartis, npr, nvidia, nvidia corporation, nypd, oecd, ofcom,
    oilers, oklahoma city thunder, one direction, opec, openai, oracle, orioles, orlando magic,
    osha, oxfam, oxford university, packers, padres, panasonic, paramore, paramount, paramount
    pictures, paris saint-germain, patreon, paypal, pearl jam, peloton, penguin random house,
    pentagon, pepsi, pepsico, peta, petco, petsmart, peugeot, pfizer, pga tour, philadelphia
    76ers, philadelphia eagles, philadelphia phillies, philips, phillies, phoenix suns, pink
    floyd, pinterest, pittsburgh steelers, pixar, pizza hut, politico, porsche, portland
    timbers, portland trail blazers, prada, pricewaterhousecoopers, princeton university,
    procter & gamble, psg, pwc, qualcomm, radiohead, rangers fc, ravelry, razer, real madrid,
    real sociedad, red bull, red cross, red hat, red hot chili peppers, red sox, reddit, reebok,
    rei, renault, republican party, reuters, riot games, rivian, roche, rockstar games, rolex,
    rolling stones, rotary club, royal bank of canada, royal bank of scotland, royal navy,
    rspca, ryanair, sabres, sacramento kings, sainsbury's, salesforce, salvation army, samsung,
    san antonio spurs, san diego padres, san francisco 49ers, san francisco giants, save the
    children, scotland yard, seahawks, seattle kraken, seattle mariners, seattle seahawks,
    seattle sounders, securities and exchange commission, sega, sennheiser, sephora, sequoia
    capital, shimano, shopify, siemens, skoda, sky news, sky sports, skype, snap inc., snapchat,
    society of authors, softbank, sony, soundcloud, southwest airlines, spacex, spice girls,
    sports illustrated, spotify, springboks, square enix, st. louis cardinals, stanford,
    stanford university, starbucks, state department, steelers, steelseries, steinway & sons,
    strava, studio ghibli, subaru, substack, supreme court, t-mobile, taco bell, tame impala,
    tampa bay buccaneers, tampa bay rays, techcrunch, telegram, tencent, tennessee titans,
    tesco, tesla, texas rangers, the associated press, the athletic, the guardian, the new york
    times, the verge, the wall street journal, the washington post, ticketmaster, tiktok,
    timberland, timberwolves, toastmasters, toronto blue jays, toronto maple leafs, toronto
    raptors, toshiba, tottenham, tottenham hotspur, toyota, trader joe's, trail blazers, trello,
    tripadvisor, tsmc, twitter, u.n., u2, uber, uber eats, ubisoft, ubs, udemy, uefa, ufc, under
    armour, unesco, unhcr, unicef, uniqlo, united airlines, united nations, universal music
    group, us soccer, usa today, usda, utah jazz, valve, vatican, verizon, versace, vespa,
    vodafone, volkswagen, volvo, waitrose, walgreens, wall street journal, walmart, walt disney,
    walt disney company, warner bros, warner bros., warner music group, washington commanders,
    washington post, washington wizards, waterstones, wells fargo, wendy's, west ham, west ham
    united, whatsapp, white sox, whole foods, wikipedia, wnba, wolverhampton wanderers, world
    bank, world health organization, world trade organization, world wildlife fund, wto, wwe,
    wwf, xiaomi, y combinator, yahoo, yale, yale university, yamaha, yankees, yelp, ymca,
    youtube, ywca, zoom video
    """
)
