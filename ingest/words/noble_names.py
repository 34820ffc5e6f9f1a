"""Words of the names of kings and nobles: ranks, and given names that are rare elsewhere."""

from hlg.ingest.words.given_names import GIVEN_NAMES
from hlg.ingest.words.listed import listed

__all__ = ["NOBLE_GIVEN_NAMES", "NOBLE_RANKS", "PEERS", "SECOND_NAMES"]

PEERS = listed(
    """
    archduchess,archduke,baron,baroness,baronet,count,countess,dauphin,duchess,duke,
    earl,elector,electress,infanta,infante,landgrave,landgravine,lord,margrave,
    margravine,marquess,marquis,prince,princess,viscount,viscountess,voivode
    """
)
"""Ranks that may follow a name: "Edmund of Langley, 1st Duke of York"."""
NOBLE_RANKS = PEERS | listed(
    """
    dame,emperor,empress,king,lady,pope,queen,saint,sir,sultan,tsar,tsarina
    """
) - {"baronet"}
"""And those that may stand before one."""

NOBLE_GIVEN_NAMES = (
    GIVEN_NAMES
    | listed(
        """
    adalbert,adela,adelaide,adelheid,adolphus,afonso,albrecht,aleksander,alfonsina,
    alix,almodis,amadeus,amalia,amalie,ambrose,amélie,anselm,aremburga,aymer,
    baldwin,bayezid,beatrix,berengar,berengaria,berenice,bernardo,berthe,bertrada,
    blanche,bogislaw,bohemond,boleslaw,bolesław,bonne,burchard,béla,canute,casimir,
    charlotte,childebert,clemence,clementia,clotilde,cnut,constantine,cunegonde,
    cunigunde,dagmar,dobrawa,dorothea,drogo,eadgifu,eleonora,eleonore,elisabetta,
    engelbert,ermengarde,ermesinde,ernestine,eudes,euphemia,euphrosyne,eustace,
    ferrante,florence,fredegund,frederica,frederik,frederikke,friederike,fulk,
    garsenda,geza,gisela,godfrey,gojslava,gonzalo,guido,gunhilda,gustavus,gytha,
    haakon,hakon,hedwig,henrietta,hermenegild,hildegard,honora,humbert,humphrey,ines,
    inge,ingeborg,irmengard,isabeau,iziaslav,jadwiga,jaime,jobst,jogaila,juliana,
    jutta,karoline,kazimierz,kunigunde,ladislaus,leopoldina,leszek,liutgard,lothair,
    ludmila,ludovico,luisa,luise,luitpold,magdalena,magnus,mahaut,margaretha,
    margherita,marguerite,mathilda,mathilde,matilda,mechthild,mieszko,mstislav,odo,
    ordoño,osbert,ottokar,pepin,philippa,piast,premislaus,rainier,ramiro,reginar,
    reinhold,renata,richenza,richeza,rikissa,rollo,rostislav,roxana,rupprecht,rurik,
    salomea,sancha,sanchia,sancho,sibylla,siemowit,sigismund,simeon,stanisław,
    sverker,sviatopolk,sviatoslav,svyatopolk,svyatoslav,sweyn,swietopelk,tancred,
    theobald,theodora,theodoric,theophanu,thierry,thyra,urraca,valdemar,violant,
    violante,vladislaus,volodar,vratislaus,vsevolod,waleran,welf,wenceslaus,
    wilhelmina,wilhelmine,wladislaw,władysław,yaropolk,yaroslav,yolande,zita,zygmunt,
    élisabeth
    """
    )
) - listed(
    """
    angel,april,art,august,bill,cliff,crystal,dale,dawn,dean,earl,faith,glen,grace,guy,heather,
    holly,hope,iris,jack,joy,june,lily,mark,may,miles,pat,pearl,rob,rose,ruby,star,sue,violet,
    will
    """
)
"""Given names that with a place behind them name a person: "Philippa of Hainault"."""
SECOND_NAMES = listed(
    """
    adelaide,alexandrine,amadeus,amalia,amalie,anna,anne,antonia,august,augusta,auguste,
    beatrice,caroline,casimir,charlotte,christian,christina,christine,dorothea,eleonora,
    eleonore,elisabeth,elizabeth,emanuel,eugenie,ferdinand,frederica,frederick,friederike,
    friedrich,henriette,isabella,josepha,juliana,juliane,karl,leopold,leopoldine,louise,
    ludovika,ludwig,luise,magdalena,magdalene,maria,marie,mathilde,maximilian,pauline,
    philippine,sibylle,sophia,sophie,theresa,therese,victoria,wilhelm,wilhelmina,
    wilhelmine
    """
)
"""Second given names, hardly anyone's surname: "Caroline Amalie of Augustenburg"."""
