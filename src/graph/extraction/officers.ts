import { isPersonName, isRolePhrase } from './affiliations.js';
import { organizationOf, personOf } from './form-ends.js';
import type { FormFact } from './forms.js';

const lineCharactersMax = 160;
const day = '(?:\\d{1,2} )?(?:\\p{L}{3,9} )?(?:19|20)\\d\\d';
/** "Ann Hill (1971), Chief Executive Officer, appointed 1 May 2016", "Bob Lee (Chair), member since 2017" */
const officer = new RegExp(
  `^(?:[-*•] )?([^,(;:]+?)(?: \\((?:born |b\\. ?)?(?:19\\d\\d|20\\d\\d|\\d\\d)\\))?(?:, ([^,()]+)| \\(([^()]+)\\))?,? \\(?((?:first |re-?)?(?:appointed|elected)(?: in| on)?|(?:(?:a )?member|in office|in this role|serving) since|since) (${day})\\)?\\.?$`,
  'iu',
);

/**
 * The officers whom a report of an organization lists with the date of their appointment, and the
 * other lines.
 */
export function readOfficersOf(
  organization: string | undefined,
  lines: readonly string[],
): { readonly found: readonly FormFact[]; readonly rest: readonly string[] } {
  if (organization === undefined) return { found: [], rest: lines };
  const found: FormFact[] = [];
  const rest = lines.map((line) => {
    const text = line.replaceAll('**', '').trim();
    if (text.length > lineCharactersMax) return line;
    const [, name = '', role, inBrackets, how = '', time = ''] = officer.exec(text) ?? [];
    const post = role ?? inBrackets;
    const isMember = /^(?:a )?member\b/i.test(post ?? how);
    const isPost = post !== undefined && isRolePhrase(post.replaceAll('-', ' '));
    if (!isPersonName(name) || !(isMember || isPost)) return line;
    found.push({
      source: personOf(name),
      target: organizationOf(organization),
      predicate: isMember ? 'member_of' : 'works_for',
      raw: post ?? 'member',
      text,
      time: /since/i.test(how) ? `since ${time}` : time,
    });
    return '';
  });
  return { found, rest };
}
