import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../src/app.js';
import { AppError } from '../src/errors.js';
import { unorderedUuid } from '../src/lib/unordered-uuid.js';
import { LIMITS } from '../src/limits.js';
import { errorBody } from './error-response.js';
import { apiVersion } from './response.js';

/** Answers what is not valid HTTP, and so reaches no route, in the envelope, and closes the connection. */
export function answerBrokenRequests(app: App): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const requestId = unorderedUuid();
      const refusal = refusalOf(error.code);
      app.logger.debug({ requestId, status: refusal.status, reason: error.code }, 'broken request');
      socket.write(answerTo(refusal, requestId));
    }
    socket.destroy();
  };
}

function refusalOf(code: string | undefined): AppError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT', 'the request did not arrive whole in time');
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        'HEADERS_TOO_LARGE',
        `the request line and the headers are larger than ${LIMITS.headerBytesMax} bytes together`,
      );
    default:
      return new AppError('INVALID_INPUT', 'this is no valid HTTP request');
  }
}

function answerTo(refusal: AppError, requestId: string): string {
  const meta = { request_id: requestId, latency_ms: 0, api_version: apiVersion };
  const body = JSON.stringify(errorBody(refusal, meta, { legacy: false, codes: undefined }));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
