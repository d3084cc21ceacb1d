import { isSureOrganization } from './affiliations.js';
import { isEnglishWord } from './reader.js';

const separator = /\s*[:|–—,()]\s*|\s+-\s+/;
/** Words around the name in a title: "Minutes of the Tolworth Choir", "Annual report of Acme Ltd". */
const framing =
  /^(?:(?:agm|annual|board|committee|directors|draft|general|half-year|meeting|trustees) )*(?:about|accounts|constitution|minutes|officers|profile|report|review|statutes)(?: (?:of|for))?(?: the)? (?:(?:annual|extraordinary) general meeting of (?:the )?)?/i;
const part = / (?:board|committee|fact ?sheet|minutes|overview|profile|trustees)$/i;
const systemEnds =
  /^(?:the )?(\p{L}[\p{L}\d]*(?:[ -][\p{L}\d]+){0,3} (?:api|app|backend|database|frontend|gateway|library|module|pipeline|platform|scheduler|service|worker))$/iu;
const project = /^(?:[Tt]he )?(?:[Pp]roject (\p{Lu}[\p{L}\d]+)|(\p{Lu}[\p{L}\d]+) [Pp]roject)$/u;

/**
 * The organization that a title is about, if it names exactly one: "Minutes of
 * Lower Tamber Society, 12 March".
 */
export function organizationOfTitle(title: string): string | undefined {
  const named = title
    .split(separator)
    .map((each) => each.trim().replace(framing, '').replace(part, ''))
    .filter(isSureOrganization);
  const [only, ...others] = new Set(named);
  return others.length === 0 ? only : undefined;
}

/** Documents that a company issues about itself. */
const own =
  /\b(?:(?:(?:semi-?)?annual|interim|quarterly|half[- ]year(?:ly)?|management|directors['’]) (?:report|accounts|results|review|update)|(?:q[1-4]|h[12]) (?:(?:19|20)\d\d(?: (?:report|results|update))?|report|results|update)|annual accounts|financial statements|results for the (?:year|half[- ]year|quarter)|policy|minutes)\b/i;
const chapter = /^(?:letter|message|report|statement)\b|\b(?:board|meeting|policy)\b/i;
const headLinesMax = 4;

/** The organization whose document it is: the one of the title, or the one that issues a report or policy. */
export function organizationOfDocument(title: string, text: string): string | undefined {
  return organizationOfTitle(title) ?? issuerOf(text);
}

/** The organization that issues an annual report, minutes or a policy: the only one that its first lines consist of. */
export function issuerOf(text: string): string | undefined {
  const head = text
    .split('\n')
    .map((line) => line.replace(/^#+ |\*\*/g, '').trim())
    .filter((line) => line !== '')
    .slice(0, headLinesMax);
  if (!head.some((line) => own.test(line))) return undefined;
  const named = head
    .flatMap((line) => line.split(separator))
    .map((part) =>
      part
        .replace(framing, '')
        .replace(own, '')
        .replace(/\b(?:19|20)\d\d\b/g, '')
        .trim(),
    );
  const [only, ...others] = new Set(named.filter((part) => isSureOrganization(part) && !chapter.test(part)));
  return others.length === 0 ? only : undefined;
}

/** The system or project that a title names: "Billing service", "Aurora project". */
export function systemOfTitle(title: string): string | undefined {
  const [, before, behind] = project.exec(title) ?? [];
  const name = before ?? behind;
  if (name !== undefined) return name;
  const [, system] = systemEnds.exec(title) ?? [];
  if (system === undefined) return undefined;
  // In small letters, as the text writes what is no proper name: "the billing service".
  const [first = ''] = system.split(' ');
  return isEnglishWord(first.toLowerCase()) ? system.charAt(0).toLowerCase() + system.slice(1) : system;
}
