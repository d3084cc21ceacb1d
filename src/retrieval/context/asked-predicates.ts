import { analyze } from '../../text/analyzer.js';

/** Words by which people ask for a predicate, beside its own name. */
const askedBy: Readonly<Record<string, string>> = {
  works_for: 'employer employed employee job position role company',
  leads: 'head boss chief ceo director chair run manage executive',
  manages: 'boss manager supervisor team',
  reports_to: 'boss manager supervisor superior',
  founded: 'founder start create establish',
  started: 'founder found create establish',
  acquired: 'buy purchase takeover acquisition owner own',
  owns: 'owner belong parent subsidiary shareholder',
  has_stake_in: 'shareholder owner own investor invest',
  invested_in: 'investor backer back fund',
  funds: 'investor invest backer',
  audits: 'auditor',
  auditor_of: 'audit',
  adviser_of: 'advise advisor',
  insures: 'insurer',
  insured_with: 'insurer insure',
  insurer_of: 'insure',
  part_of: 'belong parent subsidiary division owner',
  subsidiary_of: 'belong parent owner',
  based_in: 'headquarters seat located city country',
  located_in: 'based city country',
  lives_in: 'home reside residence address',
  born_in: 'birthplace birth',
  died_in: 'death',
  married_to: 'wife husband spouse marriage',
  child_of: 'parent father mother son daughter children family',
  parent_of: 'father mother son daughter children family',
  sibling_of: 'brother sister family',
  studied_at: 'school university college education degree graduate',
  created: 'author write invent develop design make',
  makes: 'maker manufacturer produce product',
  uses: 'stack technology tool',
  depends_on: 'dependency need require',
  runs_on: 'platform host infrastructure deploy',
  succeeded: 'successor predecessor precede replace before after',
  replaces: 'successor predecessor replacement',
  supplies: 'supplier vendor provider',
  supplier_of: 'supply vendor provider',
  customer_of: 'client buyer',
  assigned_to: 'assignee owner responsible',
  invoiced: 'bill billing supply supplier customer pay payer',
  has_agreement_with: 'contract contractor client party parties sign',
  landlord_of: 'tenant lease rent flat',
  lender_of: 'borrower borrow lend loan',
  doctor_of: 'gp consultant physician patient',
  sued: 'claimant plaintiff defendant lawsuit case court',
  sold_to: 'buyer buy purchase seller',
  sent_by: 'sender author write mail email message',
  sent_to: 'recipient receive get write mail email message',
  reported_by: 'reporter',
  created_by: 'author write',
  commented_by: 'say',
};
const terms = new Map(Object.entries(askedBy).map(([name, words]) => [name, new Set(analyze(words))]));

/** Whether a term of a query asks for a predicate in other words than its own. */
export function isAskedBy(term: string, predicate: string): boolean {
  return terms.get(predicate)?.has(term) === true;
}

/** Words by which people ask for an entity of a type: "which company", "what city". */
const askedTypes: Readonly<Record<string, string>> = {
  ORGANIZATION: 'company organization organisation firm business',
  PERSON: 'person people colleague employee',
  LOCATION: 'city country town place',
  PRODUCT: 'product tool system service software',
};
const typeTerms = new Map(Object.entries(askedTypes).map(([type, words]) => [type, new Set(analyze(words))]));

/** Whether a term of a query asks for an entity of this type. */
export function isAskedType(term: string, type: string): boolean {
  return typeTerms.get(type)?.has(term) === true;
}
