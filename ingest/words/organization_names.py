"""Organisations that many texts mention: names that are theirs in whatever document."""

__all__ = ["ORGANIZATION_NAMES"]

ORGANIZATION_NAMES = frozenset(
    name.strip()
    for name in """
    airbnb, airbus, alibaba, amnesty international, anthropic, aol, associated press, at&t,
    bank of america, barclays, bbc, berkshire hathaway, best buy, bloomberg, bmw, boeing, bosch,
    bp, cbs, chevron, cia, cisco, citigroup, cnbc, cnn, coinbase, comcast, costco, deloitte,
    deutsche bank, doj, doordash, draftkings, ebay, ericsson, etsy, european union, exxonmobil,
    facebook, fanduel, fbi, fda, fedex, fifa, foxconn, ftc, gamestop, general electric,
    general motors, github, glaxosmithkline, goldman sachs, google, harvard, hbo, home depot,
    honda, hsbc, huawei, hulu, hyundai, ibm, ikea, imf, instagram, intel, interpol, irs,
    johnson & johnson, jpmorgan, kpmg, lenovo, linkedin, lockheed martin, lowe's, lufthansa,
    lyft, mastercard, mcdonald's, mcdonalds, merck, meta platforms, microsoft, morgan stanley,
    mozilla, nasa, nato, nba, nbc, netflix, nfl, nhl, nhs, nike, nintendo, nissan, nokia,
    novartis, npr, nvidia, openai, oracle, oxfam, panasonic, paypal, pepsico, pfizer, pixar,
    procter & gamble, qualcomm, red hat, reuters, roche, royal navy, salesforce, samsung,
    siemens, softbank, sony, spacex, spotify, starbucks, t-mobile, telegram, tencent, tesla,
    toshiba, toyota, twitter, u.n., uber, ubs, uefa, unesco, unicef, united nations, verizon,
    vodafone, volkswagen, volvo, walmart, walt disney company, wells fargo, whatsapp, wikipedia,
    world bank, world health organization, xiaomi, yahoo, yale, youtube
    """.replace("\n", " ").split(",")
)
