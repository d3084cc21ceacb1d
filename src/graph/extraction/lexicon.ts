import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.js';
import { fold } from '../../text/fold.js';
import { splitLegalForm } from '../legal-forms.js';
import { givenNames } from './given-names.js';

/**
 * The word list of compromise, as written by the build: words with tags for names, places and
 * organizations. Its tagger is not used.
 */
const lexicon = JSON.parse(readFileSync(join(packageRoot, 'dist', 'lexicon.json'), 'utf8')) as Readonly<
  Record<string, string | readonly string[]>
>;

export type NameKind = 'first' | 'last' | 'place' | 'region' | 'organization' | 'demonym' | undefined;

const words = (text: string) => new Set(text.trim().split(/\s+/));
const phrases = (text: string) => new Set(text.split(',').map((phrase) => phrase.trim()));

const kinds: Readonly<Record<string, NameKind>> = {
  MaleName: 'first',
  FemaleName: 'first',
  FirstName: 'first',
  LastName: 'last',
  City: 'place',
  Place: 'place',
  Region: 'region',
  Country: 'region',
  Organization: 'organization',
  SportsTeam: 'organization',
  Demonym: 'demonym',
};

const regionAbbreviations = words(
  `ala alaska ariz ark calif colo conn del fla ga ill ind kan kans ky la md mass mich minn miss mo mont neb nebr nev
   n.h n.j n.m n.y n.c n.d okla ore pa penn penna r.i s.c s.d tenn tex vt va wash w.va wis wyo d.c b.c ont que sask alta`,
);
const regions = phrases(
  `u.s, u.s.a, us, usa, u.k, uk, uae, ussr, u.s.s.r, united states, united kingdom, soviet union, america, britain, guinea-bissau,
   great britain, england, scotland, wales, northern ireland, virginia, west virginia, north carolina, south carolina,
   north dakota, south dakota, new jersey, new mexico, new hampshire, rhode island, north korea, south korea,
   new zealand, new south wales, czech republic, saudi arabia, hong kong, puerto rico, bosnia, jordan, georgia, chad,
   middle east, western europe, eastern europe, central america, latin america, north america, south america,
   siberia, catalonia, bavaria, ontario, quebec, british columbia, washington state, maryland, alaska, hawaii, yugoslavia, west germany, east germany,
   czechoslovakia, european union, persian gulf, west bank, gaza strip, southeast asia`,
);
const places = phrases(
  `washington, new york, new york city, san francisco, san diego, san jose, san antonio, st. louis, st. paul, st. petersburg,
   jerusalem, sydney, florence, charlotte, austin, houston, dallas, denver, phoenix, orlando, cleveland, lincoln,
   columbus, victoria, atlanta, boston, chicago, miami, detroit, philadelphia, pittsburgh, portland, zurich, geneva,
   munich, cologne, hamburg, frankfurt, bangalore, mumbai, shenzhen, tel aviv, capitol hill, silicon valley, wall street,
   louisville, nashville, memphis, milwaukee, albuquerque, sacramento, honolulu, anchorage, tampa, omaha, tulsa, beijing`,
);
/** First names that are also everyday words; alone they never count as persons. */
const ambiguousNames = words(
  `will may mark bill rose grace faith hope joy iris ivy art rich pat sue dawn april june august summer autumn
   christian gene guy jack jewel king lance miles norm page penny piper princess ray reed rod sandy sky sterling sunny
   violet ward wade an al ah jan so my see long chance major chase drew grant frank earnest ford hunter angel general
   bishop brook candy carol cliff daisy dean gay ginger harmony heath hazel holly jade jasmine kitty melody olive pearl
   ruby star stone trinity victor van young price`,
);

