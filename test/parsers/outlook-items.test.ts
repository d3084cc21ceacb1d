import { describe, expect, test } from '@jest/globals';
import { decompressRtf } from '../../src/ingestion/parsers/mail/rtf-decompress.js';
import { msgFile, type MsgParts } from '../support/files/mail.js';
import { bytesOf, textsOf } from '../support/files/reading.js';
import { tnef, wide } from '../support/files/tnef.js';
import { parseFile } from '../support/parse-file.js';

const parse = (parts: MsgParts) =>
  parseFile({ name: 'a.msg', bytes: msgFile(parts) }, { ocrLanguages: ['eng'] });
const texts = async (parts: MsgParts) => textsOf(await parse(parts));
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const [tasks, contacts, appointments] = [0x00062003, 0x00062004, 0x00062002];
/** The first example of MS-OXRTFCP. */
const packed = hex(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
);

describe('an item of Outlook', () => {
  test('that is a contact tells how to reach somebody', async () => {
    const [mail, office, home] = [0x8001, 0x8002, 0x8003];
    const document = await texts({
      names: [
        [contacts, 0x8083, mail],
        [contacts, 0x801b, office],
        [contacts, 0x801a, home],
      ],
      fields: {
        0x001a: 'IPM.Contact',
        0x0037: 'Ann Berg',
        0x3001: 'Ann Berg',
        0x3a16: 'Acme',
        0x3a17: 'Engineer',
        0x3a18: 'Pumps',
        0x3a08: '+47 1',
        0x3a1c: '+47 2',
        [mail]: 'ann@example.com',
        [office]: 'Quay 4\r\nBergen',
        [home]: 'Hill 9',
        0x3a42: new Date('1980-02-29T00:00:00Z'),
        0x1000: 'Met in May.',
      },
    });
    expect(document).toEqual([
      'Subject: Ann Berg\nName: Ann Berg\nCompany: Acme\nDepartment: Pumps\nTitle: Engineer\nBusiness phone: +47 1\nMobile phone: +47 2\n' +
        'E-mail: ann@example.com\nBusiness address: Quay 4 Bergen\nHome address: Hill 9\nBirthday: 1980-02-29',
      'Met in May.',
    ]);
  });

  test('that is a task tells when it is due and how far it is', async () => {
    const [start, due, share, owner] = [0x8001, 0x8002, 0x8003, 0x8004];
    const names: MsgParts['names'] = [
      [tasks, 0x8104, start],
      [tasks, 0x8105, due],
      [tasks, 0x8102, share],
      [tasks, 0x811f, owner],
    ];
    const fields = { 0x001a: 'IPM.Task', 0x0037: 'Mend the pump' };
    const days = { [start]: new Date('2024-03-01T00:00:00Z'), [due]: new Date('2024-03-05T00:00:00Z') };
    const done = { [share]: { double: 0.25 }, [owner]: 'Bo' };
    expect(await texts({ names, fields: { ...fields, ...days, ...done } })).toEqual([
      'Subject: Mend the pump\nStart: 2024-03-01\nDue: 2024-03-05\nComplete: 25 %\nOwner: Bo',
    ]);
    const never = { [due]: new Date('4501-01-01T00:00:00Z') };
    expect(await texts({ names, fields: { ...fields, ...never } })).toEqual(['Subject: Mend the pump']);
  });

  test('that is an appointment tells its place', async () => {
    const names: MsgParts['names'] = [
      [appointments, 0x820e, 0x8001],
      [appointments, 0x8208, 0x8002],
    ];
    const fields = { 0x001a: 'IPM.Appointment', 0x8001: new Date('2024-01-31T10:00:00Z'), 0x8002: 'Room 4' };
    expect(await texts({ names, fields })).toEqual(['End: 2024-01-31 10:00 UTC\nLocation: Room 4']);
  });
});

