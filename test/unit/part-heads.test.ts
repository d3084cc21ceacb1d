import { describe, expect, test } from '@jest/globals';
import { PartHeads } from '../../src/lib/part-heads.js';

const body = Buffer.from(
  [
    'before\r\n--a b\r\nContent-Disposition: form-data; name="x"\r\ncontent-type: text/csv; Charset="GBK"\r\n\r\n--a b',
    '\r\n--a b\r\nContent-Type: text/plain; charset=ascii\r\n\r\nnot of a form',
    '\r\n--a b\r\nContent-Disposition: form-data; name="caf\xe9"\r\n\r\n\r\n\r\ncharset=utf-16',
    '\r\n--a b\r\nContent-Disposition: form-data; name="last"\r\nContent-Type: text/plain\r\n\r\n\r\n--a b--\r\n',
  ].join(''),
  'latin1',
);

describe('the heads of the parts of a form', () => {
  test.each([1, 7, 64, 10_000])('are told in pieces of %d bytes', (size) => {
    const heads = new PartHeads('multipart/form-data; boundary="a b"');
    for (let at = 0; at < body.length; at += size) heads.add(body.subarray(at, at + size));
    const plain = { extendedFilename: undefined, charset: undefined, isUtf8: true };
    expect([heads.next(), heads.next(), heads.next(), heads.next()]).toEqual([
      { ...plain, charset: 'GBK' },
      { ...plain, isUtf8: false },
      plain,
      plain,
    ]);
  });

  test.each([
    ["UTF-8''na%C3%AFve.txt", 'naïve.txt'],
    ["iso-8859-1'de'gr%fcn.txt", 'grün.txt'],
    ["UTF-8''..%2Fup%5Cna%C3%AFve.txt", 'naïve.txt'],
    ["UTF-8''na%EFve.txt", undefined],
    ["none-such''a.txt", undefined],
  ])('tell the file name that is written as %s', (written, name) => {
    const heads = new PartHeads('multipart/form-data; boundary=x');
    heads.add(
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="a"; filename="b"; filename*=${written}\r\n\r\n`,
      ),
    );
    expect(heads.next().extendedFilename).toBe(name);
  });
});