const demonyms = words(
  `arabic english spanish turkish french german italian russian chinese japanese korean portuguese dutch swedish danish
   norwegian finnish polish czech hungarian greek hebrew persian farsi hindi urdu bengali thai vietnamese indonesian malay
   swahili latin ukrainian romanian bulgarian serbian croatian serbo-croatian bosnian slovak slovene albanian cuban american
   african asian european arab iraqi iranian israeli palestinian syrian lebanese egyptian saudi jordanian kuwaiti british
   english scottish welsh irish canadian mexican brazilian argentine chilean peruvian colombian venezuelan haitian
   australian indian pakistani afghan soviet slavic hmong incan north-korean anglo-saxon victorian byzantine ottoman
   chechen kurdish basque catalan swiss austrian belgian nordic scandinavian baltic balkan western eastern northern
   southern african-american afro-american americans europeans russians germans koreans japanese`,
);

/** Companies named like people. They count as companies, unless something shows that a person is meant. */
const namesakes = phrases(
  `abercrombie & fitch, alfa romeo, arthur andersen, aston martin, baker mckenzie, barnes and noble, bath & body works, bear stearns, ben & jerry,
   bergdorf goodman, black and decker, booz allen, booz allen hamilton, brooks brothers, calvin klein, charles schwab, christian dior,
   dr pepper, duane reade, eddie bauer, edward jones, eli lilly, elizabeth arden, ernst & young, ernst and young, ernst young, estee lauder,
   estée lauder, fannie mae, franklin templeton, freddie mac, giorgio armani, goldman sachs, grant thornton, harley davidson, harley-davidson, harry winston,
   hewlett packard, hugo boss, j.p. morgan, j. p. morgan, jack daniels, jane street, jim beam, jimmy choo, john deere, john lewis,
   johnson and johnson, jones day, jones lang lasalle, jp morgan, julius baer, kate spade, lehman brothers, levi strauss, louis vuitton,
   marks and spencer, marsh mclennan, mary kay, max factor, mercedes benz, merrill lynch, michael kors, morgan stanley, neiman marcus, oscar mayer,
   philip morris, price waterhouse, procter and gamble, ralph lauren, raymond james, rolls royce, rolls-royce, sallie mae, sara lee,
   smith and wesson, thomas cook, tommy hilfiger, tory burch, wells fargo, willis towers watson, wolters kluwer, yves rocher`,
);

/** Whether an organization's name, in lower case, looks like a person's. */
export function isNamesake(lower: string): boolean {
  return namesakes.has(lower);
}

/** The kind of a name, given in lower case; undefined if it is not known. */
export function kindOf(lower: string): NameKind {
  const plain = lower.endsWith('.') ? lower.slice(0, -1) : lower;
  if (namesakes.has(plain)) return 'organization';
  if (demonyms.has(plain)) return 'demonym';
  if (regions.has(plain) || regionAbbreviations.has(plain)) return 'region';
  if (places.has(plain)) return 'place';
  const tags = Object.hasOwn(lexicon, plain) ? lexicon[plain] : undefined;
  for (const tag of typeof tags === 'string' ? [tags] : (tags ?? [])) {
    const kind = kinds[tag];
    if (kind === 'place' && plain.length <= 3) return undefined;
    if (kind) return kind;
    if (tag === 'Person') return 'first';
  }
  return isGivenName(plain) ? 'first' : undefined;
}

/** Whether it is a given name, possibly with accents: "Tomás". */
function isGivenName(lower: string): boolean {
  if (/^[\0-\u007f]*$/.test(lower)) return givenNames.has(lower);
  const bare = fold(lower);
  return bare !== lower && (givenNames.has(bare) || kindOf(bare) === 'first');
}

/** Whether a word is a demonym: "Swedish", "Italian-American". */
export function isDemonym(lower: string): boolean {
  return kindOf(lower.slice(lower.lastIndexOf('-') + 1)) === 'demonym';
}

/** Whether a word is a first name and no everyday word. */
export function isFirstName(lower: string): boolean {
  return !ambiguousNames.has(lower) && kindOf(lower) === 'first';
}

