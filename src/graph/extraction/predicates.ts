import { addToList } from '../../lib/add-to-list.js';

/** The relation that a verb states between its subject and its object. */
export interface VerbRule {
  /** What joins the verb to the object; "" for a direct object. */
  readonly prepositions: readonly string[];
  readonly predicate: string;
  /** The types that its ends may have; the first is given to an end of unknown type. */
  readonly source: readonly string[];
  readonly target: readonly string[];
  /** Whether the object is the source: "Acme employs Bob". */
  readonly inverse: boolean;
  /** Whether the name after "with" replaces the object: "replaced Kafka with Pulsar". */
  readonly substitutes: boolean;
  /** Whether it holds in the passive only: "PAY-1 was assigned to Bob", not "Ann assigned PAY-1 to Bob". */
  readonly passiveOnly: boolean;
  /** Whether only the present states it: "Acme buys ore from Globex", not "Acme bought a mill from Globex". */
  readonly presentOnly: boolean;
  /** Whether it holds of what is surely a system: "auth-service sends events to Kafka", not "Ann sends notes to Tom". */
  readonly ofSystems: boolean;
}

const typesByLetter: Readonly<Record<string, string>> = {
  P: 'PERSON',
  O: 'ORGANIZATION',
  L: 'LOCATION',
  R: 'PRODUCT',
  E: 'EVENT',
  T: 'TICKET',
  X: 'OTHER',
};
const typesOf = (letters: string) => [...letters].map((letter) => typesByLetter[letter] ?? 'OTHER');

/**
 * Columns: verbs; what joins them to the object (- for nothing); predicate; types of source and target, by
 * the letters of typesByLetter; and optionally `<` if the object is the source, `=` if it holds in the
 * passive only, `*` if the present alone states it, `~` if the relation is to what "with" names, `!` if it holds of systems.
 */
const verbTable = `
work | for at | works_for | P | O
volunteer intern | for at | works_for | P | O
join rejoin | - | works_for | P | O
start | at with | works_for | P | O
join | from | left | P | O
leave quit | - | left | P | O
resign retire | from | left | P | O
employ hire recruit | - | works_for | O | P | <
serve | in with on | works_for | P | O
work collaborate cooperate | with | works_with | POR | POR
report | to | reports_to | P | P
supervise manage mentor | - | manages | P | PXO
lead head chair run oversee | - | leads | P | OXR
direct | - | directed | P | XOE
found co-found cofound establish | - | founded | PO | O
start | - | started | PO | XRO
launch | - | launched | PO | XRO
acquire buy purchase | - | acquired | OP | OR
take | over | acquired | OP | O
merge | with | merged_with | O | O
be | from | from | P | L
be | in at near | located_in | L | L
be | in | based_in | O | L
be | with | works_for | P | O
own | - | owns | PO | ORX
sell | to | sold_to | PO | OP
invest | in | invested_in | PO | O
fund finance sponsor | - | funds | OP | OERX
back | - | funds | OP | OEX
back power | - | powers | R | R | !
sue | - | sued | OP | OP
partner ally | with | partners_with | O | O
compete | with against | competes_with | OR | OR
supply | - | supplies | O | O
supply | to | supplies | O | O
deliver ship | to | delivers_to | O | O
buy purchase source | from | supplies | O | O | <*
insure | with by through | insured_with | OP | O | =
insure | - | insures | O | OP
audit | - | audits | O | O
advise | - | adviser_of | O | O
live reside dwell settle | in at near on | lives_in | P | L
grow | in at near | grew_up_in | P | L
move relocate emigrate | to | moved_to | PO | L
move relocate emigrate | to | lives_in | P | L
bear | in at near | born_in | P | L
die | in at near | died_in | P | L
bury | in at | buried_in | P | L
base headquarter | in at near | based_in | OPR | L
locate situate | in at near on | located_in | LOR | L
lie stand sit | in near on | located_in | L | L
study train | at | studied_at | P | O
graduate | from | studied_at | P | O
attend | - | attended | P | OEX
teach lecture | at | works_for | P | O
marry | - | married_to | P | P
marry | to | married_to | P | P
divorce | - | divorced_from | P | P
kill murder assassinate slay behead execute strangle | - | killed | PO | P
shoot | - | shot | P | P
stab | - | stabbed | P | P
replace supersede | - | replaces | RXOT | RXOT | ~
succeed replace | - | succeeded | P | P
depend rely | on upon | depends_on | RXOT | RXOT
require need | - | depends_on | RXT | RXT
use adopt utilize utilise leverage | - | uses | ORXP | RX
run | on | runs_on | RX | RXO
build base | on upon | built_on | RX | RX
build develop create design invent write compose author program | - | created | PO | RXOL
make manufacture produce | - | makes | O | RX
publish release unveil introduce | - | released | OP | RX
integrate | with | integrates_with | ROX | ROX
connect talk | to | connects_to | RX | RX
call invoke query | - | calls | RX | RX
migrate switch | to | migrated_to | ORX | RX
publish | to | publishes_to | R | R
consume | from | consumes_from | R | R
deploy | on to | runs_on | RX | RX
write upload | to | writes_to | R | R | !
read load | from | reads_from | R | R | !
store persist keep save | in | stores_in | R | R | !
send push forward route stream proxy | to | sends_to | R | R | !
fail fall switch | over to | fails_over_to | R | R | !
maintain | - | maintains | PO | RX
block | - | blocks | T | T
fix resolve close address | - | fixes | TPR | T
duplicate | - | duplicates | T | T
implement | - | implements | RXPT | RXT
support | - | supports | R | RX
support | - | supports | O | XOE
assign | to | assigned_to | T | P | =
belong | to | part_of | ORXTL | ORXTL
host | - | hosts | OL | ER
star appear | in | appears_in | P | X
play | for | plays_for | P | O
represent | - | represents | PO | OLP
win receive | - | won | PO | E
write | for | works_for | P | O
edit | - | edits | P | OX
operate | - | operates | PO | ORX
host | on | runs_on | RX | RXO
write rewrite implement code program | in | written_in | RX | R
inhibit | - | inhibits | XR | XR
target | - | targets | XR | XR
encode | - | encodes | XR | XR
infect | - | infects | XR | XR
transmit | - | transmits | XR | XR
activate | - | activates | XR | XR
regulate | - | regulates | XR | XR
cause | - | causes | XR | XE
interact bind | with to | interacts_with | XR | XR
sign | - | signed | PO | EX
visit | - | visited | P | LO
meet | with - | met | P | P
border | - | borders | L | L
flow | into through | flows_through | L | L
`;

