import { describe, expect, test } from '@jest/globals';
import { historyLines, isForwarded, quotedParagraphs } from '../../src/text/mail-history.js';

/** The lines of a mail that repeat others. */
const history = (text: string, forwards = false) => {
  const lines = text.split('\n');
  const isHistory = historyLines(lines, forwards);
  return lines.filter((line, at) => isHistory[at] && line !== '');
};
/** What an example marks with a bar is its history. */
const marked = (example: string) => {
  const lines = example.split('\n');
  const text = lines.map((line) => line.replace(/^\|/, '')).join('\n');
  const expected = lines.filter((line) => /^\|./.test(line)).map((line) => line.slice(1));
  return { text, expected };
};

describe('history of a mail', () => {
  test.each([
    [
      'English',
      'Thanks.\n\n|On Mon, Jun 3, 2024 at 9:00 AM Ann Lee <ann@x.com> wrote:\n|\n|> The deposit is due.',
    ],
    [
      'wrapped',
      'Thanks.\n\n|On Mon, Jun 3, 2024 at 9:00 AM Ann Lee <ann.lee@example.com>\n|wrote:\n|> The deposit.',
    ],
    ['only a name', 'Thanks.\n|Ann wrote:\n|> The deposit is due.'],
    ['German', 'Danke.\n\n|Am 3. Juni 2024 um 09:00 schrieb Ann Lee <ann@x.de>:\n|> Die Kaution ist fällig.'],
    [
      'French',
      'Merci.\n\n|Le lun. 3 juin 2024 à 09:00, Ann Lee <ann@x.fr> a écrit :\n|> La caution est due.',
    ],
    [
      'Spanish',
      'Gracias.\n\n|El lun, 3 jun 2024 a las 9:00, Ann (<ann@x.es>) escribió:\n|> La fianza vence.',
    ],
    ['Polish', 'Dzięki.\n\n|pon., 3 cze 2024 o 09:00 Ann <ann@x.pl> napisał(a):\n|> Kaucja.'],
    ['no verb', '了解。\n\n|2024年6月3日(月) 9:00 Ann <ann@x.jp>:\n|> 敷金です。'],
    [
      'nested',
      'Great.\n\n|On Tue, Bob wrote:\n|> Thanks.\n|>\n|> On Mon, Ann wrote:\n|>> The deposit is due.\n|>>> Since when?',
    ],
    ['unmarked lines of a paragraph', 'Yes.\n\n|On Mon, Ann wrote:\n|> One.\n|\n|> Two.'],
    ['without anybody named', 'Fine with me.\n\n|> The deposit is due.\n|> It is high.\n|> Pay it.'],
    ['a signature below', 'Thanks.\n\n|On Mon, Ann wrote:\n|> The deposit is due.\n\n-- \nBob'],
    ['the foot of a list below', 'Thanks.\n|Ann wrote:\n|> Due.\n_______________\nlist mailing list'],
    [
      'no marks',
      'Thanks.\n\n|On Mon, Jun 3, 2024 at 9:00, Ann <ann@x.com> wrote:\n|\n|The deposit is due.\n|\n|Ann',
    ],
    ['no marks, in German', 'Ja.\n\n|Am 03.06.24 um 09:00 schrieb Ann Lee:\n|\n|Ist sie da?'],
    [
      'Outlook',
      'Thanks.\n\n|-----Original Message-----\n|From: Ann\n|Sent: Monday, 3 June 2024 09:00\n|To: Bob\n|Subject: Office\n|\n|The deposit is due.\n|\n|Ann',
    ],
    [
      'Outlook, only a header',
      'Danke.\n\n|________________________________\n|Von: Ann\n|Gesendet: Montag, 3. Juni 2024 09:00\n|An: Bob\n|Betreff: Büro\n|\n|Die Kaution.',
    ],
    [
      'French Outlook',
      'Merci.\n\n|De : Ann\n|Envoyé : lundi 3 juin 2024\n|À : Bob\n|Objet : Bureau\n|\n|La caution.',
    ],
    [
      'Spanish Outlook',
      'Gracias.\n\n|De: Ann\n|Enviado el: lunes, 3 de junio\n|Para: Bob\n|Asunto: Oficina\n|\n|La fianza.',
    ],
    ['in bold', 'Thanks.\n\n|*From:* Ann\n|*Sent:* Monday\n|*To:* Bob\n|*Subject:* Office\n|\n|The deposit.'],
    ['an original behind marks', 'Yes.\n\n|-----Original Message-----\n|> From: Ann\n|> The deposit?'],
    ['two quotations', 'Yes.\n\n|On Mon, Ann wrote:\n|> One.\n\n|On Tue, Bob wrote:\n|> Two.'],
  ])('is told from what it says: %s', (_case, example) => {
    const { text, expected } = marked(example);
    expect(history(text)).toEqual(expected);
  });

  test.each([
    ['answers below', 'On Mon, Ann wrote:\n> Is it due?\n\nYes, in June.\n\n> How high?\n36,000 euros.'],
    ['an answer below all', 'On Mon, Ann wrote:\n> Is it due?\n\nYes, in June.'],
    ['a comparison', 'We pack boxes of\n> 5 items'],
    ['comparisons', '> 5 items: large\n> 3 items: small\nall others: tiny'],
    ['code', 'Run this:\n\n```\n> npm ci\n> npm run build\n> npm start\n```'],
    ['a shell', 'Run this:\n    > npm ci\n    > npm run build\n    > npm start'],
    ['arrows', 'a -> b\nb -> c\nc -> d'],
    ['a story', 'On Monday Ann wrote:\n\nWe are late.'],
    ['points', 'On 3 June at 10:00 Ann wrote down these points:\n\n- rent\n- deposit'],
    ['labels', 'Plan\n\nFrom: Berlin\nTo: Paris\nBy: train'],
    ['nothing of its own above', 'From: Ann\nSent: Monday\nTo: Bob\nSubject: Office\n\nThe deposit.'],
    [
      'a message passed on',
      'FYI\n\n---------- Forwarded message ---------\nFrom: Ann <a@x.com>\nDate: Mon, Jun 3\nSubject: Office\nTo: Bob\n\nThe deposit is due.',
    ],
    [
      'the same in German',
      'Zur Info\n\n-------- Weitergeleitete Nachricht --------\nBetreff: Büro\nDatum: 3. Juni\nVon: Ann\nAn: Bob\n\nDie Kaution.',
    ],
    [
      'the same behind marks',
      'FYI\n\nBegin forwarded message:\n\n> From: Ann\n> Subject: Office\n> Date: 3 June\n>\n> The deposit is due.',
    ],
  ])('is not what it says itself: %s', (_case, text) => {
    expect(history(text)).toEqual([]);
  });

  test('does not hold the message that the subject passes on, but that one’s own', () => {
    const header = (from: string) => `From: ${from}\nSent: Monday\nTo: Bob\nSubject: Office`;
    const text = `FYI\n\n-----Original Message-----\n${header('Ann')}\n\nThe deposit is due.\n\n${header('Cy')}\n\nIs it?`;
    expect(history(text, isForwarded('FW: Office'))).toEqual([...header('Cy').split('\n'), 'Is it?']);
    expect(history(text, isForwarded('RE: FW: Office'))).toHaveLength(11);
    for (const subject of ['Fwd: a', 'WG: a', 'TR : a', 'RV: a']) expect(isForwarded(subject)).toBe(true);
    for (const subject of ['Forward: plans', 'AW: a', '']) expect(isForwarded(subject)).toBe(false);
  });

  test('of a long quotation leaves the last lines with their answer', () => {
    const quoted = Array.from({ length: 40 }, (_, line) => `> Line ${line} ${'of many words '.repeat(3)}`);
    const found = history(`On Mon, Ann wrote:\n${quoted.join('\n')}\n\nI agree with the last one.`);
    expect(found[0]).toBe('On Mon, Ann wrote:');
    expect(found.length).toBeGreaterThan(20);
    expect(found).toEqual(['On Mon, Ann wrote:', ...quoted].slice(0, found.length));
    expect(quoted.slice(found.length - 1).join('\n').length).toBeGreaterThan(500);
    const older = quoted.map((line) => `> ${line}`);
    const whole = [
      'On Tue, Bob wrote:',
      '> On Mon, Ann wrote:',
      ...older,
      '>',
      '> I do not.',
      '>',
      '',
      'But I do.',
    ];
    expect(history(whole.join('\n'))).toEqual(whole.slice(0, -4));
  });

  test('takes linear time', () => {
    const hostile = [
      '-'.repeat(50_000),
      '> '.repeat(50_000),
      'On '.repeat(20_000),
      `${'-'.repeat(5_000)}Forwarded message`,
    ];
    for (const line of hostile) history(`${line}:\n${line}\n${line} x`);
    const lines = Array.from(
      { length: 50_000 },
      (_, at) => ['> a', 'On Mon, Ann wrote:', '', 'b'][at % 4] ?? '',
    );
    const startedAt = performance.now();
    historyLines(lines);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('paragraphs of quoted text', () => {
  test('are those of each mail, without marks and who is quoted', () => {
    const text =
      'On Tue, Jun 4, 2024 at 9:00 AM Bob <b@x.com>\nwrote:\n> Thanks.\n>\n> On Mon, Ann wrote:\n>> The deposit\n>> is due.\n>>\n>> A: it is high.\n>\n> -----Original Message-----\n> From: Cy\n> Sent: Monday\n> To: Ann\n> Subject: Office\n>\n> Is it?';
    expect(quotedParagraphs(text)).toEqual([
      { text: 'Thanks.', isAnswered: true },
      { text: 'The deposit\nis due.', isAnswered: false },
      { text: 'A: it is high.', isAnswered: false },
      { text: 'Is it?', isAnswered: false },
    ]);
    const answeredIn = (quoted: string) =>
      quotedParagraphs(quoted).flatMap(({ text: said, isAnswered }) => (isAnswered ? [said] : []));
    expect(answeredIn('Bob wrote:\n> Ann wrote:\n>> Old.\n>\n> New.\n>\n> Newer.')).toEqual([
      'New.',
      'Newer.',
    ]);
    const header = 'From: A\nSent: Monday\nTo: B\nSubject: C\n\n';
    expect(answeredIn(`${header}New.\n\nNewer.\n\n${header}Old.`)).toEqual(['New.', 'Newer.']);
    expect(quotedParagraphs('> \n\n')).toEqual([]);
  });
});
