import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, ERRORS, errorBody } from '../../src/domain/errors.ts';
import {
  cleanText,
  escapeJsonForScript,
  escapeMarkdown,
  escapeXml,
} from '../../src/domain/escape.ts';
import { MAX_ID, parseOfferId, parsePositiveId } from '../../src/domain/ids.ts';
import { formatMoney, makeLinks, markdownLink } from '../../src/domain/links.ts';
import { placeKey } from '../../src/domain/places.ts';
import { compare, isSnapshotInstant, latestSnapshotInstant } from '../../src/domain/stats.ts';

describe('IDs', () => {
  it('are positive whole numbers from 1 to 9007199254740991, in plain digits', () => {
    expect(parsePositiveId('1')).toBe(1);
    expect(parsePositiveId('9007199254740991')).toBe(MAX_ID);
    for (const bad of [
      '',
      '0',
      '01',
      '+1',
      '-1',
      '1.0',
      '1e3',
      ' 1',
      '1\n',
      '9007199254740992',
      '١',
    ]) {
      expect([bad, parsePositiveId(bad)]).toEqual([bad, null]);
    }
  });

  it('read back as they were written, and nothing else is an ID', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_ID }), (id) => {
        expect(parsePositiveId(String(id))).toBe(id);
        expect(parseOfferId(`-${id}`)).toBe(-id);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = parsePositiveId(text);
        expect(id === null || String(id) === text).toBe(true);
      }),
    );
  });
});

describe('changePercent', () => {
  it.each([
    [0, 0, 0],
    [5, 0, null],
    [0, 5, -100],
    [120, 96, 25],
    [150, 136, 10.29],
    [801, 800, 0.13],
    [799, 800, -0.13],
    [1, 3, -66.67],
    [2, 3, -33.33],
    [200_001, 200_000, 0],
    [9, 8, 12.5],
  ])('of %i against %i is %d', (current, previous, percent) => {
    expect(compare(current, previous)).toEqual({
      count: current,
      previousCount: previous,
      changePercent: percent,
    });
  });

  it('is rounded half away from zero to 2 decimals', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 1_000_000 }),
        (current, previous) => {
          const { changePercent } = compare(current, previous);
          const exact = ((current - previous) / previous) * 100;
          expect(Math.abs((changePercent ?? Number.NaN) - exact)).toBeLessThanOrEqual(0.005 + 1e-9);
          expect(Object.is(changePercent, -0)).toBe(false);
        },
      ),
    );
  });
});

describe('the snapshot instant', () => {
  it('is the latest 14:00 MSK, which is 11:00 UTC on every day of the year', () => {
    const latest = (now: string) => latestSnapshotInstant(new Date(now)).toISOString();
    expect(latest('2026-11-21T10:59:59.999Z')).toBe('2026-11-20T11:00:00.000Z');
    expect(latest('2026-11-21T11:00:00Z')).toBe('2026-11-21T11:00:00.000Z');
    expect(latest('2028-02-29T23:00:00Z')).toBe('2028-02-29T11:00:00.000Z');
    expect(latest('2027-03-28T05:00:00Z')).toBe('2027-03-27T11:00:00.000Z');
    expect(isSnapshotInstant(new Date('2026-07-01T14:00:00+03:00'))).toBe(true);
    expect(isSnapshotInstant(new Date('2026-07-01T11:00:00.001Z'))).toBe(false);
  });
});

describe('errors', () => {
  it('have the four fields; error repeats message, and a wait is written in words', () => {
    const body = errorBody(new ApiError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 }));
    expect(Object.keys(body)).toEqual(['error', 'code', 'message', 'resolution']);
    expect(body.error).toBe(body.message);
    expect(body.resolution).toContain('(1 second)');
  });

  it('carry the statuses and texts of the spec', () => {
    const row = (code: keyof typeof ERRORS) => [ERRORS[code].status, ERRORS[code].message];
    expect(row('INVALID_PRODUCT_ID')).toEqual([400, 'Product ID must be a positive integer']);
    expect(row('INVALID_MERCHANT_ID')).toEqual([400, 'Merchant ID must be a positive integer']);
    expect(row('METHOD_NOT_ALLOWED')).toEqual([405, 'Method not allowed']);
    expect(row('RATE_LIMIT_EXCEEDED')).toEqual([429, 'Rate limit exceeded']);
    expect(row('INTERNAL_ERROR')).toEqual([500, 'Internal server error']);
    expect(row('API_ROUTE_NOT_FOUND')).toEqual([404, 'API route not found']);
  });
});

describe('catalog text', () => {
  it('opens no link, markup, HTML or list in markdown', () => {
    expect(escapeMarkdown('[x](javascript:alert(1)) <b> *a* `c`')).toBe(
      '\\[x\\]\\(javascript:alert\\(1\\)\\) \\<b\\> \\*a\\* \\`c\\`',
    );
    expect(escapeMarkdown('1. item\n# title')).toBe('1\\. item \\# title');
    expect(escapeMarkdown('- see https://evil.example or www.evil.example')).toBe(
      '\\- see https\\://evil.example or www\\.evil.example',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const link = markdownLink(text, 'https://x.example/a(b)');
        expect(link.endsWith('](https://x.example/a%28b%29)')).toBe(true);
        expect(link).not.toMatch(/[\n\r]/);
        expect(link.slice(1, -29)).not.toMatch(/(^|[^\\])(\\\\)*[[\]()<>]/);
      }),
    );
  });

  it('closes no script element in JSON, and stays the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = escapeJsonForScript(value);
        expect(text).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is well-formed in XML, without control and bidirectional override characters', () => {
    expect(escapeXml('a & b < "c" \u202Egpj\u0007')).toBe('a &amp; b &lt; &quot;c&quot; gpj');
    expect(cleanText('a\uD800b\u200Ec')).toBe('a\uFFFDbc');
  });
});

describe('links', () => {
  it('come from BASE_URL, or from PRODUCT_URL_TEMPLATE for products', () => {
    const own = makeLinks('https://v.example', null);
    expect(own.product(5)).toBe('https://v.example/products/5');
    expect(own.offer(-5)).toBe('https://v.example/offers/-5');
    const mall = makeLinks('https://v.example', 'https://mall.example/p/{id}.html');
    expect(mall.product(5)).toBe('https://mall.example/p/5.html');
  });

  it('show money as people in Brazil write it', () => {
    expect(formatMoney(29990, 'BRL')).toBe('R$ 299,90');
    expect(formatMoney(123456789, 'BRL')).toBe('R$ 1.234.567,89');
    expect(formatMoney(5, 'USD')).toBe('USD 0,05');
  });
});

describe('names of places', () => {
  it('ignore accents and case and know the usual abbreviations', () => {
    expect(placeKey('SÃO PAULO')).toBe('sao paulo');
    expect(placeKey('SP')).toBe('sao paulo');
    expect(placeKey('Vl. Mariana')).toBe(placeKey('vila mariana'));
    expect(placeKey('Jd. Paulista')).toBe(placeKey('Jardim Paulista'));
  });
});
