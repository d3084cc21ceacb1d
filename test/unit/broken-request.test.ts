import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { answerBrokenRequests } from '../../rest-compat/broken-request.js';
import type { App } from '../../src/app.js';
import { createLogger } from '../../src/lib/logger.js';

test('a request that does not arrive whole in time is answered 408 in the envelope, and its connection ends', async () => {
  // The server itself waits an hour.
  const server = createServer({ requestTimeout: 1, headersTimeout: 1, connectionsCheckingInterval: 1 });
  server.on('clientError', answerBrokenRequests({ logger: createLogger('silent') } as App));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST /query HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"half"');
  const answer = await text(client);
  server.close();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/);
  expect(JSON.parse(body)).toMatchObject({
    success: false,
    data: null,
    error: { code: 'INVALID_INPUT', message: 'the request did not arrive whole in time' },
  });
});
