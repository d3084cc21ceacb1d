/**
 * What a field of a form holds: a person and his role, company, manager and home; or a
 * contact, or a party to a deal.
 */
export type FieldKind = 'person' | 'role' | 'company' | 'manager' | 'home' | 'contact' | 'party';

const kinds: readonly (readonly [FieldKind, RegExp])[] = [
  [
    'person',
    /^(?:(?:full|contact|employee|candidate|member|speaker|attendee|author) )?name$|^(?:name in full|employee|signatory|signed by)$/,
  ],
  ['role', /^(?:(?:job )?title|job|role|position|designation|post|function|occupation|job role)$/],
  [
    'company',
    /^(?:company(?: name)?|organi[sz]ation(?: name)?|employer|firm|institution|affiliation|works (?:at|for))$/,
  ],
  ['manager', /^(?:(?:line |direct )?manager|reports to|supervisor|boss)$/],
  ['home', /^(?:(?:home |current )?(?:city|location|town)|residence|place of residence|lives in|based in)$/],
  [
    'contact',
    /^(?:(?:main|primary|key|sales|billing|technical|business|press|media|customer|account) )?contact(?: person)?$|^(?:for the )?attention(?: of)?$|^attn\.?$/,
  ],
  ['party', /^(?:customer|client|account|vendor|supplier)(?: name)?$|^(?:bill(?:ed)?|invoiced?|sold) to$/],
];

/** Labels of a home where somebody lives; other labels of places give where he is based. */
export const livingLabel = /^(?:home .*|residence|place of residence|lives in)$/i;

/** The kind of a field by its label; undefined for other labels. */
export function fieldKindOf(label: string): FieldKind | undefined {
  const lower = label.toLowerCase();
  return kinds.find(([, pattern]) => pattern.test(lower))?.[0];
}

/**
 * Labels of posts in a company. "Owner", "author" and "reviewer" are left out:
 * they may be those of the page.
 */
export const postLabel =
  /^(?:c[efotim]o|cmo|cpo|ciso|(?:co-?)?founders?|founded by|(?:vice[- ])?(?:president|chair(?:man|woman|person)?(?: of the board)?)|(?:acting |interim |deputy )?chief [a-z ]+|(?:managing|executive|finance|financial|technical|operations|sales|marketing|commercial|medical|non-executive) directors?|general (?:manager|counsel)|head of [a-z &]+|director of [a-z &]+|[se]?vp [a-z &]+|(?:honorary )?treasurer|(?:company |honorary )?secretary|board(?: (?:of directors|members?))?|directors|key people|executives|rector|provost|dean)$/i;

/** Labels of posts that someone has for a customer's account. */
export const accountLabel = /^(?:key )?account (?:manager|executive|director|lead)$/i;

/**
 * Labels of a company's relations to others. With `isOfSubject` the company is the source of the relation.
 */
const companyLabels: readonly {
  readonly pattern: RegExp;
  readonly predicate: string;
  readonly type: 'ORGANIZATION' | 'LOCATION' | 'PRODUCT';
  readonly isOfSubject?: boolean;
}[] = [
  {
    pattern: /^(?:headquarters?|headquartered in|hq|head office|seat|based in)$/,
    predicate: 'based_in',
    type: 'LOCATION',
  },
  {
    pattern: /^(?:parent(?: (?:company|organi[sz]ation))?|holding company|part of)$/,
    predicate: 'part_of',
    type: 'ORGANIZATION',
    isOfSubject: true,
  },
  {
    pattern: /^(?:(?:principal |main |our )?subsidiar(?:y|ies)|divisions?|affiliates?|group companies)$/,
    predicate: 'part_of',
    type: 'ORGANIZATION',
  },
  { pattern: /^(?:key |main )?vendors?$/, predicate: 'vendor_of', type: 'ORGANIZATION' },
  { pattern: /^(?:key |main )?suppliers?$/, predicate: 'supplier_of', type: 'ORGANIZATION' },
  { pattern: /^(?:key |main )?customers?$/, predicate: 'customer_of', type: 'ORGANIZATION' },
  { pattern: /^(?:key |main )?clients?$/, predicate: 'client_of', type: 'ORGANIZATION' },
  { pattern: /^(?:key |main )?competitors?$/, predicate: 'competitor_of', type: 'ORGANIZATION' },
  { pattern: /^(?:key |main |flagship )?products?$/, predicate: 'makes', type: 'PRODUCT', isOfSubject: true },
  { pattern: /^auditors?$/, predicate: 'auditor_of', type: 'ORGANIZATION' },
  {
    pattern: /^(?:insurers?|insured (?:with|by))$/,
    predicate: 'insured_with',
    type: 'ORGANIZATION',
    isOfSubject: true,
  },
  {
    pattern: /^(?:solicitors?|lawyers?|law firm|legal advis[eo]rs?)$/,
    predicate: 'lawyer_of',
    type: 'ORGANIZATION',
  },
  { pattern: /^(?:lead )?investors?$/, predicate: 'invested_in', type: 'ORGANIZATION' },
  {
    pattern: /^(?:(?:largest|main|majority|principal|sole) )?shareholders?$/,
    predicate: 'has_stake_in',
    type: 'ORGANIZATION',
  },
  { pattern: /^acquired by$/, predicate: 'acquired', type: 'ORGANIZATION' },
];

/** What a label says of a company's relations to others; undefined for other labels. */
export function companyLabelOf(label: string): (typeof companyLabels)[number] | undefined {
  return companyLabels.find(({ pattern }) => pattern.test(label.toLowerCase()));
}

/** Since when, or for how long, what a record or contract says holds. */
export const termLabel =
  /^(?:(?:start|starting|effective|commencement|joining|hire) date|date of (?:joining|commencement|the agreement|hire)|(?:grant |contract )?(?:term|period)|employed since|since|joined)$/i;
