import { describe, expect, test } from '@jest/globals';
import { tiffAsPdf } from '../../src/ingestion/parsers/image/tiff-as-pdf.js';
import { tiffTags as tags } from '../../src/ingestion/parsers/image/tiff.js';

type Values = Readonly<Partial<Record<keyof typeof tags, readonly number[]>>>;

/** A page of 8 by 2 pixels whose one strip is at the beginning. */
function pdfOf(strip: Buffer, values: Values): string | undefined {
  const page: Values = {
    width: [8],
    height: [2],
    stripOffsets: [0],
    stripByteCounts: [strip.length],
    ...values,
  };
  const directory = new Map(
    Object.entries(page).map(([name, numbers]) => [tags[name as keyof typeof tags], [...numbers]]),
  );
  return tiffAsPdf(strip, { values: directory, next: 0 })?.toString('latin1');
}

const strip = Buffer.from([0x12, 0x01]);

describe('a page of a TIFF becomes a PDF', () => {
  test.each<readonly [what: string, values: Values, told: readonly string[]]>([
    ['of a fax of group 4', { compression: [4] }, ['/K -1 /Columns 8 /Rows 2', '\x12\x01']],
    ['of a fax of group 3', { compression: [3] }, ['/K 0 ']],
    ['of a fax of group 3 in two dimensions', { compression: [3], faxOptions: [5] }, ['/K 1 ']],
    ['of rows that begin with bytes', { compression: [2] }, ['/K 0 ', '/EncodedByteAlign true']],
    ['whose 0 is black', { compression: [4], photometric: [1] }, ['/BlackIs1 true']],
    ['whose bytes begin with their lowest bits', { compression: [4], fillOrder: [2] }, ['\x48\x80']],
    ['of a gray photo', { compression: [7], bitsPerSample: [8] }, ['/DeviceGray /Filter /DCTDecode']],
    [
      'of a colour photo',
      { compression: [7], bitsPerSample: [8, 8, 8], samplesPerPixel: [3] },
      ['/DeviceRGB'],
    ],
    [
      'of a printed photo',
      { compression: [7], bitsPerSample: [8, 8, 8, 8], samplesPerPixel: [4] },
      ['/DeviceCMYK'],
    ],
  ])('%s', (_what, values, told) => {
    const pdf = pdfOf(strip, values);
    for (const each of told) expect(pdf).toContain(each);
  });

  test('in which the tables that its strips share stand in each', () => {
    const jpegTables = [0xff, 0xd8, 0x41, 0x42, 0xff, 0xd9];
    const photo = Buffer.from([0xff, 0xd8, 0x43, 0x44]);
    expect(pdfOf(photo, { compression: [7], bitsPerSample: [8], jpegTables })).toContain('\xff\xd8ABCD');
  });

  test('of some strips, of which the last is shorter', () => {
    const pdf = pdfOf(Buffer.from('abc'), {
      compression: [4],
      rowsPerStrip: [1],
      stripOffsets: [0, 1, 2],
      stripByteCounts: [1, 1, 1],
    });
    expect(pdf?.match(/\/Rows 1 /g)).toHaveLength(2);
  });

  test.each<readonly [what: string, values: Values]>([
    ['in tiles', { compression: [4], tileWidth: [8] }],
    ['without compression', {}],
    ['of a photo with deep colours', { compression: [7], bitsPerSample: [12] }],
  ])('not %s', (_what, values) => {
    expect(pdfOf(strip, values)).toBeUndefined();
  });
});