/** Whether a word is a first name, even if it is an everyday word: "Will", "Miles". */
export function mayBeFirstName(lower: string): boolean {
  return ambiguousNames.has(lower) || kindOf(lower) === 'first';
}

/** Whether a word is both a first name and an everyday word. */
export function isWordFirstName(lower: string): boolean {
  return ambiguousNames.has(lower);
}

/**
 * Whether words name a part of a company, which employs nobody itself: "Head of
 * Data", "Research & Development".
 */
export function isDepartment(lower: readonly string[]): boolean {
  return lower.every((word) => departmentWords.has(word) || /^(?:&|and|of)$/.test(word));
}

/** The gender that a title or first name shows; undefined if it shows none. */
export function genderOf(name: string): 'male' | 'female' | undefined {
  const [first = ''] = name.toLowerCase().split(' ');
  if (/^mrs?\.?$/.test(first)) return first.startsWith('mrs') ? 'female' : 'male';
  const tags = Object.hasOwn(lexicon, first) ? [lexicon[first] ?? []].flat() : [];
  if (tags.includes('FemaleName')) return 'female';
  return tags.includes('MaleName') ? 'male' : undefined;
}

/** Whether a word abbreviates a state or region: "ca", "n.y.". */
export function isRegionAbbreviation(lower: string): boolean {
  return regionAbbreviations.has(lower.replace(/\.$/, ''));
}

/** Whether a word is common in any text. Rare English words, such as "nimbus" and "acme", are not. */
export function isCommonWord(lower: string): boolean {
  return Object.hasOwn(lexicon, lower) && lexicon[lower] !== 'ProperNoun' && kindOf(lower) === undefined;
}

/** Whether a word is an infinitive or gerund, whatever else it may be. */
export function isVerbWord(lower: string): boolean {
  const tags = Object.hasOwn(lexicon, lower) ? [lexicon[lower] ?? []].flat() : [];
  return tags.some((tag) => /^(?:Infinitive|Gerund)$/.test(tag));
}

/** Whether a word is an office that names nobody when it stands alone: "the Chairman". */
export function isOffice(lower: string): boolean {
  return roles.has(lower) || titles.has(lower);
}

/** Whether a word says what somebody does or is at work: "director", "geologist". */
export function isRole(lower: string): boolean {
  if (roles.has(lower) || /^\p{Ll}{3,}(?:ologist|ician|ographer|[^u]woman|[^urw]man)$/u.test(lower))
    return !noRoles.has(lower);
  const tag = Object.hasOwn(lexicon, lower) ? lexicon[lower] : undefined;
  return tag === 'Actor' && !noRoles.has(lower);
}

const noRoles = words(
  `baby character child boy girl god guest human kin lad lady icon idol ghost baron bros enemy hero anybody nobody beings maker customer german roman norman batman layman superman caveman ottoman`,
);
const roles = words(
  `chairman chairwoman chairperson chair president vice-president co-chairman director co-director spokesman spokeswoman
   spokesperson manager owner co-owner editor correspondent reporter professor lecturer secretary treasurer analyst
   officer official executive founder co-founder cofounder head chief leader member commander engineer scientist
   researcher economist attorney lawyer judge justice minister ambassador representative delegate adviser advisor
   consultant coordinator administrator superintendent curator producer publisher columnist photographer writer author
   coach captain pitcher player partner principal dean teacher surgeon physician pharmacist doctor nurse student
   employee worker staffer senator congressman congresswoman governor mayor commissioner prosecutor detective inspector
   investigator agent archivist architect designer developer programmer ceo cto cfo coo cio cmo cpo ciso vp svp evp
   trustee chancellor provost rector bishop archbishop pastor priest rabbi imam counsel co-leader businessman
   businesswoman actor actress singer composer conductor musician geologist biologist physicist chemist historian
   meteorologist psychologist trader broker banker teller clerk pilot sergeant lieutenant colonel admiral intern
   resident native citizen farmer accountant auditor cofounders founders owners creator inventor maintainer contributor
   librarian strategist technician planner supervisor foreman fellow pollster lobbyist envoy negotiator chaplain striker midfielder
   quarterback plaintiff defendant claimant complainant respondent guarantor aide attache attaché activist ecologist envoy deputy
   novelist essayist pianist violinist cellist guitarist drummer botanist biochemist dentist barrister midwife paramedic goalkeeper cyclist`,
);

