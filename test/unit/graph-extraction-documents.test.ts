import { describe, expect, test } from '@jest/globals';
import { namesIn, wordedIn } from '../support/read-graph.js';

describe('what contracts, reports, notes and chats name', () => {
  test.each<[string, ...string[]]>([
    ['This is in force as of the Effective Date.'],
    ['We charge a Late Fee, and keep the Security Deposit.'],
    ['It shall not disclose Confidential Information to any Third Party.'],
    ['The Disclosing Party informs the Discloser and the Recipient.'],
    ['IN WITNESS WHEREOF, both have signed.'],
    ['She sent the draft by EOD, and the FAQ by COB.'],
    ['EBITDA and EPS rose in EMEA.'],
    ['History of COPD and HTN, and the ECG was normal.'],
    ['Loss of DNA repair was seen with PARP inhibitors.'],
    ['LGTM, WFH today and OOO tomorrow.'],
    ['@channel the deploy is done.'],
    ['Call `PaymentGateway.charge(amount)` or set `MAX_RETRIES = 5`.'],
    ['It raises `CardError`, see `OrderController`.'],
    ['We saw ERR_CONN_RESET again.'],
    ['The Audit Committee met the Board of Directors.'],
    ['Our auditor KPMG was reappointed.', 'KPMG'],
    ['The NIH funded it, the INPE did not.', 'NIH', 'INPE'],
    ['She is at CERN now.', 'CERN'],
    ['The wreck was found on 2 February (AFP).', 'AFP'],
    ['The Statue of Liberty was closed.', 'Statue of Liberty'],
    ['`OPS-771` is done.', 'OPS-771'],
  ])('%s', (text, ...names) => {
    expect(namesIn(text).filter((name) => !/^\d/.test(name))).toEqual(names);
  });

  test('code counts where a relation is stated', () => {
    expect(wordedIn('`order-service` depends on `ledger-api`.')).toEqual([
      'order-service depends_on (depends on) ledger-api',
    ]);
  });
});

test('whoever signs for a company works for it', () => {
  const block = (company: string, name: string, title: string) =>
    [company, 'By: ____________________', `Name: ${name}`, `Title: ${title}`, 'Date: 3 March 2025'].join(
      '\n',
    );
  const text = [
    'The parties have signed this agreement.',
    block('ACME ROBOTICS, INC.', 'Thomas Greer', 'Chief Financial Officer'),
    block('Lumen Optics GmbH', 'Katharina Wolf', 'Managing Director'),
  ].join('\n\n');
  expect(wordedIn(text)).toEqual([
    'Thomas Greer works_for (Chief Financial Officer) ACME ROBOTICS, INC.',
    'Katharina Wolf works_for (Managing Director) Lumen Optics GmbH',
  ]);
  expect(wordedIn(text.replaceAll(/_{3,}/g, 'hand'))).toEqual([]);
});

test('a heading of plain words is no company', () => {
  expect(wordedIn('# Management\n\n- CEO: Friedrich Stein\n- CTO: Ines Duarte')).toEqual([]);
});

test('a board that appoints somebody does not employ him', () => {
  expect(wordedIn('Its Board of Directors has appointed Aino Laine as President.')).toEqual([]);
});
