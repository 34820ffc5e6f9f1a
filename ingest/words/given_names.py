"""Common given names: a name that begins with one is a person's, in whatever document."""

__all__ = ["GIVEN_NAMES"]

_ALSO_OTHER_THINGS = """
    april art august charlotte chelsea chester crystal florence georgia jackson jordan joy june
    lance mac madison marshall mercedes morgan orlando sofia victoria will
"""
"""Given names that begin names of other things at least as often."""

GIVEN_NAMES = frozenset(
    part
    for line in """
    aaron abdul abdullah abigail abraham ada adam adele adolf adrian agatha agnes ahmad ahmed aidan
    akira alan albert alberto aldo alec alejandro aleksandr alessandro alex alexander alexandra
    alexei alexis alfonso alfred alfredo ali alice alicia alison allan allen alvin amanda amelia
    amir amit amy ana anastasia anders andre andrea andreas andrei andres andrew andrey andy angela
    angelo angus anil anita ann anna anne annie anthony antoine anton antonio anwar april archibald
    ariana arjun arnold art arthur arturo ashley astrid audrey august augustus aurelia ava axel
    barack barbara barry bart beatrice ben benedict benjamin bernard bernhard bernie bert bertha
    beth betty beverly bianca bill billie billy blake bob bobby boris brad bradley brandon brenda
    brendan brett brian bridget brigitte britney bruce bruno bryan byron caitlin calvin cameron
    camilla carl carla carlo carlos carmen carol carole caroline carolyn carrie carter cary
    casey catherine cecil cecilia cedric celine cesar chad charles charlie charlotte chelsea cheryl
    chester chloe chris christian christina christine christoph christophe christopher chuck claire
    clara clarence clark claude claudia claudio clayton clifford clint clive cody colin connor
    conrad constance corey cory craig cristiano crystal curtis cynthia daisy dale damian damien dan
    dana daniel daniela daniele danielle danny darren darryl dave david dawn dean deborah debra
    deepak denis denise dennis derek derrick desmond diana diane diego dieter dimitri dmitri dmitry
    dolores dominic dominique don donald donna doris dorothy doug douglas drew duncan dustin dwayne
    dwight dylan earl ed eddie edgar edith edmund eduardo edward edwin eileen elaine eleanor elena
    eli elias elijah elisabeth elizabeth ella ellen elliot elliott elon elsa elton elvis emil emile
    emily emma emmanuel enrico enrique eric erica erich erik erika erin ernest ernst erwin esther
    ethan ethel eugene eva evan evelyn ezra fatima felicity felipe felix ferdinand fernando fidel
    fiona florence floyd frances francesca francesco francis francisco franco francois frank
    frankie franklin franz fred freddie frederic frederick friedrich fritz gabriel gabriela gareth
    garry gary gavin gaston gemma gene geoff geoffrey george georges georgi georgia gerald gerard
    gerhard gerry gertrude gianni gilbert gina giorgio giovanni giuseppe glen glenn gloria gordon
    grace graham greg gregory greta guillermo gunther gustav guy gwen hannah hans harold harriet
    harrison harry harvey hassan hazel heather hector heidi heinrich helen helena helene helmut
    henri henrik henry herbert herman hermann hillary hiroshi holly homer horace howard hubert hugh
    hugo hussein ian ibrahim ida ignacio igor ike ingrid irene iris irving isaac isabel isabella
    isabelle isaiah ivan ivana jack jackie jackson jacob jacqueline jacques jada jake jakob jamal
    james jamie jan jane janet janice jared jasmine jason javier jay jean jeanne jeff jeffrey
    jenna jennifer jenny jeremiah jeremy jerome jerry jesse jessica jessie jill jim jimmy jo joan
    joanna joanne joaquin joe joel joey johan johann johannes john johnny jon jonas jonathan jordan
    jorge jose josef joseph josephine josh joshua joy joyce juan juanita judith judy jules julia
    julian julie juliet julio julius june jurgen justin kai karen karim karin karl karolina kate
    katherine kathleen kathryn kathy katie katrina kay keith kelly kelvin ken kendrick kenneth
    kenny kent kerry kevin khaled khalid kim kimberly kirk klaus konrad konstantin kristen kristin
    kurt kyle kylie lana lance larry lars laura lauren laurence laurent laurie lawrence lea leah
    lee leila lena leo leon leonard leonardo leopold leroy leslie lester lev lewis liam lillian
    lily lina linda lionel lisa liz lloyd logan lois lorenzo lori lorraine louie louis louise luca
    lucas lucia lucille lucy ludwig luigi luis luiz lukas luke lydia lynn mabel mac madeleine
    madison mae maggie mahmoud malcolm manfred manuel marc marcel marcela marcelo marcia marco
    marcus margaret margot maria marian marianne marie marilyn mario marion marjorie mark marko
    markus marlene marshall marta martha martin martina marvin mary mason mats matt matteo
    matthew matthias maud maureen maurice mauricio max maximilian maxwell maya megan mehmet mel
    melanie melinda melissa melvin mercedes meredith merle meryl mia michael michaela michel
    michele michelle miguel mihail mikael mike mikhail miles milton miranda miriam mitch mitchell
    mohamed mohammad mohammed moira mona monica morgan morris moses muhammad murray myra nadia
    nancy naomi natalia natalie natasha nathan nathaniel neil nelson nick nicholas nicola nicolas
    nicole nigel nikita nikola nikolai nikolaus nina noah noel nora norma norman octavia olaf
    oleg olga oliver olivia omar orlando oscar oskar otto owen pablo pamela paolo pascal pat
    patricia patrick patti paul paula pauline pavel pearl pedro peggy penelope penny percy perry
    pete peter petra phil philip philippe phillip phoebe phyllis pierre pietro piotr preston
    priscilla priya quentin quincy rachel rafael rahul raj rajesh ralph ramon randall randy raphael
    raul ravi ray raymond rebecca regina reginald rene rex rhonda ricardo richard rick ricky
    ringo rita rob robbie robert roberta roberto robin rocco rod roderick rodney rodrigo roger
    roland rolf roman ron ronald ronnie rory rosa rosalind rosemary ross roy ruben rudolf rudolph
    rudy rufus rupert russell ruth ryan sabrina sadie sally salman salvador salvatore sam samantha
    samir sammy samuel sandra sandy sanjay sara sarah saul scott sean sebastian selena serena serge
    sergei sergio seth seymour shane shannon shari sharon shaun sheila shelley sherman shirley
    sidney siegfried sigmund silvia simon simone sofia solomon sonia sophia sophie spencer
    stacy stan stanislav stanley stefan stefano stella stephan stephanie stephen steve steven
    stewart stuart sue sunil surya susan susanna susanne suzanne sven sylvester sylvia tamara tanya
    tara taylor ted terence teresa terrence terry thaddeus thelma theodor theodore theresa thomas
    tiffany tim timothy tina toby todd tom tomas tommy tony tracy travis trent trevor tristan
    troy tyler ulrich ursula valentina valerie vanessa vera vernon veronica vicki victor victoria
    vijay vincent vincenzo viola violet virgil vivian vivien vladimir wallace walt walter wanda
    warren wayne wendell wendy wesley whitney wilbur wilfred wilhelm will willard willem william
    willie willis wilson winifred winston wolfgang woodrow xavier yasser yolanda yuri yusuf yves
    yvonne zachary zoe zoltan
    agnieszka aisha anjali antti aubrey birgit bjorn brianna brody bryce camila deepika dirk eero
    eliana ellie emilia freya hailey haruka jens jerami joachim jochen josiah jukka kaitlyn
    katarzyna kayla kenji khadija kirsten lakshmi layla levi malgorzata mateo matti meg mikel mikko
    naoko nate ned neha nolan pekka pooja ramesh rohan satoshi suresh svetlana takashi tariq
    tatiana tess torsten trish uwe wyatt yasmin yuki
    """.splitlines()
    for part in line.split()
) - frozenset(_ALSO_OTHER_THINGS.split())