/** Roles that people have towards an organization that does not employ them. */
export const outsiders = words(
  `ally alumna alumnus backer borrower buyer claimant client competitor complainant consumer creditor critic customer debtor defector defendant detractor
   donor enemy enthusiast fan father foe follower friend graduate grandfather grandmother guarantor guest heir hostage investor
   laureate listener lover mother neighbor neighbour opponent passenger patient patron plaintiff reader recipient respondent rival sensation
   shareholder skeptic sponsor stakeholder stockholder subscriber sufferer supporter survivor suspect sympathizer tenant tourist
   user victim viewer visitor whistleblower widow widower winner witness`,
);

/** Titles before a person's name. */
export const titles = words(
  `mr mrs ms miss mx dr prof sen sens rep reps gov lt capt col gen sgt maj adm cpl pvt cmdr rev fr hon sir dame lord lady
   president chancellor senator representative congressman congresswoman governor mayor minister premier secretary
   ambassador judge justice chief king queen prince princess pope cardinal bishop archbishop rabbi imam ayatollah sheik sheikh
   general admiral colonel major captain lieutenant sergeant corporal private commander detective inspector officer
   professor doctor father sister brother reverend saint chairman chairwoman director attorney commissioner sheriff
   hrh h.r.h h.e pfc spc det insp supt brig amb msgr mme mlle herr frau majesty highness excellency
   superintendent marshal engineer agent spokesman spokeswoman coach dictator leader emperor sultan ceo cto cfo coo cio vp`,
);
/** Titles that many people of a name may have; but there is one President Obama. */
export const commonTitles = words(
  `mr mrs ms miss mx dr doctor prof professor rev reverend fr father sister brother sir capt captain lt lieutenant col colonel maj
   major sgt sergeant cpl corporal pvt private pfc officer det detective insp inspector judge justice coach mme mlle herr frau agent engineer`,
);
/** Titles that are kept in a name when only a surname follows: "Mrs. Lee" is not "Lee". */
export const kinTitles = words('mr mrs ms miss mx');

/** Words in the names of departments. */
const departmentWords = words(
  `accounts analytics architecture backend brand business care cloud commerce communications compliance content corporate customer customers data
   delivery demand design development devops digital ecommerce engineering enterprise experience facilities field finance frontend growth hardware
   hr human information infrastructure innovation insights integration it learning legal logistics manufacturing marketing mobile
   network operations partnerships people performance planning platform platforms portfolio procurement product products program
   programs project projects purchasing qa quality recruiting relations reliability research resources revenue risk safety sales
   science security service services site software strategic strategy success supply support systems talent tax technology
   training transformation web workplace`,
);

