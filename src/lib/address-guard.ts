import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { addressResolver, systemResolver } from './host-addresses.js';
import type { Resolve } from './host-addresses.js';
import { isPublicAddress } from './public-address.js';

export interface AddressGuardOptions {
  /** Also hosts of private networks: for tests and closed networks. */
  readonly allowPrivate: boolean;
  /** Hosts that whoever runs the server has named, as they stand in URLs; they may be private. */
  readonly trustedHosts?: readonly string[];
  /** Replaced by tests. */
  readonly resolve?: Resolve;
}

/** Where a connection may not go. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
}

/** What `problemOf` says of a name that may be there later. */
export const unresolvedHost = 'names a host that cannot be resolved';
/** It tells nothing of private networks: it may be shown to whoever chose the host. */
export const privateReason = 'leads to a private or reserved address';

// Of this machine by definition (RFC 6761), whether or not a name server knows it.
const loopbackName = /(?:^|\.)localhost\.?$/i;

/** Decides which hosts that users name may be connected to, by the addresses that their names have when it happens. */
export class AddressGuard {
  private readonly resolve: Resolve;
  private readonly trustedHosts: ReadonlySet<string>;

  constructor(private readonly options: AddressGuardOptions) {
    this.resolve = options.resolve ?? (options.allowPrivate ? systemResolver : addressResolver);
    this.trustedHosts = new Set((options.trustedHosts ?? []).map(unbracketed));
  }

  /** Whether an IP literal may be connected to, which happens without any lookup; true for a name. */
  mayConnect(host: string): boolean {
    const bare = unbracketed(host);
    return isIP(bare) === 0 || this.trustedHosts.has(bare) || this.allows(bare);
  }

  /** The first of a host's addresses, none of which may be refused. @throws RefusedAddress; the resolver's error */
  async addressOf(host: string): Promise<string> {
    const [first] = await this.addressesOf(host);
    if (!first) throw new RefusedAddress(unresolvedHost);
    return first.address;
  }

  /** Whether connections to a host are allowed as things stand. @returns undefined, or the reason against it */
  async problemOf(host: string): Promise<string | undefined> {
    try {
      return (await this.addressesOf(host)).length === 0 ? unresolvedHost : undefined;
    } catch (error) {
      return error instanceof RefusedAddress ? error.message : unresolvedHost;
    }
  }

  /** What sockets connect to. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const fail = (error: Error) => callback(error, '', 0);
    this.addressesOf(hostname).then((addresses) => {
      const [first] = addresses;
      if (!first) fail(new Error(`${hostname} has no address`));
      else if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    }, fail);
  };

  private async addressesOf(given: string) {
    const host = unbracketed(given);
    const version = isIP(host);
    const isTrusted = this.trustedHosts.has(host);
    const mayBePrivate = isTrusted || this.options.allowPrivate;
    if (!mayBePrivate && loopbackName.test(host)) throw new RefusedAddress(privateReason);
    const addresses =
      version > 0
        ? [{ address: host, family: version }]
        : await (isTrusted ? systemResolver : this.resolve)(host);
    if (!isTrusted && !addresses.every(({ address }) => this.allows(address)))
      throw new RefusedAddress(privateReason);
    return addresses;
  }

  private allows(address: string): boolean {
    return this.options.allowPrivate || isPublicAddress(address);
  }
}

/** A host as `net` writes it: IPv6 without brackets. */
export function unbracketed(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
