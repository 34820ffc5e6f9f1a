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
    alfonso,alix,almodis,amadeus,amalia,amalie,ambrose,amélie,anselm,aremburga,aymer,
    baldwin,bayezid,beatrix,berengar,berengaria,berenice,bernardo,berthe,bertrada,
    blanche,bogislaw,bohemond,boleslaw,bolesław,bonne,burchard,béla,canute,casimir,
    charlotte,childebert,christopher,clemence,clementia,clotilde,cnut,constantine,
    cunegonde,cunigunde,dagmar,dobrawa,dorothea,drogo,eadgifu,edgar,eleonora,eleonore,
    elisabetta,engelbert,ermengarde,ermesinde,ernestine,eudes,euphemia,euphrosyne,eustace,
    ferrante,florence,fredegund,frederica,frederik,frederikke,friederike,fulk,garsenda,
    gaston,geza,gisela,godfrey,gojslava,gonzalo,gregory,guido,gunhilda,gustavus,guy,
    gytha,haakon,hakon,hedwig,heinrich,helena,henrietta,hermenegild,hildegard,honora,
    hugh,humbert,humphrey,igor,ines,infante,inge,ingeborg,irmengard,isabeau,isabel,
    iziaslav,jadwiga,jaime,jeanne,joanna,jobst,jogaila,judith,juliana,jutta,karoline,
    kazimierz,kunigunde,ladislaus,leopoldina,leszek,liutgard,lothair,louise,ludmila,
    ludovico,luisa,luise,luitpold,magdalena,magnus,mahaut,malcolm,manuel,margaretha,
    margherita,marguerite,marie,mathilda,mathilde,matilda,maud,mechthild,mieszko,
    mstislav,odo,ordoño,osbert,otto,ottokar,pedro,pepin,philippa,philippe,piast,
    premislaus,rainier,ramiro,raymond,reginar,reinhold,renata,richenza,richeza,rikissa,
    robert,rollo,rostislav,roxana,rudolf,rupprecht,rurik,salomea,sancha,sanchia,sancho,
    sibylla,siemowit,sigismund,simeon,sophie,stanisław,stephen,sverker,sviatopolk,
    sviatoslav,svyatopolk,svyatoslav,sweyn,swietopelk,tancred,theobald,theodora,theodore,
    theodoric,theophanu,theresa,thierry,thyra,urraca,valdemar,violant,violante,
    vladislaus,volodar,vratislaus,vsevolod,waleran,welf,wenceslaus,wilhelmina,wilhelmine,
    willem,wladislaw,władysław,yaropolk,yaroslav,yolanda,yolande,zita,zygmunt,élisabeth
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
