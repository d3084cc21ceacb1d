import { STATUS_CODES } from 'node:http';

interface RawAnswer {
  readonly status: number;
  readonly requestId: string;
  readonly body: unknown;
  /** Besides those of every answer. */
  readonly headers?: readonly string[];
}

/** An answer as it goes over the connection, which it ends: for requests that reach no route. */
export function rawAnswer({ status, requestId, body, headers = [] }: RawAnswer): string {
  const json = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(json)}`,
    ...headers,
    'connection: close',
    '',
    json,
  ].join('\r\n');
}
