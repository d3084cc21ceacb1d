import { describe, expect, test } from '@jest/globals';
import { DefinedAbbreviations } from '../../src/text/defined-abbreviations.js';

/** What the second part of a text says in the other form when the first defines it. */
const otherForms = (first: string, second: string) => {
  const abbreviations = new DefinedAbbreviations();
  abbreviations.otherForms(first);
  return abbreviations.otherForms(second);
};

describe('an abbreviation that a text defines stands for its long form, and that for it', () => {
  test.each([
    ['The Service Level Agreement (SLA) holds.', 'service\nlevel agreement', ['SLA']],
    ['the Service Level Agreement (the “SLA”) holds', 'Both SLAs end.', ['service level agreement']],
    ['SLA (service level agreement)', "the SLA's end", ['service level agreement']],
    [
      'Internal Control over Financial Reporting (ICFR)',
      'ICFR',
      ['internal control over financial reporting'],
    ],
    ['the loan-to-value ratio (LTVR)', 'LTVR', ['loan-to-value ratio']],
    ['Research and Development (R&D) is dear.', 'R&D', ['research and development']],
  ])('%s', (definition, text, forms) => {
    expect(otherForms(definition, text)).toEqual(forms);
  });

  test.each([
    ['what has both', 'Service Level Agreement (SLA)', 'SLA, the service level agreement'],
    ['what has neither', 'Service Level Agreement (SLA)', 'slate of levels'],
    ['what is defined nowhere', 'An agreement.', 'SLA'],
    ['a note in brackets', 'He moved to Paris (USA).', 'USA'],
    ['a bracket behind an abbreviation', 'SLA (see the service level agreement)', 'SLA'],
  ])('not %s', (_case, definition, text) => {
    expect(otherForms(definition, text)).toEqual([]);
  });
});