/** Last words of organizations' names. */
export const organizationEnds = words(
  `inc aps asa corp corporation co company companies oyj ltd limited llc llp plc gmbh ag sa nv bv oy ab kg group holdings holding
   partners associates brothers bros sons foundation association assn federation union alliance coalition league
   society institute institution university college school academy department dept ministry bureau agency office
   commission committee subcommittee council board court courts parliament congress senate assembly party front movement
   army navy force forces guard corps police marines bank trust fund exchange insurance airlines airways railway
   railroad motors industries enterprises technologies systems software labs laboratories laboratory studios
   entertainment pictures records media press news times post journal tribune herald gazette magazine newspaper
   television tv radio fm network networks broadcasting publishing publishers hospital hospitals clinic church museum
   club team services service solutions consulting communications telecom energy electric power oil petroleum gas
   chemical chemicals pharmaceuticals pharma foods brewery breweries stores restaurants hotels administration
   authority government organization organisation center centre program programme staff house orchestra
   symphony ballet opera theatre theater library cabinet embassy mission command division regiment brigade battalion
   squad patrol headquarters cooperative co-op collective consortium syndicate cartel tribunal chamber
   democrats republicans teamsters panthers ventures capital securities investments analytics robotics aviation airspace
   s.p.a s.r.l s.a s.l a/s aps bhd aerospace airline logistics shipping bancorp financial savings mutual banks cola biosciences genomics therapeutics
   brokers choir clinics estates kft nyrt zrt biologics ferries hospice infirmary sciences textiles`,
);
/** Last words that may be left out when the company is called by its first word: "Halvorsen Logistics". */
export const tradeEnds = words(
  `aerospace airlines analytics apparel architects automotive aviation bakery bank biologics biosciences biotech brewery brewing builders capital catering
   chemicals cleaning construction consulting design diagnostics dynamics electric electronics energy engineering entertainment farms fashion financial foods freight games genomics
   health healthcare hotels hydraulics industries instruments insurance joinery interactive international investments legal logistics machinery manufacturing
   marine materials media medical mining mobility motors networks optics partners petroleum pharma pharmaceuticals pictures
   power products publishing rail railways records renewables research resources retail robotics roofing security semiconductors sensors
   services
   shipping solar solutions stores studios telecom textiles therapeutics tools toys trading transport travel ventures water`,
);

/**
 * A company's name without its legal form, as other items may use it: "Vega Robotics" for "Vega Robotics
 * SA". Undefined if what remains may be anything.
 */
export function withoutLegalForm(name: string): string | undefined {
  const short = splitLegalForm(name)?.base ?? '';
  const lower = short.toLowerCase();
  const kind = kindOf(lower);
  const isAnything =
    !lower.includes(' ') &&
    (isCommonWord(lower) || (kind !== undefined && kind !== 'organization') || isNamesake(lower));
  return short.length < 3 || isAnything ? undefined : short;
}

/**
 * Words for organizations in other languages: at the end of a name ("Akademi"), at
 * its beginning ("Banco") or both.
 */
export const foreignOrganizations = words(
  `abogados advocaten advokatbyrå advokatfirma advokatfirmaet akademi akademie akademia anwaltskanzlei apotheke avocats avvocati bahn banca banco banque brauerei betriebe café cafe clínica compagnie compañía
   empresa gruppe fondation fondazione fundación fundação gesellschaft groupe grupo gruppo handel handelsbank hochschule hospital hotel
   immobilien instituto institut kanzlei klinik krankenhaus linien logistik maschinenbau metallbau osteria rechtsanwälte restaurant ristorante société
   sociedad società sparkasse spital stadtwerke stiftung trattoria universidad universidade università universität université
   universiteit universitet universitetet verband verein verkehrsbetriebe verlag versicherung versicherungen volksbank werke`,
);
/** First and last words of street names in other languages. */
export const foreignStreets =
  /^(?:avenida|calle|piazza|plaza|praça|rua|rue|ulica|viale)$|(?:str\.?|stra(?:ss|ß)e|gasse|platz|allee|gatan|gata|straat)$/;
