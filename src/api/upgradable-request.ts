import { IncomingMessage } from 'node:http';

/** Where WebSockets are served. */
export const webSocketPath = '/graphql';

const isOffered = Symbol('isOffered');

/**
 * A request that becomes another protocol only where it asks for a WebSocket at their path. Whatever else it offers (Java's client offers
 * HTTP/2 with each first request) is passed over, and it is answered as it stands (RFC 9110, 7.8): Node would hand over all of them.
 */
export class UpgradableRequest extends IncomingMessage {
  declare [isOffered]: boolean;

  get upgrade(): boolean {
    if (!this[isOffered] || this.method === 'CONNECT') return this[isOffered];
    const isWebSocket = this.headers.upgrade?.trim().toLowerCase() === 'websocket';
    return isWebSocket && this.url?.split('?', 1)[0] === webSocketPath;
  }

  /** Node tells it before the headers. */
  set upgrade(value: boolean) {
    this[isOffered] = value;
  }
}
