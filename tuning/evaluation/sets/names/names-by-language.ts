import { seededRandom } from '../../../samples/random.ts';
import type { LabelledSpan } from '../../../samples/spans.ts';
import type { LabelledText } from './name-layouts.ts';
import { EAST_ASIAN, type OfLanguage } from './names-of-east-asia.ts';

export const LANGUAGES: Readonly<Record<string, OfLanguage>> = {
  de: {
    people:
      'Annegret|Kloppenburg; Torsten|Wiesengrund; Fatma|Yıldırım; Hildegard|von Stauffen; Jürgen|Böhmer; Lina|Scharnagl; Björn|Dettmann; Katharina|Fuchs',
    addresses:
      'Lindenstraße 14, 10969 Berlin; Am Bahndamm 3a, 26121 Oldenburg; Schillerplatz 7, 55116 Mainz; Hauptstr. 112, 69117 Heidelberg',
    texts: [
      'Können Sie mir sagen, ob {P} heute im Büro ist?',
      'Unser Mitarbeiter {P} meldet sich bis Freitag bei Ihnen.',
      'Die Rechnung wurde an Herrn {L} geschickt, wohnhaft {A}.',
      'Meine Tochter {F} braucht ein Attest für die Schule.',
      'Schreibe eine Kündigung für {P}, {A}.',
      'Wie lange ist die Lieferzeit für eine Waschmaschine mit Trockner?',
      'Der Vorstand beschloss die Erhöhung der Beiträge für das Geschäftsjahr.',
      'Welche Unterlagen brauche ich für den Antrag auf Elterngeld?',
    ],
  },
  fr: {
    people:
      'Maëlys|Tréhin; Gaspard|Vaillancourt; Aminata|Diop; Jean-Baptiste|Lemoine; Solène|Kervadec; Yann|Le Goff; Brigitte|Fontanel; Karim|Boudiaf',
    addresses:
      '18 rue des Lilas, 69003 Lyon; 5 bis avenue Jean Jaurès, 31000 Toulouse; 240 boulevard Voltaire, 75011 Paris; 3 impasse du Moulin, 35000 Rennes',
    texts: [
      'Pouvez-vous me dire si {P} est au bureau aujourd’hui ?',
      'Notre conseillère {P} vous contactera avant vendredi.',
      'La facture a été envoyée à M. {L}, domicilié {A}.',
      "Ma fille {F} a besoin d'un certificat pour l'école.",
      'Rédige une lettre de résiliation pour {P}, {A}.',
      'Quels sont les documents à fournir pour une demande de logement ?',
      'Le Conseil a adopté la loi sur la protection des données.',
      'Comment préparer une tarte aux pommes sans gluten ?',
    ],
  },
  es: {
    people:
      'Itziar|Goikoetxea; Álvaro|Benavides Ruiz; Guadalupe|Zamarripa; José Luis|Carrascosa; Nerea|Quintanilla; Wilmer|Chávez; Pilar|Olmedo; Iker|Sanz',
    addresses:
      'Calle de Alcalá 210, 28028 Madrid; Avenida de la Constitución 8, 41004 Sevilla; C/ Colón 33, 3º B, 46004 Valencia; Paseo de Gracia 55, 08007 Barcelona',
    texts: [
      '¿Me puede decir si {P} está hoy en la oficina?',
      'Nuestra compañera {P} le llamará antes del viernes.',
      'La factura se envió al Sr. {L}, con domicilio en {A}.',
      'Mi hija {F} necesita un justificante para el colegio.',
      'Redacta una carta de baja para {P}, {A}.',
      '¿Qué documentos necesito para pedir una beca?',
      'El Gobierno aprobó la ley de protección de datos.',
      'Cómo hacer una tortilla de patatas sin cebolla',
    ],
  },
  it: {
    people:
      'Ludovica|Sartorelli; Gianmarco|Piovesan; Ornella|De Santis; Ettore|Bellandi; Chiara|Tognazzi; Samuele|Ricci; Immacolata|Esposito; Dario|Zanetti',
    addresses:
      'Via Garibaldi 27, 20121 Milano; Corso Umberto I 140, 80138 Napoli; Piazza San Marco 2, 30124 Venezia; Viale dei Tigli 9, 40137 Bologna',
    texts: [
      'Mi può dire se {P} oggi è in ufficio?',
      'La nostra collega {P} la richiamerà entro venerdì.',
      'La fattura è stata spedita al sig. {L}, residente in {A}.',
      'Mia figlia {F} ha bisogno di un certificato per la scuola.',
      'Scrivi una lettera di disdetta per {P}, {A}.',
      'Quali documenti servono per chiedere il passaporto?',
      'Il Governo ha approvato la legge sulla protezione dei dati.',
      'Come si prepara una torta di mele senza glutine?',
    ],
  },
  pt: {
    people:
      'Mafalda|Quaresma; Duarte|Vasconcelos; Conceição|Figueiredo; Rui|Teles; Inês|Salgueiro; Afonso|Brandão; Lurdes|Pimentel; Thiago|Nóbrega',
    addresses:
      'Rua de Santa Catarina 312, 4000-443 Porto; Avenida da Liberdade 45, 2.º Esq., 1250-140 Lisboa; Travessa do Carmo 9, 8000-148 Faro; Praça da República 21, 3000-343 Coimbra',
    texts: [
      'Pode dizer-me se {P} está hoje no escritório?',
      'A nossa colega {P} telefona-lhe até sexta-feira.',
      'A fatura foi enviada ao Sr. {L}, residente em {A}.',
      'A minha filha {F} precisa de uma declaração para a escola.',
      'Escreve uma carta de rescisão para {P}, {A}.',
      'Que documentos são precisos para renovar o passaporte?',
      'O Governo aprovou a lei da proteção de dados.',
      'Como fazer um bolo de cenoura sem açúcar?',
    ],
  },
  nl: {
    people:
      'Sietske|Hoekstra; Joost|van Wijngaarden; Anouk|Verbruggen; Bart-Jan|de Graaf; Fenna|Postma; Youssef|El Amrani; Marloes|ten Brink; Teun|Kuipers',
    addresses:
      'Prinsengracht 263, 1016 GV Amsterdam; Kerkstraat 18, 3581 RA Utrecht; Lange Voorhout 5, 2514 EA Den Haag; Meir 44, 2000 Antwerpen',
    texts: [
      'Kunt u mij zeggen of {P} vandaag op kantoor is?',
      'Onze collega {P} belt u voor vrijdag terug.',
      'De factuur is gestuurd naar dhr. {L}, wonende {A}.',
      'Mijn dochter {F} heeft een briefje nodig voor school.',
      'Schrijf een opzegging voor {P}, {A}.',
      'Welke documenten heb ik nodig voor een huurtoeslag?',
      'De Tweede Kamer stemde in met de wet op de privacy.',
      'Hoe bak je een appeltaart zonder ei?',
    ],
  },
  pl: {
    people:
      'Grażyna|Mazurkiewicz; Krzysztof|Dąbrowski; Zuzanna|Wilczek; Bogdan|Żurawski; Agnieszka|Rogalska; Sławomir|Pietrzyk; Kinga|Brzezińska; Jacek|Sroka',
    addresses:
      'ul. Mickiewicza 24/3, 31-120 Kraków; al. Jerozolimskie 81, 02-001 Warszawa; ul. Długa 7, 80-827 Gdańsk; os. Kościuszkowców 15 m. 8, 61-891 Poznań',
    texts: [
      'Czy może mi pani powiedzieć, czy {P} jest dzisiaj w biurze?',
      'Nasza pracownica {P} oddzwoni do piątku.',
      'Fakturę wysłano na nazwisko {L}, adres: {A}.',
      'Moja córka {F} potrzebuje zaświadczenia do szkoły.',
      'Napisz wypowiedzenie umowy: {P}, {A}.',
      'Jakie dokumenty są potrzebne do wniosku o paszport?',
      'Rada Ministrów przyjęła ustawę o ochronie danych.',
      'Jak upiec szarlotkę bez glutenu?',
    ],
  },
  cs: {
    people:
      'Vlastimil|Pospíšil; Ludmila|Kratochvílová; Matěj|Hrubý; Zdeňka|Vaňková; Radek|Šimůnek; Barbora|Jelínková; Oldřich|Kubát; Tereza|Malá',
    addresses:
      'Vinohradská 112, 130 00 Praha 3; nám. Svobody 9, 602 00 Brno; Nádražní 45/2, 702 00 Ostrava; Na Příkopě 22, 110 00 Praha 1',
    texts: [
      'Můžete mi říct, jestli je {P} dnes v kanceláři?',
      'Naše kolegyně {P} vám zavolá do pátku.',
      'Fakturu jsme poslali na jméno {L}, bytem {A}.',
      'Moje dcera {F} potřebuje potvrzení do školy.',
      'Napiš výpověď smlouvy: {P}, {A}.',
      'Jaké doklady potřebuji k žádosti o pas?',
      'Vláda schválila zákon o ochraně osobních údajů.',
      'Jak upéct jablečný závin bez cukru?',
    ],
  },
  sv: {
    people:
      'Gunilla|Sjöstrand; Viktor|Hallberg; Ebba|Lagerkvist; Ingvar|Nyqvist; Tuva|Åkesson; Sten|Bergkvist; Amira|Haddad; Pontus|Ekdahl',
    addresses:
      'Storgatan 24, 852 30 Sundsvall; Sveavägen 98 B, 113 50 Stockholm; Linnégatan 6, 413 04 Göteborg; Östra Förstadsgatan 12, 211 31 Malmö',
    texts: [
      'Kan du säga om {P} är på kontoret i dag?',
      'Vår kollega {P} ringer dig före fredag.',
      'Fakturan skickades till herr {L}, {A}.',
      'Min dotter {F} behöver ett intyg till skolan.',
      'Skriv en uppsägning för {P}, {A}.',
      'Vilka handlingar behövs för att ansöka om pass?',
      'Regeringen antog lagen om skydd för uppgifter.',
      'Hur bakar man en äppelkaka utan mjöl?',
    ],
  },
  da: {
    people:
      'Birthe|Mortensen; Rasmus|Kjærgaard; Signe|Thorup; Preben|Vestergaard; Maja|Winther; Asger|Bruun; Lone|Damgaard; Villads|Holst',
    addresses:
      'Nørregade 12, 1165 København K; Søndergade 45, 8000 Aarhus C; Algade 3, 9000 Aalborg; Kongensgade 70, 5000 Odense C',
    texts: [
      'Kan du sige mig, om {P} er på kontoret i dag?',
      'Vores kollega {P} ringer til dig inden fredag.',
      'Fakturaen er sendt til hr. {L}, {A}.',
      'Min datter {F} skal bruge en attest til skolen.',
      'Skriv en opsigelse for {P}, {A}.',
      'Hvilke papirer skal jeg bruge for at søge om pas?',
      'Regeringen vedtog loven om beskyttelse af oplysninger.',
    ],
  },
  ...EAST_ASIAN,
};

