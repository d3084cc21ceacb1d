// An S3 server (s3rver) on disk, in a process of its own: `node --openssl-legacy-provider s3-server.mjs <folder> <port>
// <bucket>` prints a line when it listens. s3rver takes any version 4 signature; here they are checked.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import S3rver from 's3rver';

const [directory, port, bucket] = process.argv.slice(2);
// The only account that s3rver knows.
const secret = 'S3RVER';
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();

/** Whether the Authorization header is what the secret makes of this request. */
function isSigned({ method, url, headers }) {
  const [, scope, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (!scope) return false;
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return false;
  const { pathname, searchParams } = new URL(url, 'http://host');
  const parameters = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort();
  const canonical = [
    method,
    pathname,
    parameters.join('&'),
    ...names.map((name) => `${name}:${headers[name].trim()}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const key = scope.split('/').reduce(hmac, `AWS4${secret}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n'));
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory,
  configureBuckets: [{ name: bucket, configs: [] }],
});
server.middleware.unshift(async (context, next) => {
  if (isSigned(context.req)) return next();
  context.status = 403;
  context.type = 'application/xml';
  context.body = '<Error><Code>SignatureDoesNotMatch</Code><Message>not signed</Message></Error>';
});
await server.run();
process.stdout.write('listens\n');
