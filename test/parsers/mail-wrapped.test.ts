import { describe, expect, test } from '@jest/globals';
import type { ParsedDocument } from '../../src/ingestion/parsers/parser.js';
import { bytesOf, textsOf } from '../support/files/reading.js';
import { tnef, wide } from '../support/files/tnef.js';
import { parseFile } from '../support/parse-file.js';

const head = 'From: Ana <ana@example.com>\nSubject: Plan\n';
const parse = (mail: string): Promise<ParsedDocument> =>
  parseFile({ name: 'file.eml', bytes: bytesOf(mail) }, { ocrLanguages: ['eng'] });
/** A value of DER; one without `isShort` does not say its length. */
const value = (tag: number, content: readonly Buffer[], isShort = true): Buffer => {
  const inner = Buffer.concat(content);
  if (!isShort) return Buffer.concat([Buffer.from([tag, 0x80]), inner, Buffer.alloc(2)]);
  return Buffer.concat([Buffer.from([tag, 0x82, inner.length >> 8, inner.length & 0xff]), inner]);
};

describe('winmail.dat', () => {
  const wrapped = (body: string, content: Buffer, type = 'application/ms-tnef') =>
    `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\n\n${body}\n--b\nContent-Type: ${type}; name=winmail.dat\n` +
    `Content-Transfer-Encoding: base64\n\n${content.toString('base64')}\n--b--\n`;
  const csv = Buffer.from('room,seats\nBlue,12\n');

  test.each(['application/ms-tnef', 'application/octet-stream'])(
    'sent as %s gives its files, by their long names',
    async (type) => {
      const content = tnef({
        properties: [[0x1e, 0x1000, Buffer.from('Repeated\0')]],
        attachments: [
          { title: 'ROOMS~1.CSV', data: csv, properties: [[0x1f, 0x3707, wide('räume.csv')]] },
          { title: 'größe.txt', data: Buffer.from('Ten.') },
        ],
      });
      const { blocks } = await parse(wrapped('Body', content, type));
      expect(blocks.slice(1).map(({ text, headings }) => [text, ...headings])).toEqual([
        ['Body'],
        ['room: Blue; seats: 12', 'räume.csv'],
        ['Ten.', 'größe.txt'],
      ]);
    },
  );

  test('gives the text of a mail that has no other, and the messages attached within', async () => {
    const inner = tnef({
      properties: [
        [0x1f, 0x0037, wide('v1.2 is out')],
        [0x102, 0x1013, Buffer.from('<p>Inner <b>words</b></p>')],
      ],
    });
    const content = tnef({
      codePage: 1251,
      properties: [[0x1e, 0x1000, Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0])]],
      attachments: [{ properties: [[0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), inner])]] }],
    });
    const { blocks } = await parse(wrapped('', content));
    expect(blocks.slice(1).map(({ text, headings }) => [text, ...headings])).toEqual([
      ['Привет', 'Message.txt'],
      ['Inner words', 'v1.2 is out.html'],
    ]);
  });

  test('that is cut off gives what is left', async () => {
    const content = tnef({
      attachments: [
        { title: 'a.csv', data: csv },
        { title: 'b.csv', data: csv },
      ],
    });
    const { blocks } = await parse(wrapped('Body', content.subarray(0, -30)));
    expect(blocks.slice(1).map(({ text }) => text)).toEqual(['Body', 'room: Blue; seats: 12']);
  });
});

describe('a signed mail', () => {
  test.each([true, false])(
    'whose text is within the signature is read (lengths given: %p)',
    async (isShort) => {
      const message = Buffer.from('Content-Type: text/html; charset=utf-8\n\n<p>We meet at the café.</p>');
      const pieces = isShort
        ? [value(4, [message])]
        : [message.subarray(0, 9), message.subarray(9)].map((each) => value(4, [each]));
      const octets = isShort ? (pieces[0] as Buffer) : value(0x24, pieces, false);
      const data = value(6, [Buffer.from('2a864886f70d010701', 'hex')]);
      const content = value(0x30, [data, value(0xa0, [octets], isShort)], isShort);
      const signed = value(0x30, [value(2, [Buffer.from([1])]), value(0x31, []), content], isShort);
      const type = value(6, [Buffer.from('2a864886f70d010702', 'hex')]);
      const whole = value(0x30, [type, value(0xa0, [signed], isShort)], isShort);
      const document = await parse(
        `${head}MIME-Version: 1.0\nContent-Type: application/pkcs7-mime; smime-type=signed-data;\n name=smime.p7m\nContent-Transfer-Encoding: base64\n\n${whole.toString('base64')}\n`,
      );
      expect(document.title).toBe('Plan');
      expect(textsOf(document)).toEqual([
        'From: Ana <ana@example.com>\nSubject: Plan',
        'We meet at the café.',
      ]);
    },
  );

  test('is read without what PGP puts around its text', async () => {
    const document = await parse(
      `${head}\nBefore.\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nThe policy changes.\n\n- -- \nCarl\n-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAd\n=abcd\n-----END PGP SIGNATURE-----\n\nAfter.\n`,
    );
    expect(textsOf(document).slice(1)).toEqual(['Before.', 'The policy changes.', '-- \nCarl', 'After.']);
  });
});

test('lines that flow are joined where equally much is quoted', async () => {
  const flowed = (body: string, parameters = '') =>
    parse(`${head}Content-Type: text/plain; charset=utf-8; format=flowed${parameters}\n\n${body}`);
  const quoted = await flowed(
    'A line \nthat flows.\n\n> Quoted \n> words.\n>> Deeper.\n\n From here.\n-- \nAna\n',
  );
  expect(textsOf(quoted).slice(1)).toEqual([
    'A line that flows.',
    '> Quoted words.\n>> Deeper.',
    'From here.\n-- \nAna',
  ]);
  const japanese = await flowed('明日は \n十時から\n', '; delsp=yes');
  expect(textsOf(japanese).slice(1)).toEqual(['明日は十時から']);
});

test('an invitation is told once, with its zone and without its reminder', async () => {
  const event =
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Launch\nDTSTART;TZID=Europe/Oslo:20240131T093000\nBEGIN:VALARM\nDESCRIPTION:Soon\nEND:VALARM\nLOCATION:Room 2\nEND:VEVENT\nEND:VCALENDAR';
  const document = await parse(
    `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\n\nBody\n--b\nContent-Type: text/calendar\n\n${event}\n--b\nContent-Type: application/ics; name=invite.ics\n\n${event}\n--b--\n`,
  );
  expect(textsOf(document).slice(1)).toEqual([
    'Body',
    'Event: Launch\nStart: 2024-01-31 09:30 Europe/Oslo\nLocation: Room 2',
  ]);
});
