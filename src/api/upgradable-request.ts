import { IncomingMessage } from 'node:http';

/** Where WebSockets are served. */
export const webSocketPath = '/graphql';

const isOffered = Symbol('isOffered');

/**
 * A request that changes protocol only where a GET asks for a WebSocket at their path. Any other offer (Java's
 * client offers HTTP/2 with each first request) is ignored and the request answered as it stands (RFC 9110,
 * 7.8); Node would hand over the connection for all of them.
 */
export class UpgradableRequest extends IncomingMessage {
  declare [isOffered]: boolean;

  get upgrade(): boolean {
    if (!this[isOffered] || this.method === 'CONNECT') return this[isOffered];
    const isWebSocket = this.headers.upgrade?.trim().toLowerCase() === 'websocket' && this.method === 'GET';
    return isWebSocket && this.url?.split('?', 1)[0] === webSocketPath;
  }

  /** Node sets it before the headers are known. */
  set upgrade(value: boolean) {
    this[isOffered] = value;
  }
}
