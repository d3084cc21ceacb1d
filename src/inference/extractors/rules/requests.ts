import { createFact } from '../../facts.js';
import { value } from './phrases.js';
import { retold } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

const languages =
  'English|French|German|Spanish|Italian|Portuguese|Dutch|Norwegian|Swedish|Danish|Finnish|Polish|Czech|Russian|Ukrainian|Turkish|Greek|Arabic|Hebrew|Hindi|Chinese|Mandarin|Japanese|Korean|Vietnamese|Thai|Indonesian|Hungarian|Romanian';
const answering = '(?:answer|reply|respond|write|speak|talk)(?: (?:to )?me| back)?';
// Verbs that forbid something to an assistant; others ("don't worry") are no wishes.
const refusable =
  '(?:call|contact|e-?mail|text|disturb|message|phone|ping|schedule|book|use|send|remind|ask|suggest|recommend|include|add|reply|respond|answer|address|notify|mention|give|show|put|share|quote|translate|format|explain|summari[sz]e|write|wake|offer|start|end|order|buy|assume|repeat)';
const wishable = `(?:${refusable}|be|keep|make|avoid|prefer|refer|speak|talk|check|provide|limit|cc|sign|stop)`;
const lasting = /\b(?:from now on|going forward|in (?:the )?future|every time|each time|at all times)\b/i;

// Refers to the task at hand, or is a description instead of a wish ("always returns 1").
const passing = /\b(?:this|that|these|those|it|attached|following|above|below)\b|^\w+(?:[^s]s|ly|ed)\b/i;

const please = '(?:please )?(?:(?:from now on|going forward|in (?:the )?future),? )?(?:please )?';

/**
 * The fact that the user wants something always, or never. The wish is kept literally,
 * so that nothing is read into it.
 */
function request(
  context: RuleContext,
  { action, refused }: { action: string; refused: boolean },
): ReturnType<Rule['facts']> {
  const { predicate, evidence } = context;
  const language = new RegExp(`^${answering} (?:only )?in (${languages})(?:,? please)?$`, 'i').exec(
    action,
  )?.[1];
  const told = retold(action.charAt(0).toLowerCase() + action.slice(1), predicate);
  const common = {
    kind: 'preference' as const,
    subject: predicate.subject.name,
    evidence,
    confidence: 0.85,
    negated: refused,
  };
  const statement = `${common.subject} asks ${refused ? 'never' : 'always'} to ${told}`;
  if (language !== undefined)
    return [
      createFact({ ...common, attribute: 'language of answers', value: language, values: 'one', statement }),
    ];
  // "before 9" and "before 10" are two values of one wish, of which the later one counts.
  const asked = told.replace(/\d+/g, '#');
  if (asked === told)
    return [createFact({ ...common, attribute: 'request', value: told, values: 'many', statement })];
  return [
    createFact({
      ...common,
      attribute: 'request',
      about: `request ${refused ? 'never' : 'always'} ${asked}`,
      value: told,
      values: 'one',
      negated: false,
      statement,
    }),
  ];
}

function requestRule(pattern: string, refused: boolean, holds = (_clause: string) => true): Rule {
  return {
    pattern: new RegExp(`^${please}${pattern}$`, 'i'),
    of: ['none'],
    facts: (match, context) => {
      const action = value((match[1] ?? '').replace(lasting, '').replace(/\s+,?\s*$/, ''));
      if (action === undefined || passing.test(action) || !holds(context.evidence)) return [];
      return request(context, { action, refused });
    },
  };
}

const written =
  '(?:your |the |all )?(?:answers?|replies|responses|explanations|summaries|messages|e-?mails|sentences)';
const manner =
  '(?:(?:very|as) )?(?:short|brief|concise|simple|long|detailed|formal|informal|casual|friendly|polite|direct|to the point|technical|plain)(?: (?:as|and) \\w+)?';
/**
 * Wishes about how answers are written. Of each attribute one value holds at a time, so a
 * new wish replaces the old one.
 */
const styles: readonly (readonly [attribute: string, pattern: RegExp])[] = [
  ['style of answers', new RegExp(`^${please}((?:keep|make) ${written} ${manner})(?:,? please)?$`, 'i')],
  [
    'spelling',
    new RegExp(
      `^${please}(use (?:british|american|canadian|australian|uk|us) (?:spelling|english))(?:,? please)?$`,
      'i',
    ),
  ],
  [
    'units',
    new RegExp(`^${please}(use (?:metric|imperial|si)(?: units| measurements)?)(?:,? please)?$`, 'i'),
  ],
  [
    'clock',
    new RegExp(
      `^${please}(use (?:the |a )?(?:24|12)[ -]?(?:hour|h) (?:clock|format|times?))(?:,? please)?$`,
      'i',
    ),
  ],
];

/** "Keep answers short". By its subject such a wish is lasting, even without "always". */
const styleRules: readonly Rule[] = styles.map(([attribute, pattern]) => ({
  pattern,
  of: ['none'],
  facts: (match, { predicate, evidence }) => {
    const action = (match[1] ?? '').charAt(0).toLowerCase() + (match[1] ?? '').slice(1);
    const subject = predicate.subject.name;
    return [
      createFact({
        kind: 'preference',
        subject,
        attribute,
        value: action,
        values: 'one',
        statement: `${subject} asks always to ${action}`,
        evidence,
        confidence: 0.85,
      }),
    ];
  },
}));

/** Rules for what the user asks for once and for all. */
export const requestRules: readonly Rule[] = [
  ...styleRules,
  requestRule(`(${answering} (?:only )?in (?:${languages}))(?:,? please)?`, false),
  requestRule('always ((?!been|be |has|have|had)[a-z]+ .+)', false),
  requestRule(`(?:never|do not ever|do not) (${refusable}\\b(?! up\\b| in$).*)`, true),
  requestRule(`(${wishable}\\b.+)`, false, (clause) => lasting.test(clause)),
  requestRule('make sure (?:to |you )?always (?:to )?([a-z]+ .+)', false),
  requestRule('make sure (?:to |you )?never (?:to )?([a-z]+ .+)', true),
  {
    pattern: /^(?:want|need|would like|expect) you to (always|never) (.+)$/i,
    of: ['user'],
    facts: (match, context) => {
      const action = value(match[2] ?? '');
      if (action === undefined || context.predicate.polarity !== 'yes') return [];
      return request(context, { action, refused: /never/i.test(match[1] ?? '') });
    },
  },
  {
    pattern:
      /^(?:[Pp]lease |[Yy]ou can )?[Cc]all me (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)(?:,? (?:not|instead of|rather than) .+)?(?:,? please)?$/u,
    of: ['none'],
    facts: (match, { predicate, evidence }) => {
      const name = match[1] ?? '';
      const subject = predicate.subject.name;
      const statement = `${subject} goes by ${name}`;
      return [
        createFact({
          kind: 'preference',
          subject,
          attribute: 'goes by',
          value: name,
          values: 'one',
          statement,
          evidence,
          confidence: 0.9,
        }),
      ];
    },
  },
];
