import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { rawAnswer } from '../src/api/raw-answer.js';
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

/** Answers those who take the server for a proxy; without an answer their connection would just end. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  const refusal = new AppError('INVALID_INPUT', 'CONNECT is not served: this server is no proxy');
  socket.on('error', () => socket.destroy());
  socket.end(answerTo(refusal, unorderedUuid()));
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
  const body = errorBody(refusal, meta, { legacy: false, codes: undefined });
  return rawAnswer({ status: refusal.status, requestId, body });
}
