import { Resolver, lookup } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Every address of a host name. @throws when the name cannot be resolved. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>;

const resolver = new Resolver({ timeout: 3000, tries: 2 });

/**
 * Asks this machine's name servers. Unlike the system's resolver it occupies no thread of the pool that also
 * reads files, so a name server that never answers slows nothing else down.
 */
export async function addressResolver(hostname: string): Promise<readonly HostAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

/** Also knows the names in /etc/hosts and those of private networks. */
export function systemResolver(hostname: string): Promise<readonly HostAddress[]> {
  return lookup(hostname, { all: true });
}