describe('a mail of Outlook', () => {
  test.each<readonly [what: string, fields: MsgParts['fields'], shown: readonly string[]]>([
    [
      'its text in RTF where it has no other',
      { 0x0037: 'Plan', 0x1009: { binary: packed } },
      ['Subject: Plan', 'hello world'],
    ],
    [
      'its subject without the mark of where that begins',
      { 0x0037: '\u0001\u0005Re: Plan', 0x1000: 'Yes.' },
      ['Subject: Re: Plan', 'Yes.'],
    ],
    [
      'who is shown where nobody is listed',
      {
        0x0037: 'Plan',
        0x007d: 'X: y\r\nFrom: Ann <ann@example.com>\r\nTo: no',
        0x0e04: 'Bo; Cy',
        0x0e03: 'Di',
        0x1000: 'Yes.',
      },
      ['From: Ann <ann@example.com>\nTo: Bo; Cy\nCc: Di\nSubject: Plan', 'Yes.'],
    ],
    [
      'the address of somebody without a name',
      { 0x0037: 'Plan', 0x5d01: 'a@example.com', 0x1000: 'Yes.' },
      ['From: a@example.com\nSubject: Plan', 'Yes.'],
    ],
    [
      'a page in its own charset',
      {
        0x0037: 'Plan',
        0x1013: { binary: Buffer.from('<meta charset=windows-1251><p>\xcf\xf0</p>', 'latin1') },
      },
      ['Subject: Plan', 'Пр'],
    ],
    [
      'a page in the charset of the mail',
      { 0x0037: 'Plan', 0x3fde: 1251, 0x1013: { binary: Buffer.from('<p>\xcf\xf0</p>', 'latin1') } },
      ['Subject: Plan', 'Пр'],
    ],
    ['a page in Unicode', { 0x0037: 'Plan', 0x1013: '<p>Пр</p>' }, ['Subject: Plan', 'Пр']],
  ])('tells %s', async (_what, fields, shown) => {
    expect(await texts({ fields })).toEqual(shown);
  });

  test('that is encrypted is refused, one with a signed mail in it is read', async () => {
    await expect(parse({ fields: { 0x001a: 'IPM.Note.SMIME', 0x0037: 'Plan' } })).rejects.toMatchObject({
      code: 'E1001',
      message: 'The message is encrypted.',
    });
    const signed = bytesOf('Content-Type: text/plain\n\nWe meet at nine.');
    const document = await texts({
      fields: { 0x001a: 'IPM.Note.SMIME.MultipartSigned', 0x0037: 'Plan' },
      attachments: [{ 0x3707: 'smime.p7m', 0x3701: { binary: signed } }],
    });
    expect(document).toContain('We meet at nine.');
  });
});

describe('a winmail.dat', () => {
  const read = async (parts: Parameters<typeof tnef>[0]) => {
    const content = tnef(parts).toString('base64');
    const mail = `Subject: Plan\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${content}\n`;
    const { blocks } = await parseFile({ name: 'a.eml', bytes: bytesOf(mail) }, { ocrLanguages: ['eng'] });
    return blocks.slice(1).map(({ text, headings }) => [text, ...headings]);
  };

  test('of a former program has its text beside its properties', async () => {
    expect(await read({ subject: 'Größe', body: 'Ten.' })).toEqual([['Ten.', 'Größe.txt']]);
  });

  test('is read on behind properties with names', async () => {
    const named = [0x8001, 0x8002].map((id) => [0x1e, id, Buffer.from('no\0')] as const);
    const properties = [...named, [0x1f, 0x1000, wide('Ten.')] as const];
    expect(await read({ properties })).toEqual([['Ten.', 'Message.txt']]);
  });

  test('has its text in RTF where there is no other', async () => {
    expect(await read({ properties: [[0x102, 0x1009, packed]] })).toEqual([['hello world', 'Message.rtf']]);
  });

  test('keeps attachments without a name, and none without content', async () => {
    const attachments = [{ data: Buffer.from('Nine.') }, { title: 'x.txt' }];
    expect(await read({ body: 'Ten.', attachments })).toEqual([
      ['Ten.', 'Message.txt'],
      ['Nine.', 'attachment'],
    ]);
  });
});

describe('RTF of Outlook', () => {
  test.each([
    ['with references', packed, '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n'],
    [
      'with references to what they write',
      hex('1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0'),
      '{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}',
    ],
    ['that is not compressed', hex('0f000000030000004d454c4100000000 6162630000'), 'abc'],
    ['that is damaged', hex('0f000000030000000000000000000000 616263'), ''],
    ['that is cut off', packed.subarray(0, 10), ''],
    ['that is cut off in a reference', packed.subarray(0, 20), '{\\rtf1\\ansi\\'],
  ])('%s is read', (_what, source, text) => {
    expect(Buffer.from(decompressRtf(source)).toString('latin1')).toBe(text);
  });
});
