import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { addressResolver, systemResolver } from './host-addresses.js';
import type { Resolve } from './host-addresses.js';
import { isPublicAddress } from './public-address.js';

export interface AddressGuardOptions {
  /** Also allows hosts of private networks: for tests and closed networks. */
  readonly allowPrivate: boolean;
  /** Hosts that the operator has named, as they appear in URLs; they may be private. */
  readonly trustedHosts?: readonly string[];
  /** Replaced by tests. */
  readonly resolve?: Resolve;
}

/** A connection to this address is not allowed. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
}

/** The answer of `problemOf` for a name that may exist later. */
export const unresolvedHost = 'names a host that cannot be resolved';
/** Says nothing about private networks: it may be shown to whoever chose the host. */
export const privateReason = 'leads to a private or reserved address';

// This machine by definition (RFC 6761), whatever name servers say.
const loopbackName = /(?:^|\.)localhost\.?$/i;

/**
 * Decides whether hosts that users name may be connected to, by the addresses of their names at that moment.
 */
export class AddressGuard {
  private readonly resolve: Resolve;
  private readonly trustedHosts: ReadonlySet<string>;

  constructor(private readonly options: AddressGuardOptions) {
    this.resolve = options.resolve ?? (options.allowPrivate ? systemResolver : addressResolver);
    this.trustedHosts = new Set((options.trustedHosts ?? []).map(unbracketed));
  }

  /** Whether an IP literal, which is connected to without a look-up, is allowed; true for a name. */
  mayConnect(host: string): boolean {
    const bare = unbracketed(host);
    return isIP(bare) === 0 || this.trustedHosts.has(bare) || this.allows(bare);
  }

  /**
   * The first address of a host, if all of its addresses are allowed. @throws RefusedAddress, or the
   * resolver's error
   */
  async addressOf(host: string): Promise<string> {
    const [first] = await this.addressesOf(host);
    if (!first) throw new RefusedAddress(unresolvedHost);
    return first.address;
  }

  /** Whether connections to a host would be allowed now. @returns undefined, or the reason why not */
  async problemOf(host: string): Promise<string | undefined> {
    try {
      return (await this.addressesOf(host)).length === 0 ? unresolvedHost : undefined;
    } catch (error) {
      return error instanceof RefusedAddress ? error.message : unresolvedHost;
    }
  }

  /** The look-up for sockets. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const fail = (error: Error) => callback(error, '', 0);
    this.addressesOf(hostname).then((addresses) => {
      const [first] = addresses;
      if (!first) fail(new Error(`the name ${hostname} has no address`));
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

/** A host as `net` takes it: IPv6 without brackets. */
export function unbracketed(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
