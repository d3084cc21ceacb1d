import { describe, expect, test } from '@jest/globals';
import { unzip } from '../../src/ingestion/parsers/zip.js';
import { bytesOf } from '../support/files/reading.js';
import { zipped } from '../support/files/zipped.js';
import { parseFile } from '../support/parse-file.js';

/** What is read of a mail's attachment: its blocks, each behind its headings. */
async function read(name: string, content: Uint8Array, type = 'application/octet-stream') {
  const mail =
    `From: Ana <ana@example.com>\nSubject: Plan\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nBody\n--b\nContent-Type: ${type}; name="${name}"\n` +
    `Content-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}\n--b--\n`;
  const { blocks } = await parseFile({ name: 'file.eml', bytes: bytesOf(mail) }, { ocrLanguages: [] });
  return blocks.slice(2).map(({ text, headings }) => [...headings, text]);
}

describe('an archive', () => {
  const rooms = 'room,seats\nBlue,12\n';

  test.each([
    ['plans.zip', 'application/octet-stream'],
    ['plans', 'application/x-zip-compressed'],
  ])('%s as %s is read file by file, without what systems add', async (name, type) => {
    const inner = zipped({ 'notes.txt': 'Ten.' });
    const files = {
      '2024/rooms.csv': rooms,
      '__MACOSX/2024/rooms.csv': rooms,
      '.hidden.txt': 'x',
      'plan.dwg': 'x',
    };
    expect(await read(name, zipped({ ...files, 'more.zip': inner }), type)).toEqual([
      [name, '2024/rooms.csv', 'room: Blue; seats: 12'],
      [name, 'more.zip', 'notes.txt', 'Ten.'],
    ]);
  });

  test('is named when nothing in it can be read, when it is damaged, and when it would inflate without end', async () => {
    const named = [['Attachment: plans.zip']];
    expect(await read('plans.zip', zipped({ 'plan.dwg': 'x' }))).toEqual(named);
    expect(await read('plans.zip', zipped({ 'rooms.csv': rooms }).slice(0, 40))).toEqual(named);
    const bomb = zipped({ 'a.txt': new Uint8Array(2 * 1024 * 1024).fill(0x61) });
    expect(await read('plans.zip', bomb)).toEqual(named);
  });

  test('is not unpacked beyond what all of its files may have together', async () => {
    const archive = zipped({ 'a.txt': 'words', 'b.txt': 'words' });
    expect((await unzip(archive, undefined, 10)).size).toBe(2);
    await expect(unzip(archive, undefined, 9)).rejects.toThrow(/too large to be read safely/);
  });

  test('in an archive is read three deep', async () => {
    const nested = (depth: number): Uint8Array =>
      zipped(depth === 0 ? { 'notes.txt': 'Ten.' } : { 'a.zip': nested(depth - 1) });
    expect(await read('a.zip', nested(1))).toEqual([['a.zip', 'a.zip', 'notes.txt', 'Ten.']]);
    expect(await read('a.zip', nested(9))).toEqual([['Attachment: a.zip']]);
  });
});

describe('a calendar', () => {
  const event = (...lines: string[]) =>
    bytesOf(['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Choir', ...lines, 'END:VEVENT', ''].join('\r\n'));

  test('in an archive is read too', async () => {
    expect(await read('plans.zip', zipped({ 'choir.ics': event() }))).toEqual([
      ['plans.zip', 'choir.ics', 'Event: Choir'],
    ]);
  });

  test('that is attached as any file is read as one', async () => {
    const lines = [
      'DTSTART;TZID=Europe/Oslo:20240130T190000',
      'DURATION:PT1H30M',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20240630',
      'EXDATE;TZID=Europe/Oslo:20240213T190000,20240227T190000',
      'ORGANIZER;CN="Berg, Ada":mailto:ada@example.com',
      'ATTENDEE:mailto:tom@example.com',
    ];
    expect(await read('choir.ics', event(...lines))).toEqual([
      [
        'choir.ics',
        'Event: Choir\nStart: 2024-01-30 19:00 Europe/Oslo\nDuration: 1 h 30 min\nRepeats: every 2 weeks on Tuesday and Thursday, until 2024-06-30\n' +
          'Except: 2024-02-13 19:00 Europe/Oslo, 2024-02-27 19:00 Europe/Oslo\nOrganizer: Berg, Ada <ada@example.com>\nAttendee: tom@example.com',
      ],
    ]);
  });

  test.each([
    ['FREQ=DAILY;COUNT=10', 'every day, 10 times'],
    ['FREQ=WEEKLY;WKST=MO;BYDAY=MO,WE,FR', 'every week on Monday, Wednesday and Friday'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'every month on the second Tuesday'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'every month on the last Friday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'every month on the last working day'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'every month on day 1 and day 15'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'every month on the last day'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'every year on the last Sunday in March'],
    ['FREQ=YEARLY;BYWEEKNO=20', 'FREQ=YEARLY;BYWEEKNO=20'],
    ['FREQ=MONTHLY;BYDAY=-2MO', 'FREQ=MONTHLY;BYDAY=-2MO'],
  ])('tells %s in words', async (rule, words) => {
    expect(await read('a.ics', event(`RRULE:${rule}`))).toEqual([
      ['a.ics', `Event: Choir\nRepeats: ${words}`],
    ]);
  });
});