const SLOT = /\{([PFLA])\}/g;
const parts = (list: string): readonly string[] => list.split(';').map((part) => part.trim());
/** These languages write the surname first, without a blank. */
const SURNAME_FIRST: ReadonlySet<string> = new Set(['ja', 'zh', 'ko']);
const TIMES = 6;

function filled(
  language: string,
  { people, addresses }: OfLanguage,
  pick: (list: readonly string[]) => string,
) {
  return (layout: string): LabelledText => {
    let text = '';
    let from = 0;
    const spans: LabelledSpan[] = [];
    for (const { 0: slot, 1: kind, index } of layout.matchAll(SLOT)) {
      const [given = '', surname = ''] = pick(parts(people)).split('|');
      const full = SURNAME_FIRST.has(language) ? surname + given : `${given} ${surname}`;
      const value =
        kind === 'A' ? pick(parts(addresses)) : kind === 'F' ? given : kind === 'L' ? surname : full;
      text += layout.slice(from, index);
      spans.push({
        type: kind === 'A' ? 'ADDRESS' : 'PERSON',
        start: text.length,
        end: text.length + value.length,
      });
      text += value;
      from = index + slot.length;
    }
    return { text: text + layout.slice(from), spans };
  };
}

/** Texts of a language, each layout filled in several times. */
export function namesOfLanguage(language: string): readonly LabelledText[] {
  const one = LANGUAGES[language]!;
  const { pick } = seededRandom(90_417);
  const fill = filled(language, one, pick);
  return Array.from({ length: TIMES }, () => one.texts.map(fill)).flat();
}
