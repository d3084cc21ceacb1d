import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks whose hosts are not on the public Internet (IANA's special-purpose registry), and metadata
 * services of clouds.
 */
const refusedIpv4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carrier-grade NAT; Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's platform services
  ['169.254.0.0', 16], // link-local; most clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // multicast tunnels
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/**
 * All of IPv6 outside of 2000::/3 is refused: loopback, unspecified, IPv4-mapped and -compatible, NAT64,
 * unique local, link-local, site-local, multicast. These are the special networks inside of it.
 */
const refusedIpv6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: reaches any IPv4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

const refused = new BlockList();
for (const [network, prefix] of refusedIpv4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of refusedIpv6) refused.addSubnet(network, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an IP address may belong to a host on the public Internet; false for anything that is no address.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  return version === 6 && globalIpv6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
