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
    expect([heads.next(), heads.next(), heads.next(), heads.next()]).toEqual([
      { charset: 'GBK', isUtf8: true },
      { charset: undefined, isUtf8: false },
      { charset: undefined, isUtf8: true },
      { charset: undefined, isUtf8: true },
    ]);
  });
});