/** The relation that a noun states: "is part of". */
interface RoleRule extends DeedRule {
  readonly prepositions: readonly string[];
}

/**
 * Columns: nouns; what joins them to the other end; predicate, % standing for the noun in the singular; types of both ends.
 */
const roleTable = `
employees directors engineers developers | of at | works_for | P | O
founder co-founder cofounder founders co-founders | of | founded | P | OX
owner co-owner proprietor | of | owns | P | OXRL
author co-author writer | of | created | P | XRE
creator inventor architect designer maker developer maintainer | of | created | PO | RXL
member | of | member_of | PO | OX
subsidiary subsidiaries division divisions unit branch arm affiliate affiliates spinoff brand brands | of | part_of | O | O
fork | of | fork_of | ORXLT | ORXLT
part component module plugin subset extension | of | part_of | ORXLT | ORXLT
husband wife spouse widow widower fiance partner ex-wife ex-husband | of | married_to | P | P
son daughter child | of | child_of | P | P
father mother parent | of | parent_of | P | P
brother sister sibling twin half-brother half-sister | of | sibling_of | P | P
friend colleague ally girlfriend boyfriend | of | knows | P | P
cousin uncle aunt nephew niece grandfather grandmother grandson granddaughter stepfather stepmother stepson stepdaughter | of | %_of | P | P
assistant | of to | reports_to | P | P
killer murderer assassin | of | killed | P | P
capital | of | capital_of | L | L
suburb district town city village neighborhood neighbourhood borough municipality province state region island port river lake mountain volcano valley peninsula commune settlement hamlet | of in | located_in | L | L
resident native citizen inhabitant | of | lives_in | P | L
student graduate alumnus alumna | of at from | studied_at | P | O
customer client supplier vendor competitor rival | of to | %_of | OP | O
auditor auditors insurer insurers landlord lender lenders | of to for | %_of | OP | OP
adviser advisers banker bankers broker brokers guarantor underwriter underwriters distributor | of to for | %_of | O | OP
advisor advisors | of to for | adviser_of | O | OP
shareholder | of in | has_stake_in | OP | O
landlady | of | landlord_of | P | P
tenant | of | tenant_of | OP | OP
doctor dentist physiotherapist therapist godfather godmother neighbour flatmate housemate | of | %_of | P | P
neighbor | of | neighbour_of | P | P
roommate | of | flatmate_of | P | P
solicitor solicitors lawyers | of | lawyer_of | OP | OP
counsel attorney attorneys barrister | for to | represents | OP | OP
successor predecessor | of to | %_of | PR | PR
boss manager supervisor | of | manages | P | P
ambassador envoy delegate representative | to | represents | P | OLX
headquarters home | of | headquarters_of | L | O
duplicate | of | duplicates | T | T
winner champion | of | won | PO | E
`;

const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

/** The rules of each verb, by its base form. */
export const verbRules: ReadonlyMap<string, readonly VerbRule[]> = readVerbs();

function readVerbs(): Map<string, VerbRule[]> {
  const rules = new Map<string, VerbRule[]>();
  for (const [verbs = '', joints = '', predicate = '', source = '', target = '', marks = ''] of rows(
    verbTable,
  ))
    for (const verb of verbs.split(' ')) {
      const prepositions = joints.split(' ').map((joint) => (joint === '-' ? '' : joint));
      const rule = {
        prepositions,
        predicate,
        source: typesOf(source),
        target: typesOf(target),
        inverse: marks.includes('<'),
        substitutes: marks.includes('~'),
        passiveOnly: marks.includes('='),
        presentOnly: marks.includes('*'),
        ofSystems: marks.includes('!'),
      };
      addToList(rules, verb, rule);
    }
  return rules;
}

