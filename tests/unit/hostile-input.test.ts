import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePositiveId } from '../../src/domain/ids.ts';
import { clientAddressReader, clientKey } from '../../src/http/client-address.ts';
import { hasValidHost, readTarget } from '../../src/server/request.ts';

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket, connection: socket, headers } as unknown as IncomingMessage;
}

const ipv4 = fc.ipV4();
const entry = fc.oneof(ipv4, fc.ipV6(), fc.string({ maxLength: 12 }), fc.constant('unknown'));

describe('the client address', () => {
  it('without trusted proxies is that of the connection, whatever X-Forwarded-For says', () => {
    const read = clientAddressReader([]);
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(read(requestFrom('203.0.113.9', entries.join(', ')))).toBe('203.0.113.9');
      }),
    );
  });

  it('behind a trusted proxy is what the proxy appended; nothing further left changes it', () => {
    const read = clientAddressReader(['10.0.0.0/8']);
    const untrusted = ipv4.filter((address) => !address.startsWith('10.'));
    fc.assert(
      fc.property(fc.array(entry), untrusted, (spoofed, client) => {
        const forwarded = [...spoofed.map((text) => text.replaceAll(',', '')), client].join(', ');
        expect(read(requestFrom('10.1.2.3', forwarded))).toBe(client);
      }),
    );
  });

  it('makes a key of one form: an IPv4 address, a /64, or unknown', () => {
    fc.assert(
      fc.property(entry, (address) => {
        expect(clientKey(address)).toMatch(
          /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f]{1,4}(:[0-9a-f]{1,4}){3}::\/64|unknown)$/,
        );
      }),
    );
  });

  it('counts an IPv6 /64 as one client, and two of them as two', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const half = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'));
    fc.assert(
      fc.property(half, half, half, half, (network, other, one, two) => {
        fc.pre(network !== other && !/^0:0:0:0$/.test(network) && !/^0:0:0:0$/.test(other));
        expect(clientKey(`${network}:${one}`)).toBe(clientKey(`${network}:${two}`));
        expect(clientKey(`${network}:${one}`)).not.toBe(clientKey(`${other}:${one}`));
      }),
    );
  });
});

describe('an id', () => {
  it('is read as what it says, or not at all', () => {
    const almost = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[-+]?0?[0-9]{1,17}(e[0-9]|\.0|n)?$/),
      fc.maxSafeNat().map(String),
    );
    fc.assert(
      fc.property(almost, (text) => {
        const id = parsePositiveId(text);
        if (id === null) return;
        expect(String(id)).toBe(text);
        expect(id).toBeGreaterThan(0);
        expect(id).toBeLessThanOrEqual(9_007_199_254_740_991);
      }),
    );
  });
});

describe('the head of a request', () => {
  it('names exactly one host in HTTP/1.1, however its field is written', () => {
    const name = fc.constantFrom('Host', 'host', 'HOST', 'X-Host', 'Hos', 'Hosts');
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const rawHeaders = names.flatMap((header) => [header, 'v.example']);
        const hosts = names.filter((header) => header.toLowerCase() === 'host').length;
        const valid = hasValidHost({ rawHeaders, httpVersion: '1.1' } as IncomingMessage);
        expect(valid).toBe(hosts === 1);
      }),
    );
  });

  it('gives a raw path that is a piece of the target, untouched', () => {
    fc.assert(
      fc.property(fc.string(), (url) => {
        const target = readTarget(url);
        if (target === null) {
          expect(url.startsWith('/')).toBe(false);
          return;
        }
        expect(target.path.startsWith('/')).toBe(true);
        expect(target.path).not.toContain('?');
        expect(url).toContain(target.path);
      }),
    );
  });
});
