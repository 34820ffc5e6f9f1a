"""Small words of other languages than English, that tell names from what stands beside them."""

__all__ = [
    "FRENCH_DOUBT",
    "FRENCH_EDGES",
    "FRENCH_NO_NAMES",
    "FUNCTION_WORDS",
    "JOINTS",
    "NOT_FIRST",
]

_JOINTS = """
af al av ben bin d da de degli dei del della den der des di do dos du e el et i ibn la las le
les los och of ten ter und van von y zu zum zur
"""
JOINTS = frozenset(_JOINTS.split())
"""What stands inside a name: "Ludwig van Beethoven", "Rio de Janeiro"."""

_NOT_FIRST = """
a al am an as au auf aus aux bei ce ces cet cette com con da das de dem den der des det di die
dies diese dieser dieses du e een ein eine einem einen einer eines el elle elles em en es et för
från für gli het hij i ihr ihre ihrem ihren ihrer ihnen il ils im in ist ja je kein keine l la
las le les lo los mais med mein meine mit nach não naar né no non nous nós o og on os ou para par
pas per po por pour que qui se ses si sie son sous su sua sur the till um un una und une uno van
vom von vor vous was wenn wer wie wir y zu zum zur à å è é
"""
NOT_FIRST = frozenset(_NOT_FIRST.split())
"""What stands at the beginning of a sentence and begins no name."""

_FUNCTION_WORDS = """
alla als auch auf aus avec bei ce ces che come con cu da dans das dass de dei del della dem den der
des det die dies diese dieser do du durch e een ein eine einem einen einer eines el elle en es est
et für gli het hij hoe il ils ist je kann los le les lo más med mit nach não ne nicht niet nous
och oder os ou para pas per por pour que qui se sich sie sind son sono sur um una und une unter van
vom von vous werden wie wird y zu zum zur à è é är över
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Frequent words of western languages that no English sentence has several of."""

_FRENCH_NO_NAMES = """
il elle ils elles on je tu nous vous ce ceci cela ça qui que dont où lui eux celui celle monsieur
madame m. mme lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai
juin juillet août septembre octobre novembre décembre
"""
FRENCH_NO_NAMES = frozenset(_FRENCH_NO_NAMES.split())
"""What is in no name, though a model takes it for one."""

_FRENCH_EDGES = """
le la les l' l’ un une des du de d' d’ et à au aux en dans sur par pour
"""
FRENCH_EDGES = frozenset(_FRENCH_EDGES.split())
"""What begins and ends no name."""

_FRENCH_DOUBT = """
si s' selon d'après peut-être probablement soi-disant présumé prétendument aurait auraient serait
seraient devrait devraient pourrait pourraient
"""
FRENCH_DOUBT = frozenset(_FRENCH_DOUBT.split())
"""What says that somebody only says, hopes or supposes what is said."""