/** Last words of place names. */
export const placeEnds = words(
  `city county municipality province state states republic district village town township borough island islands isle river lake
   creek sea ocean bay gulf strait channel mountain mountains mount hill hills peak valley canyon desert plateau plain
   plains peninsula coast beach cape park square street avenue boulevard road highway bridge tunnel dam airport station
   port harbor harbour pass falls springs forest woods wood field fields ranch region territory zone area heights
   gardens plaza prison camp monument memorial tower towers building mall pentagon kremlin basin reef delta oblast
   prefecture observatory stadium arena palace castle cathedral basilica cemetery garden reservation observatory base`,
);
/** First words of place names. */
export const placeStarts = words(
  'mount mt lake fort ft port cape san santa los las el st saint new north south east west puerto monte rio sierra gulf bay isle key upper lower',
);
/** Whether a place's name is that of its authorities too, which employ and buy: "City of Utrecht". */
export function isAuthority(name: string): boolean {
  return /^(?:the )?(?:city|county|municipality|province|state) of /i.test(name);
}
/** Words that go before "of" within one name: "Bank of America". */
export const ofHeads = words(
  `university infirmary bank corps department ministry bureau board office institute college school academy church museum house council
   court republic kingdom union federation association society organization organisation league chamber commonwealth
   firth gulf bay cape isle strait port palace party movement front campaign coalition alliance fund federation service library temple tower order embassy hospital center centre conference congress
   parliament state states city county municipality statue medal chiefs secretary-general declaration bill battle war treaty
   peace duke earl prince house lords commons sons daughters knights friends doctors reporters journal review book
   lord hall division archdiocese diocese faculty foundation center committee commission administration government
   army islands sea lake mount valley ivory national`,
);
export const calendarWords = words(
  `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august september
   october november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
   christmas easter halloween thanksgiving ramadan today tomorrow yesterday am pm gmt utc est edt pst pdt cet cest eet eest bst ist jst kst hkt sgt aest aedt nzst msk mst mdt cst cdt`,
);
/** Words in capitals that are no names by themselves. */
export const notNames = words(
  `i api apis http https url urls json csv xml yaml pdf html css sql rest ui ux id ids ip tcp udp dns tls ssl ssh vpn
   cpu gpu ram ssd usb os faq todo fixme note notes warning ok okay am pm ceo cto cfo coo cio hr it pr qa ai ml nlp llm
   sso mfa saml jwt ldap vat cli sdk ide orm crm erp saas paas iaas mvp poc rfc rfp rfi nda sow cve oom ios sre
   kpi okr roi sla eta etc vs ie eg p.s fyi asap tbd n/a na yes no mr mrs ms dr sir text map figure table chapter
   section page appendix step part version english internet web god dad mom mum hello hi hey dear thanks regards
   cheers best sincerely everyone team please re fw fwd cc bcc subject from to date sent attn new old north south east
   west northeast northwest southeast southwest moslem muslim christian jew jewish catholic protestant room floor suite gate islam islamic aids hiv mormon sikh hindu buddhist
   communist democrat democratic republican nazi hispanic congress senate house parliament american-made
   q1 q2 q3 q4 h1 h2 d-day sr jr phd md mba bsc msc gmt utc user users admin readme changelog license
   hq psa adr adrs soap ssrf xss csrf kyc aml ict hepa rma sku
   eod cob eow eom ooo wfh pto imo imho lgtm btw iirc afaik aka rsvp aob dob doa ceos ctos cfos dpo pmo vps rfps rfcs okrs kpis faqs pocs mvps slas skus
   ebit ebitda eps capex opex cagr ytd yoy qoq mom ttm roe roa roce npv irr wacc arr mrr ltv cac gmv aum ipo ipos agm egm gaap ifrs emea apac latam dach b2b b2c
   dna rna mrna pcr ecg ekg ct mri bp hr bmi copd htn t2dm gp pmh icu cns adhd ptsd std stds iv fir vram led lcd gps sms mms pin atm ev suv
   po pos sops sop cd ci cicd ux dms pr prs startup start-up qr tls iot vm vms nat wan lan vlan acl acls rbac etl elt oltp olap orms dto dag ast
   backups common deciders geschäftsführer geschäftsführerin interviewers onboarding preferred shares stock sub-processor sub-processors
   mb gb kb tb chf usd eur gbp jpy cny krw inr aud cad nzd sek nok dkk pln czk huf brl mxn zar sgd hkd null none true false whereof hereof thereof`,
);
