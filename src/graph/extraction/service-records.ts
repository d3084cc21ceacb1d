import { isPersonName } from './affiliations.js';
import { systemOfTitle } from './document-subject.js';
import { listedNames, personOf } from './form-ends.js';
import type { FormEnd } from './form-ends.js';
import { kindOf } from './lexicon.js';
import { isEnglishWord } from './reader.js';

/** A label, and the relation of the system in question to the value. */
interface ServiceLabel {
  readonly pattern: RegExp;
  readonly predicate: string;
  readonly holder: 'system' | 'person';
  /** Whether the system is the target: "Used by: …". */
  readonly isInverse?: boolean;
  /** Whether only records of systems have this label. */
  readonly isSure?: boolean;
}

const labels: readonly ServiceLabel[] = [
  {
    pattern: /^(?:depends on|dependenc(?:y|ies)|upstream(?: services?)?)$/,
    predicate: 'depends_on',
    holder: 'system',
    isSure: true,
  },
  {
    pattern: /^(?:used by|consumers?|consumed by|dependents?|downstream(?: services?)?)$/,
    predicate: 'depends_on',
    holder: 'system',
    isInverse: true,
    isSure: true,
  },
  {
    pattern: /^(?:runs on|running on|deployed (?:on|to)|hosted (?:on|at)|runtime)$/,
    predicate: 'runs_on',
    holder: 'system',
    isSure: true,
  },
  { pattern: /^(?:uses|data ?(?:base|store)|storage|queue|cache)$/, predicate: 'uses', holder: 'system' },
  { pattern: /^calls$/, predicate: 'calls', holder: 'system', isSure: true },
  {
    pattern: /^(?:integrates with|integrations?)$/,
    predicate: 'integrates_with',
    holder: 'system',
  },
  { pattern: /^(?:replaces|supersedes)$/, predicate: 'replaces', holder: 'system' },
  {
    pattern: /^(?:replaced|superseded) by$/,
    predicate: 'replaces',
    holder: 'system',
    isInverse: true,
  },
  {
    pattern: /^(?:(?:service |tech(?:nical)? |product )?owners?|owned by)$/,
    predicate: 'owns',
    holder: 'person',
    isInverse: true,
  },
  {
    pattern: /^(?:(?:project |team |tech )?lead|project manager|led by)$/,
    predicate: 'leads',
    holder: 'person',
    isInverse: true,
  },
  {
    pattern: /^(?:maintainers?|maintained by)$/,
    predicate: 'maintains',
    holder: 'person',
    isInverse: true,
  },
];

const systemWordsMax = 4;
const namesSystem = /^(?:service|component|system|module|repository|repo|application|app)(?: name)?$/i;

interface ServiceField {
  readonly label: string;
  readonly value: string;
}

interface ServiceFact {
  readonly source: FormEnd;
  readonly target: FormEnd;
  readonly predicate: string;
  readonly raw: string;
}

/** Whether a text is spelt like the name of a system: "billing-api", "order_service". */
export function isSystemName(text: string): boolean {
  return /^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+$/.test(text) && text.length <= 60;
}

/**
 * The relations that the fields of a service state ("Depends on: billing-api", "Runs on: Nomad"), by field.
 * Empty unless the heading or a label shows that the record is a system's.
 */
export function serviceFacts<Field extends ServiceField>(
  fields: readonly Field[],
  heading: string,
): Map<Field, ServiceFact[]> {
  const facts = new Map<Field, ServiceFact[]>();
  const stated = fields.flatMap((field) => {
    const rule = labels.find(({ pattern }) => pattern.test(field.label.toLowerCase()));
    return rule ? [{ field, rule }] : [];
  });
  const own = fields.find(({ label, value }) => namesSystem.test(label) && systemOf(value));
  const system = systemOf(own?.value ?? heading);
  // "Owner" below the name of a service is the service's; beside a component it may be the ticket's.
  const isOfSystem = own ? !/^component/i.test(own.label) : systemOfTitle(heading) !== undefined;
  if (!system || !(isOfSystem || stated.some(({ rule }) => rule.isSure))) return facts;
  for (const { field, rule } of stated) {
    const raw = field.label.toLowerCase();
    const others = listedNames(field.value).map((name) =>
      rule.holder === 'system' ? systemOf(name) : isPersonName(name) ? personOf(name) : undefined,
    );
    if (others.some((other) => other === undefined)) continue;
    const found = others.flatMap((other) =>
      other === undefined || other.name === system.name
        ? []
        : [
            rule.isInverse
              ? { source: other, target: system, predicate: rule.predicate, raw }
              : { source: system, target: other, predicate: rule.predicate, raw },
          ],
    );
    if (found.length > 0) facts.set(field, found);
  }
  return facts;
}

/**
 * A system: "billing-api", "AWS Fargate", "PostgreSQL 15", "redis". Undefined
 * for common words and sentences.
 */
function systemOf(text: string): FormEnd | undefined {
  const name = text.replace(/ v?\d+(?:\.[\dx]+)*\+?$/, '').replace(/^`(.+)`$/, '$1');
  if (isSystemName(name)) return { name, type: 'PRODUCT' };
  const titled = systemOfTitle(name);
  if (titled !== undefined) return { name: titled, type: 'PRODUCT' };
  const words = name.split(' ');
  const isKnown = kindOf(name.toLowerCase()) === 'organization';
  const isWord = words.every((word) => /^\p{L}?\p{Ll}+$/u.test(word) && isEnglishWord(word.toLowerCase()));
  const isCapital = words.every((word) => /^(?:\p{Lu}|\d)[\p{L}\p{N}.+#-]*$/u.test(word));
  if (words.length > systemWordsMax || /^(?:none|n\/?a|tbd)$/i.test(name)) return undefined;
  if (isKnown && isCapital) return { name, type: 'ORGANIZATION' };
  const isOne = words.length === 1 && /^\p{Ll}[\p{Ll}\d]+$/u.test(name);
  // A single capitalised word counts, since only systems stand here: "Nomad".
  if (!(isCapital || isOne) || (isWord && !(isCapital && words.length === 1))) return undefined;
  return { name, type: 'PRODUCT' };
}
