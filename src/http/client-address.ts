import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Returns a reader of the client's address: the rightmost one that is not a trusted proxy. */
export function clientAddressReader(trustedProxies: readonly string[]) {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request: IncomingMessage): string => {
    if (trustedProxies.length === 0) return request.socket.remoteAddress ?? '';
    try {
      return proxyAddr(request, trust);
    } catch {
      return request.socket.remoteAddress ?? '';
    }
  };
}

/**
 * Returns the quota key of an address: the IPv4 address (also for ::ffff:1.2.3.4), or the /64 of an IPv6 address,
 * because one household or server usually has a whole /64.
 */
export function clientKey(address: string): string {
  const bare = withoutPort(address).replace(/%.*$/, '');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return 'unknown';
  const groups = expandIPv6(bare);
  const [a = 0, b = 0] = groups.slice(6);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) return [a >> 8, a & 255, b >> 8, b & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Some proxies append the port: `1.2.3.4:56`, `[2001:db8::1]:56`. */
function withoutPort(address: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/.exec(address) ?? [];
  return ipv4 ?? ipv6 ?? address;
}

/** Expands a valid IPv6 address to its eight 16-bit groups. */
function expandIPv6(address: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted
    ? address.slice(0, dotted.index) +
      [0, 2]
        .map((i) => ((Number(dotted[i + 1]) << 8) | Number(dotted[i + 2])).toString(16))
        .join(':')
    : address;
  const [left = '', right] = text.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const head = parse(left);
  if (right === undefined) return head;
  const tail = parse(right);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
