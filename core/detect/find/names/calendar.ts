const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Days of the week and months that are hardly ever a given name, in full and shortened. */
export const CALENDAR_WORDS = words(`
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun
january february march july september october november december feb mar apr jun jul aug sep sept oct nov dec
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mi fr sa
januar jänner februar märz oktober dezember jän mrz okt dez
lundi mardi mercredi jeudi vendredi samedi dimanche jeu ven dim
janvier février fevrier mars juillet août aout septembre octobre novembre décembre decembre janv févr juil déc
lunes martes miércoles miercoles jueves viernes sábado sabado lun mié jue vie sáb
enero febrero marzo mayo junio agosto septiembre octubre noviembre diciembre ene abr dic
lunedì martedì mercoledì giovedì venerdì sabato sab
gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug ott
segunda-feira terça-feira quarta-feira quinta-feira sexta-feira seg qua qui sex
janeiro fevereiro março junho julho setembro outubro novembro dezembro fev out
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart augustus mrt
mandag tirsdag onsdag torsdag fredag lørdag søndag marts
måndag tisdag lördag söndag mån tis ons tors lör sön augusti
maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu
heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu
poniedziałek wtorek środa czwartek piątek sobota niedziela pon wt śr czw pt sob ndz styczeń luty marzec kwiecień
czerwiec lipiec sierpień wrzesień październik listopad grudzień stycznia lutego marca kwietnia czerwca lipca
sierpnia września października listopada grudnia
pondělí úterý středa čtvrtek pátek neděle po út st čt pá ne leden únor březen duben květen červen červenec srpen září
říjen prosinec ledna února března dubna května června července srpna října listopadu prosince
hétfő kedd szerda csütörtök péntek szombat vasárnap január február március április május június július augusztus
szeptember október
luni marți miercuri joi vineri sâmbătă duminică ianuarie februarie martie aprilie iunie iulie septembrie octombrie
noiembrie decembrie
pazartesi salı çarşamba perşembe cuma cumartesi pazar ocak şubat mayıs haziran temmuz ağustos kasım aralık
понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс январь февраль март апрель июнь июль
август сентябрь октябрь ноябрь декабрь января февраля марта апреля мая июня июля августа сентября октября ноября декабря
понеділок вівторок середа четвер неділя січень лютий березень квітень травень червень липень серпень вересень жовтень
листопад грудень січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου
σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
senin selasa rabu kamis jumat sabtu minggu maret agustus desember
gmt utc cet cest est edt pst pdt bst
`);

/** Months that are given names too: only a number next to one makes it a month. */
export const MONTHS_AND_NAMES = words(`
april may june jan august avril mai maj maja mei juni juin jún ekim nisan eylül mayo julio juli domingo domenica abril sam dom gio mo ago mart
`);

/** Also the parts of "segunda-feira". */
const CALENDAR: ReadonlySet<string> = new Set(CALENDAR_WORDS.flatMap((word) => [word, ...word.split('-')]));
const MONTHS: ReadonlySet<string> = new Set(MONTHS_AND_NAMES);
const NUMBER_BEFORE = /\d(?:st|nd|rd|th|\.|er|de|\sde)?[\s,./-]{0,2}$/;
const NUMBER_BEHIND = /^[\s,./-]{0,3}\d/;
const MAX_WORDS = 8;

/** True for a day of the week, a month or several of them. `before` and `behind`: the text around it. */
export function isDate(value: string, before: string, behind: string): boolean {
  const all = value.toLowerCase().split(/[\s.,/–-]+/);
  if (all.length > MAX_WORDS) return false;
  const known = all.filter((word) => word !== '');
  if (known.every((word) => CALENDAR.has(word))) return true;
  return (
    known.every((word) => CALENDAR.has(word) || MONTHS.has(word)) &&
    (NUMBER_BEHIND.test(behind) || NUMBER_BEFORE.test(before))
  );
}

export const isMonthAndName = (word: string): boolean => MONTHS.has(word.toLowerCase());
