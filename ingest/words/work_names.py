"""Games, series, films and books that many texts mention: names that are theirs in whatever
document. Those that are plain words, alone or behind an article, are left out."""

from hlg.ingest.words.listed import listed

__all__ = ["NUMBERED_WORKS", "WORK_NAMES"]

WORK_NAMES = listed(
    """
    a man called ove, a midsummer night's dream, a song of ice and fire, age of empires,
    american idol, among us, animal crossing, animal farm, anna karenina, anne of green gables,
    apex legends, assassin's creed, atomic habits, attack on titan, avatar: the last airbender,
    avengers: endgame, back to the future, bake off, baldur's gate, beat saber, beauty and the
    beast, better call saul, bioshock, black mirror, black panther, blade runner, bloodborne,
    blue planet, bohemian rhapsody, brave new world, breaking bad, breath of the wild,
    bridgerton, broadchurch, brooklyn nine-nine, call of duty, call the midwife, candy crush,
    cards against humanity, catan, charlie and the chocolate factory, clair de lune, clash of
    clans, clash royale, counter-strike, crime and punishment, crusader kings, cs:go, cuphead,
    cyberpunk 2077, dancing with the stars, dark souls, dead by daylight, dead poets society,
    death note, demon slayer, derry girls, devil may cry, diablo iii, diablo iv, dirty dancing,
    disco elysium, doctor who, don quixote, donkey kong, dota, downton abbey, dragon age, dragon
    ball, dungeons & dragons, dungeons and dragons, elden ring, encanto, eternal sunshine of the
    spotless mind, europa universalis, factorio, fall guys, far cry, fast & furious, fast and
    furious, fight club, final fantasy, finding dory, finding nemo, fire emblem, fleabag,
    forrest gump, fortnite, forza horizon, fullmetal alchemist, für elise, game of thrones,
    genshin impact, ghost of tsushima, gilmore girls, gloomhaven, god of war, gone girl, good
    will hunting, gran turismo, grand theft auto, great british bake off, great british
    bake-off, grey's anatomy, groundhog day, gta, guardians of the galaxy, guitar hero,
    half-life, halo infinite, harry potter, hearthstone, heroes of the storm, hollow knight,
    home alone, horizon zero dawn, hotel california, house of the dragon, how i met your mother,
    how to win friends and influence people, howl's moving castle, interstellar, it takes two,
    jane eyre, jurassic park, just dance, kingdom hearts, la la land, league of legends, left 4
    dead, les miserables, les misérables, life of pi, line of duty, little women, lord of the
    flies, lord of the rings, love actually, love in the time of cholera, luigi's mansion, mad
    max, mad men, magic: the gathering, man's search for meaning, mario kart, mario party, mary
    poppins, mass effect, metal gear solid, metroid, metroid dread, metroid prime, minecraft,
    mission: impossible, moby dick, moby-dick, modern family, mona lisa, money heist, monster
    hunter, moonlight sonata, mortal kombat, my neighbor totoro, my neighbour totoro, narcos,
    naruto, no man's sky, one hundred years of solitude, one piece, overwatch, pac-man,
    paddington 2, parks and recreation, paw patrol, peaky blinders, peppa pig, persona 5,
    phantom of the opera, pirates of the caribbean, pokemon, pokemon go, pokémon, pokémon go,
    pride and prejudice, princess mononoke, project hail mary, pubg, pulp fiction, rainbow six
    siege, red dead redemption, resident evil, rich dad poor dad, ring fit adventure, roblox,
    rocket league, romeo and juliet, sailor moon, saturday night live, saving private ryan,
    schindler's list, schitt's creek, scrabble, sense and sensibility, sesame street, settlers
    of catan, shawshank redemption, sid meier's civilization, silent hill, singin' in the rain,
    skyrim, slay the spire, sonic the hedgehog, spirited away, splatoon, squid game, stairway to
    heaven, star trek, star wars, starcraft, stardew valley, starry night, stranger things,
    street fighter, strictly come dancing, subnautica, super mario, super mario bros, super
    mario bros., super mario odyssey, super smash bros, super smash bros., swan lake, team
    fortress, tears of the kingdom, ted lasso, terraria, tetris, the 7 habits of highly
    effective people, the avengers, the big bang theory, the body keeps the score, the book
    thief, the breakfast club, the brothers karamazov, the cat in the hat, the catcher in the
    rye, the chronicles of narnia, the da vinci code, the dark knight, the divine comedy, the
    elder scrolls, the fault in our stars, the girl with the dragon tattoo, the godfather, the
    good place, the grand budapest hotel, the great british bake off, the great british baking
    show, the great gatsby, the gruffalo, the handmaid's tale, the hitchhiker's guide to the
    galaxy, the hobbit, the hunger games, the kite runner, the last of us, the legend of zelda,
    the lion king, the little prince, the lord of the rings, the mandalorian, the midnight
    library, the name of the wind, the night circus, the nutcracker, the phantom of the opera,
    the power of now, the princess bride, the queen's gambit, the seven husbands of evelyn hugo,
    the shawshank redemption, the silence of the lambs, the simpsons, the sims, the sopranos,
    the sound of music, the starry night, the very hungry caterpillar, the walking dead, the
    wheel of time, the wise man's fear, the witcher, the wizard of oz, ticket to ride, to kill a
    mockingbird, top gun, toy story, twin peaks, undertale, valorant, war and peace, where the
    crawdads sing, where the wild things are, wii sports, winnie the pooh, world of warcraft,
    wuthering heights, x-men, xenoblade chronicles
    """
)
NUMBERED_WORKS = listed(
    """
    battlefield, civilization, destiny, diablo, doom, fallout, fifa, forza, forza motorsport,
    frozen, gran turismo, halo, hitman, madden, madden nfl, mafia, nba 2k, paddington, payday,
    persona, portal, quake, tekken, titanfall, tomb raider, toy story
    """
)
"""Plain words and other names that a number makes works of: "FIFA 23", "Civilization VI"."""