/** The rule of each noun for a role. */
export const roleRules: ReadonlyMap<string, RoleRule> = new Map(
  rows(roleTable).flatMap(([nouns = '', joints = '', predicate = '', source = '', target = '']) =>
    nouns.split(' ').map((noun): [string, RoleRule] => [
      noun,
      {
        predicate: predicate.replace('%', noun.replace(/s$/, '')),
        source: typesOf(source),
        target: typesOf(target),
        prepositions: joints.split(' '),
      },
    ]),
  ),
);

/** The relation that a noun for a deed states between the one who does it and its object. */
export interface DeedRule {
  readonly predicate: string;
  readonly source: readonly string[];
  readonly target: readonly string[];
}

/** Columns: nouns, predicate, types of both ends. */
const deedTable = `
acquisition takeover purchase | acquired | OP | O
murder assassination killing slaying | killed | P | P
`;

/** The rule of each noun for a deed. */
export const deedRules: ReadonlyMap<string, DeedRule> = new Map(
  rows(deedTable).flatMap(([nouns = '', predicate = '', source = '', target = '']) =>
    nouns
      .split(' ')
      .map((noun): [string, DeedRule] => [
        noun,
        { predicate, source: typesOf(source), target: typesOf(target) },
      ]),
  ),
);

/** Predicates by nouns that introduce lists: "Its customers include Globex and Initech". */
export const listedRoles: ReadonlyMap<string, string> = new Map([
  ['customers', 'customer_of'],
  ['clients', 'client_of'],
  ['suppliers', 'supplier_of'],
  ['vendors', 'vendor_of'],
  ['competitors', 'competitor_of'],
  ['rivals', 'competitor_of'],
  ['investors', 'invested_in'],
  ['backers', 'invested_in'],
  ['subsidiaries', 'part_of'],
]);

/** What auditors audit. */
export const accounts = /^(?:accounts|books|statements)$/;

/** Offices of a place, whose holders are not its employees. */
export const offices = new Set(
  `mayor governor president king queen premier minister chancellor senator congressman congresswoman emperor sultan
   prince princess dictator ruler leader prime-minister secretary commissioner sheriff bishop archbishop`.split(
    /\s+/,
  ),
);

/**
 * Base forms of irregular verbs, and of forms that the tagger takes for nouns; "" for forms that count as
 * no verb. Other forms are reduced by rule.
 */
const irregular: Readonly<Record<string, string>> = {
  bought: 'buy',
  took: 'take',
  taken: 'take',
  sold: 'sell',
  left: 'leave',
  led: 'lead',
  ran: 'run',
  grew: 'grow',
  grown: 'grow',
  is: 'be',
  are: 'be',
  born: 'bear',
  wrote: 'write',
  written: 'write',
  rewrote: 'rewrite',
  rewritten: 'rewrite',
  built: 'build',
  made: 'make',
  shot: 'shoot',
  slain: 'slay',
  slew: 'slay',
  met: 'meet',
  won: 'win',
  taught: 'teach',
  lay: 'lie',
  stood: 'stand',
  stands: 'stand',
  sat: 'sit',
  sent: 'send',
  fell: 'fall',
  kept: 'keep',
  lying: 'lie',
  dying: 'die',
  found: '',
  founded: 'found',
  married: 'marry',
  buried: 'bury',
  studied: 'study',
  studies: 'study',
  marries: 'marry',
  relies: 'rely',
  relied: 'rely',
  supplies: 'supply',
  supplied: 'supply',
  allied: 'ally',
  lives: 'live',
  lived: 'live',
  based: 'base',
  located: 'locate',
  quit: 'quit',
};

const forms = new Map<string, string | undefined>();

/** The verb of the table that a word is a form of; undefined if there is none. */
export function verbOf(lower: string): string | undefined {
  if (forms.has(lower)) return forms.get(lower);
  const verb = readForm(lower);
  if (forms.size > 5_000) forms.clear();
  forms.set(lower, verb);
  return verb;
}

function readForm(lower: string): string | undefined {
  if (Object.hasOwn(irregular, lower)) return irregular[lower] || undefined;
  const stems = [
    lower,
    lower.replace(/s$/, ''),
    lower.replace(/es$/, ''),
    lower.replace(/ed$/, ''),
    lower.replace(/d$/, ''),
  ];
  stems.push(lower.replace(/ing$/, ''), lower.replace(/ing$/, 'e'), lower.replace(/(\w)\1(?:ed|ing)$/, '$1'));
  return stems.find((stem) => verbRules.has(stem));
}

/** Whether a word can be a past participle: "acquired", "born", "shot". */
export function isParticiple(lower: string): boolean {
  return /(?:ed|n|t|d)$/.test(lower) || /^(?:led|run|made|met|won|shot|taught)$/.test(lower);
}
