import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { readMailHead } from '../../src/ingestion/parsers/email.js';
import { msgFile } from '../support/files/mail.js';
import { bytesOf, textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

const settings = { ocrLanguages: [] };

describe('eml', () => {
  const parse = (source: string | Uint8Array) =>
    parseFile({ name: 'a.eml', bytes: typeof source === 'string' ? bytesOf(source) : source }, settings);
  const head = 'From: Ana <ana@example.com>\nTo: b@example.com\nSubject: Plan\n';

  test('begins with people, the date in the sender’s time and the subject', async () => {
    const document = await parse(
      'From MAILER Wed\nFrom: =?utf-8?q?Zo=C3=AB?= <z@example.com>\nTo: Team: a@x.com, B <b@x.com>;\nDate: Wed, 21 Feb 2024 00:30:00 +0200\nSubject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?=\n\nHi\n',
    );
    expect(document.title).toBe('日本');
    expect(textsOf(document)).toEqual([
      'From: Zoë <z@example.com>\nTo: Team: a@x.com, B <b@x.com>\nDate: 2024-02-21 00:30:00 +0200\nSubject: 日本',
      'Hi',
    ]);
  });

  test.each([
    ['koi8-r', 'Привет, как дела? Завтра встреча в девять утра.'],
    ['gb18030', '明天上午九点开会，请准时参加。'],
    ['iso-2022-jp', '明日の会議は九時からです。'],
  ])('obeys the charset %s', async (charset, text) => {
    const body =
      charset === 'iso-2022-jp'
        ? Buffer.from('\u001b$BL@F|$N2q5D$O6e;~$+$i$G$9!#\u001b(B')
        : iconv.encode(text, charset);
    const mail = Buffer.concat([
      Buffer.from(`${head}Content-Type: text/plain; charset=${charset}\n\n`),
      body,
    ]);
    expect(textsOf(await parse(mail)).at(-1)).toBe(text);
  });

  test.each(['windows-1252', 'iso-8859-1', 'us-ascii'])(
    'reads quotes and the euro in %s',
    async (charset) => {
      const text = 'Der Preis: 5 € – “gut”, it’s Žižka.';
      const bytes = iconv.encode(text, 'win1252');
      const quoted = [...bytes].map((byte) => `=${byte.toString(16).toUpperCase()}`).join('');
      const part = (type: string, encoding: string, body: string | Uint8Array) => [
        Buffer.from(
          `--b\nContent-Type: ${type}; charset=${charset}\nContent-Transfer-Encoding: ${encoding}\n\n`,
        ),
        Buffer.from(body),
        Buffer.from('\n'),
      ];
      const word = `=?${charset}?Q?${quoted}?=`;
      const mail = Buffer.concat([
        Buffer.from(
          `From: ${word} <a@b.c>\nTo: =?${charset}?B?${bytes.toString('base64')}?= <t@b.c>\nSubject: ${word}\nContent-Type: multipart/mixed; boundary=b\n\n`,
        ),
        ...part('text/plain', 'quoted-printable', quoted.replace(/(?:=..){20}/g, '$&=\n')),
        ...part('text/plain', '8bit', bytes),
        ...part('text/html', 'base64', iconv.encode(`<p>${text}</p>`, 'win1252').toString('base64')),
        ...part(`application/x-tool; name*=${charset}''${quoted.replaceAll('=', '%')}`, '7bit', 'xyz'),
        Buffer.from('--b--\n'),
      ]);
      const document = await parse(mail);
      expect(document.title).toBe(text);
      const all = textsOf(document).join('\n');
      expect(all).toContain(`From: ${text} <a@b.c>\nTo: ${text} <t@b.c>\nSubject: ${text}`);
      expect(all.split(text)).toHaveLength(8);
      expect(all).toContain(`Attachment: ${text}`);
      expect(all).not.toMatch(/[\u0080-\u009f]/);
      expect(await readMailHead(mail)).toMatchObject({ from: `${text} <a@b.c>`, subject: text });
    },
  );

  test('guesses the charset that an eight-bit mail does not name', async () => {
    const subject = 'Напоминание о встрече в понедельник утром';
    const mail = iconv.encode(
      `From: a@b.c\nSubject: ${subject}\n\nПриходите, пожалуйста, вовремя.\n`,
      'win1251',
    );
    const document = await parse(mail);
    expect(document.title).toBe(subject);
    expect(textsOf(document).at(-1)).toBe('Приходите, пожалуйста, вовремя.');
  });

  describe('what names no charset, or a wrong one', () => {
    const western = 'Café Straße über';
    const russian = 'Привет, как дела? Завтра встреча в девять утра.';
    const quoted = (text: string, charset = 'win1252') =>
      [...iconv.encode(text, charset)].map((byte) => `=${byte.toString(16).toUpperCase()}`).join('');
    const base64 = (text: string, charset: string) => iconv.encode(text, charset).toString('base64');
    const latin1 = (text: string) => iconv.encode(text, 'win1252').toString('latin1');
    const parseBytes = async (source: string) => textsOf(await parse(Buffer.from(source, 'latin1'))).slice(1);
    const meta = (charset: string, words: string) =>
      `<html><head><meta charset="${charset}"></head><body><p>${words}</p></body></html>`;
    const part = (fields: string, body: string) => `--b\n${fields}\n\n${body}\n`;
    const mixed = (...parts: string[]) =>
      `From: a@b.c\nContent-Type: multipart/mixed; boundary="b"\n\n${parts.join('')}--b--\n`;
    const qp = 'Content-Transfer-Encoding: quoted-printable';

    test.each([
      [
        'quoted-printable',
        `Content-Type: text/plain\n${qp}\nX-A: 1`,
        `${quoted(western)}=\n!`,
        `${western}!`,
      ],
      ['base64', 'Content-Transfer-Encoding: base64', base64(russian, 'koi8-r'), russian],
      [
        'eight bits',
        'X-A: 1',
        latin1(`${western}, set charset=utf-8 in the page`),
        `${western}, set charset=utf-8 in the page`,
      ],
      [
        'a page that names it',
        'Content-Type: text/html',
        meta('koi8-r', iconv.encode('Привет', 'koi8-r').toString('latin1')),
        'Привет',
      ],
      [
        'a page in base64 that names it',
        'Content-Type: text/html\nContent-Transfer-Encoding: base64',
        base64(meta('koi8-r', 'Привет'), 'koi8-r'),
        'Привет',
      ],
      [
        'UTF-8 that is Latin-1',
        'Content-Type: text/plain;\n charset="utf-8"; format=flowed',
        latin1(western),
        western,
      ],
      [
        'an unknown charset',
        `Content-Type: text/plain; charset=unknown-8bit\n${qp}`,
        quoted(russian, 'koi8-r'),
        russian,
      ],
      [
        'UTF-8 with an error',
        `Content-Type: text/plain; charset=utf-8\n${qp}`,
        `${quoted('äöüß é', 'utf-8')}=C3`,
        'äöüß é\ufffd',
      ],
      ['UTF-8', `Content-Type: text/plain\n${qp}`, quoted(western, 'utf-8'), western],
      [
        'UTF-8 that is called ASCII',
        `Content-Type: text/plain; charset=us-ascii\n${qp}`,
        quoted(western, 'utf-8'),
        western,
      ],
      [
        'flowing UTF-8 that is called Latin-1',
        `Content-Type: text/plain; charset=iso-8859-1; format=flowed\n${qp}`,
        quoted(russian, 'utf-8'),
        russian,
      ],
      ['a signature', 'X-A: 1', latin1(`${western}\n-- \n----\nZoë`), `${western}\n-- \n----\nZoë`],
    ])('is read: %s', async (_name, fields, body, text) => {
      expect(await parseBytes(`From: a@b.c\n${fields}\n\n${body}\n`)).toEqual([text]);
      const utf8 = part('Content-Type: text/plain; charset=utf-8', 'plain');
      const read = await parseBytes(mixed(utf8, part(fields, body), utf8));
      expect(read.join('\n')).toContain(text);
      expect(read.join('\n').match(/plain/g)).toHaveLength(2);
    });

    test('stays as it is in what is attached, and in names of its parts', async () => {
      const csv = `k,v\ncity,${latin1('Zürich')}\n`;
      const mail = mixed(
        part('Content-Type: text/plain; charset=utf-8', 'See it.'),
        part(
          `Content-Type: text/csv\nContent-Disposition: attachment; filename="${latin1('Städte.csv')}"`,
          csv,
        ),
      );
      const { blocks } = await parse(Buffer.from(mail, 'latin1'));
      expect(blocks.at(-1)).toMatchObject({ text: 'k: city; v: Zürich', headings: ['Städte.csv'] });
    });
  });

  test('reads what is left of a mail that has lost its parts', async () => {
    for (const parameters of ['', '; boundary=lost'])
      expect(
        textsOf(await parse(`${head}Content-Type: multipart/mixed${parameters}\n\nThe plan is café.\n`)).at(
          -1,
        ),
      ).toBe('The plan is café.');
  });

  test('reads HTML when it says more than the text beside it', async () => {
    const mail = (text: string, html: string) =>
      `${head}Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n${text}\n--b\nContent-Type: text/html\n\n${html}\n--b--\n`;
    const words = 'The same words in both of the parts.';
    expect(textsOf(await parse(mail(words, `<p><b>${words}</b></p>`))).slice(1)).toEqual([words]);
    expect(textsOf(await parse(mail('See HTML.', `<p>${words}</p>`))).slice(1)).toEqual([words]);
    const table = '<table><tr><th>a<th>b<tr><td>1<td>2</table>';
    expect(textsOf(await parse(mail('a b 1 2', table))).slice(1)).toEqual(['a: 1; b: 2']);
  });

  test('tells what it repeats from what it says, in its text and its HTML', async () => {
    const attribution = 'On Mon, Jun 3, 2024 at 9:00 AM Ann <ann@example.com> wrote:';
    const plain = await parse(
      `${head}\nYes, in June.\n\n${attribution}\n\n> Is it due?\n>\n> How high?\n`.replaceAll('\n', '\r\n'),
    );
    expect(plain.blocks.slice(1)).toEqual([
      { text: 'Yes, in June.', headings: [] },
      { text: attribution, headings: [], quoted: true },
      { text: '> Is it due?\n>\n> How high?', headings: [], keepTogether: true, quoted: true },
    ]);
    const html = (body: string, subject = 'Re: Plan') =>
      parse(`From: a@example.com\nSubject: ${subject}\nContent-Type: text/html\n\n${body}\n`);
    const gmail = await html(
      `<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">${attribution.replace('<', '&lt;').replace('>', '&gt;')}<br></div><blockquote class="gmail_quote"><p>Is it due?</p><ul><li>How high?</li></ul><blockquote type="cite">Since <b>when</b>?</blockquote></blockquote></div>`,
    );
    expect(gmail.blocks.slice(1).map(({ text, quoted }) => [text, quoted])).toEqual([
      ['Yes.', undefined],
      [attribution, true],
      ['> Is it due?', true],
      ['> -   How high?', true],
      ['> > Since when?', true],
    ]);
    const outlook =
      '<p>Yes.</p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Ann<br><b>Sent:</b> Monday<br><b>To:</b> Bob<br><b>Subject:</b> Plan</p></div><p>Is it due?</p><table><tr><th>a<th>b<tr><td>1<td>2</table>';
    const quotedIn = ({ blocks }: Awaited<ReturnType<typeof parse>>) =>
      blocks.filter(({ quoted }) => quoted).map(({ text }) => text.split(/\s/)[0]);
    expect(quotedIn(await html(outlook))).toEqual(['From:', 'Is', 'a:']);
    expect(quotedIn(await html(outlook, 'FW: Plan'))).toEqual([]);
    const answered = await html('<blockquote type="cite">Is it due?</blockquote><p>Yes.</p>');
    expect(answered.blocks.slice(1).map(({ text, quoted }) => [text, quoted])).toEqual([
      ['> Is it due?', undefined],
      ['Yes.', undefined],
    ]);
  });

  test('reads attached messages and invitations, and names what it cannot read', async () => {
    const inner = 'From: in@example.com\nSubject: Inner\n\nInner words.';
    const event =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Launch\nDTSTART:20240131T093000Z\nLOCATION:Room\\, 2\nEND:VEVENT\nEND:VCALENDAR';
    const document = await parse(
      `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\n\nBody\n> quoted\n--b\nContent-Type: message/rfc822\n\n${inner}\n--b\nContent-Type: text/calendar\n\n${event}\n--b\nContent-Type: application/x-unknown; name="data.bin"\n\nxyz\n--b\nContent-Type: application/ms-tnef; name=winmail.dat\n\nxyz\n--b--\n`,
    );
    expect(document.blocks.slice(1)).toEqual([
      { text: 'Body\n> quoted', headings: [], keepTogether: true },
      {
        text: 'Event: Launch\nStart: 2024-01-31 09:30 UTC\nLocation: Room, 2',
        headings: [],
        keepTogether: true,
      },
      expect.objectContaining({ text: 'From: in@example.com\nSubject: Inner', headings: ['message.eml'] }),
      { text: 'Inner words.', headings: ['message.eml'], layout: { file: 'message.eml' } },
      { text: 'Attachment: data.bin', headings: [], layout: { file: 'data.bin' } },
    ]);
  });

  test('reads parts of a type that says nothing, or that nobody knows, as plain text', async () => {
    const broken = await parse(`${head}Content-Type: text; charset=us-ascii\n\nFrom an old gateway.\n`);
    expect(textsOf(broken).at(-1)).toBe('From an old gateway.');
    const parts = await parse(
      `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/x-notes\n\nNotes of a kind\n--b\nContent-Type: application/x-tool\n\nNot text\n--b--\n`,
    );
    expect(textsOf(parts).slice(1)).toEqual(['Notes of a kind', 'Attachment: attachment']);
  });

  test('reads attachments of a known type whose names say nothing, and texts of any kind', async () => {
    const attached = (type: string, name: string, content: string) =>
      `--b\nContent-Type: ${type}\nContent-Disposition: attachment; filename="${name}"\n\n${content}\n`;
    const { blocks } = await parse(
      [
        `${head}Content-Type: multipart/mixed; boundary=b\n\n`,
        attached('text/x-diff', 'fix.patch', '-old rule\n+new rule'),
        attached('text/csv', 'export.v2', 'City,Rank\nOslo,4'),
        attached('application/x-tool', 'run.tool', 'Not text'),
        '--b--\n',
      ].join(''),
    );
    expect(blocks.slice(1)).toMatchObject([
      { text: '-old rule\n+new rule', headings: ['fix.patch'] },
      { text: 'City: Oslo; Rank: 4', headings: ['export.v2'] },
      { text: 'Attachment: run.tool', headings: [] },
    ]);
  });

  test('says when a mail is encrypted, and when a text is no mail', async () => {
    const sealed = `${head}Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nAAAA\n`;
    await expect(parse(sealed)).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('encrypted'),
    });
    await expect(parse('Just some words.\n\nMore.')).rejects.toMatchObject({ code: 'E1001' });
  });
});

