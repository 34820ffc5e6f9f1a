"""Organisations that many texts mention: names that are theirs in whatever document."""

__all__ = ["ORGANIZATION_NAMES"]

ORGANIZATION_NAMES = frozenset(
    name.strip()
    for name in """
    abc news, accenture, adobe, afl, airbnb, airbus, al jazeera, al-qaeda, alibaba, amazon web
    services, american airlines, american express, amnesty international, anthropic, aol, ap,
    arsenal fc, associated press, aston villa, at&t, atlanta braves, atlanta falcons, atletico
    madrid, baltimore orioles, baltimore ravens, bank of america, bank of england, barclays,
    bayern munich, bbc, benfica, berkshire hathaway, best buy, binance, blackrock, blackstone,
    bloomberg, bmw, boeing, bosch, boston bruins, boston celtics, boston red sox, bp, brighton &
    hove albion, british airways, bt sport, buffalo bills, buffalo sabres, bytedance, carolina
    panthers, cbs, cbs news, cbs sports, cdc, celtic fc, centers for disease control, chevron,
    chicago bears, chicago bulls, chicago cubs, cia, cincinnati bengals, cisco, citibank,
    citigroup, cleveland browns, cleveland cavaliers, cnbc, cnet, cnn, coinbase, columbia
    university, comcast, congressional budget office, conservative party, costco, credit suisse,
    crystal palace, dallas cowboys, dallas mavericks, dell, deloitte, democratic party, denver
    broncos, denver nuggets, department of defense, department of justice, detroit lions, detroit
    pistons, deutsche bank, disney, doj, doordash, dow jones, draftkings, dropbox, ea sports,
    ebay, electronic arts, epa, epic games, ericsson, espn, etsy, euronews, european central bank,
    european commission, european parliament, european union, everton, exxonmobil, facebook,
    fanduel, fbi, fc barcelona, fcc, fda, federal reserve, federal trade commission, fedex, fifa,
    financial conduct authority, forbes, ford motor company, foreign office, fox news, fox sports,
    foxconn, ftc, gamestop, gao, general electric, general motors, getty images, github,
    glaxosmithkline, golden state warriors, goldman sachs, google, google deepmind, green bay
    packers, green party, greenpeace, hamas, harvard, hbo, hewlett-packard, hezbollah, home depot,
    home office, honda, houston astros, houston rockets, houston texans, hsbc, huawei, hugging
    face, hulu, hyundai, ibm, ikea, imf, indiana pacers, indianapolis colts, instagram, intel,
    inter miami, inter milan, international monetary fund, interpol, irs, isis, isro, jacksonville
    jaguars, johnson & johnson, jpmorgan, juventus, kansas city chiefs, kansas city royals,
    knesset, kpmg, la galaxy, labour party, las vegas raiders, lenovo, liberal democrats,
    linkedin, live nation, lockheed martin, logitech, los angeles chargers, los angeles dodgers,
    los angeles lakers, los angeles rams, lowe's, lufthansa, lyft, major league baseball, major
    league soccer, manchester city, manchester united, marvel studios, mastercard, mcdonald's,
    mcdonalds, mckinsey, merck, meta platforms, miami dolphins, miami heat, microsoft, milwaukee
    brewers, milwaukee bucks, minnesota timberwolves, minnesota vikings, mit, mlb, mls, monzo,
    morgan stanley, mossad, mozilla, msnbc, mtv, nasa, nascar, national football league, national
    hockey league, nato, nba, nbc, nbc news, nbc sports, ncaa, netflix, new england patriots, new
    orleans saints, new york giants, new york jets, new york knicks, new york mets, new york
    times, new york yankees, newcastle united, nfl, nhl, nhs, nike, nintendo, nissan, nissan
    motor, nokia, nottingham forest, novartis, npr, nvidia, nvidia corporation, nypd, oecd, ofcom,
    opec, openai, oracle, orlando magic, osha, oxfam, oxford university, panasonic, paramount,
    paramount pictures, paris saint-germain, paypal, pentagon, pepsico, pfizer, pga tour,
    philadelphia 76ers, philadelphia eagles, philadelphia phillies, phoenix suns, pittsburgh
    steelers, pixar, politico, pricewaterhousecoopers, procter & gamble, psg, pwc, qualcomm,
    rangers fc, real madrid, red hat, reddit, republican party, reuters, rivian, roche, rockstar
    games, royal bank of canada, royal bank of scotland, royal navy, rspca, ryanair, salesforce,
    samsung, san antonio spurs, san francisco 49ers, san francisco giants, scotland yard, seattle
    kraken, seattle mariners, seattle seahawks, securities and exchange commission, sequoia
    capital, shopify, siemens, sky news, sky sports, snap inc., society of authors, softbank,
    sony, southwest airlines, spacex, sports illustrated, spotify, square enix, stanford
    university, starbucks, state department, supreme court, t-mobile, tampa bay buccaneers, tampa
    bay rays, techcrunch, telegram, tencent, tennessee titans, tesla, texas rangers, the
    associated press, the athletic, the guardian, the new york times, the verge, the wall street
    journal, the washington post, ticketmaster, toshiba, tottenham, tottenham hotspur, toyota,
    tsmc, twitter, u.n., uber, ubisoft, ubs, uefa, ufc, unesco, unhcr, unicef, united airlines,
    united nations, universal music group, us soccer, usa today, usda, utah jazz, valve, vatican,
    verizon, vodafone, volkswagen, volvo, wall street journal, walmart, walt disney, walt disney
    company, warner bros, warner bros., warner music group, washington commanders, washington
    post, wells fargo, west ham united, whatsapp, wikipedia, wnba, wolverhampton wanderers, world
    bank, world health organization, world trade organization, wto, wwe, xiaomi, y combinator,
    yahoo, yale, youtube, zoom video
    """.replace("\n", " ").split(",")
)
