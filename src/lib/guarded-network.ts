import { Agent as HttpAgent } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fetch as undiciFetch } from 'undici';
import type { Agent } from 'undici';
import { AddressGuard, RefusedAddress, privateReason } from './address-guard.js';
import type { AddressGuardOptions } from './address-guard.js';
import { guardedAgent } from './http-client.js';

const connectionsPerHostMax = 16;
const agentOptions = { keepAlive: true, timeout: 60_000 };

/**
 * The network for client libraries of other services: every address is checked when a connection is made to
 * it, as in `HttpClient`, also after redirects. Plain http is allowed.
 */
export class GuardedNetwork {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  private readonly guard: AddressGuard;
  private readonly agent: Agent;

  constructor(options: AddressGuardOptions) {
    this.guard = new AddressGuard(options);
    this.agent = guardedAgent(this.guard, connectionsPerHostMax);
    this.httpAgent = guarded(new HttpAgent({ ...agentOptions, lookup: this.guard.lookup }), this.guard);
    this.httpsAgent = guarded(new HttpsAgent({ ...agentOptions, lookup: this.guard.lookup }), this.guard);
  }

  /**
   * For libraries that take a fetch. Fails as fetch does, with a RefusedAddress as the cause when an address
   * is not allowed.
   */
  readonly fetch: typeof globalThis.fetch = (input, init) =>
    undiciFetch(input as Parameters<typeof undiciFetch>[0], {
      ...(init as Parameters<typeof undiciFetch>[1]),
      dispatcher: this.agent,
    });

  /**
   * For libraries that connect by themselves: an allowed address of a host. @throws RefusedAddress, or the
   * resolver's error
   */
  addressOf(host: string): Promise<string> {
    return this.guard.addressOf(host);
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.httpAgent.destroy();
    this.httpsAgent.destroy();
    await this.agent.destroy();
  }
}

type CreateConnection = (
  options: AgentOptions & { readonly host?: string },
  callback?: (error: Error | null, socket: Duplex) => void,
) => Duplex | null | undefined;

/** An IP literal is connected to without a look-up. */
function guarded<Guarded extends HttpAgent>(agent: Guarded, guard: AddressGuard): Guarded {
  const connecting = agent as unknown as { createConnection: CreateConnection };
  const createConnection = connecting.createConnection.bind(agent);
  connecting.createConnection = (options, callback) => {
    if (guard.mayConnect(options.host ?? '')) return createConnection(options, callback);
    callback?.(new RefusedAddress(privateReason), undefined as unknown as Socket);
    return undefined;
  };
  return agent;
}