describe('msg', () => {
  const parse = (parts: Parameters<typeof msgFile>[0]) =>
    parseFile({ name: 'a.msg', bytes: msgFile(parts) }, settings);

  test('begins with people, the date and the subject', async () => {
    const document = await parse({
      fields: {
        0x0037: 'Plan',
        0x0039: new Date('2024-01-31T09:30:00Z'),
        0x0c1a: 'Zoë',
        0x0c1f: '/O=X/CN=Z',
        0x5d01: 'z@example.com',
        0x1000: 'Body.',
      },
      recipients: [
        { 0x0c15: 1, 0x3001: 'Ana', 0x39fe: 'ana@example.com' },
        { 0x0c15: 2, 0x3001: 'b@example.com', 0x3003: 'b@example.com' },
      ],
    });
    expect(document.title).toBe('Plan');
    expect(textsOf(document)).toEqual([
      'From: Zoë <z@example.com>\nTo: Ana <ana@example.com>\nCc: b@example.com\nDate: 2024-01-31 09:30:00 UTC\nSubject: Plan',
      'Body.',
    ]);
  });

  test.each([
    [936, 'gbk', '明天上午九点开会'],
    [1251, 'win1251', 'Встреча завтра'],
    [932, 'shiftjis', '会議は九時から'],
  ])('reads strings of code page %d', async (page, charset, text) => {
    const eightBit = { eightBit: iconv.encode(text, charset) };
    const document = await parse({ fields: { 0x3ffd: page, 0x0037: eightBit, 0x1000: eightBit } });
    expect([document.title, textsOf(document).at(-1)]).toEqual([text, text]);
  });

  test('reads messages within messages, HTML alone, and appointments', async () => {
    const start = new Date('2024-01-31T09:30:00Z');
    const document = await parse({
      names: [[0x00062002, 0x820d, 0x8001]],
      fields: { 0x001a: 'IPM.Appointment', 0x0037: 'Outer', 0x8001: start },
      attachments: [
        { message: { fields: { 0x0037: 'Inner', 0x1013: { binary: bytesOf('<p>Inner words</p>') } } } },
      ],
    });
    expect(document.blocks).toEqual([
      { text: 'Subject: Outer\nStart: 2024-01-31 09:30 UTC', headings: [], keepTogether: true },
      { text: 'Subject: Inner', headings: ['Inner'], keepTogether: true, layout: { file: 'Inner' } },
      { text: 'Inner words', headings: ['Inner'], layout: { file: 'Inner' } },
    ]);
  });

  test('ends with chains that bite their tails', async () => {
    const file = msgFile({ fields: { 0x0037: 'Plan', 0x1000: 'Body. '.repeat(5_000) } });
    const fatSector = Buffer.from(file).readInt32LE(76);
    const fat = (fatSector + 1) * 512;
    for (let at = fat; at < fat + 512; at += 4) Buffer.from(file.buffer).writeInt32LE(0, at);
    await parseFile({ name: 'a.msg', bytes: file }, settings).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'E1001' });
    });
  });
});
