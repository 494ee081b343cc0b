import { describe, expect, it } from 'vitest';
import { lifetime } from './ttl.ts';

const HOUR = 3600;
const limits = { defaultTtl: 768 * HOUR, maxTtl: 768 * HOUR };
const none = { ttl: 0, maxTtl: 0, period: 0, explicitMaxTtl: 0 };

describe('the lifetime of a token', () => {
  it("is the mount's default if the role sets none", () => {
    expect(lifetime(none, limits, 0)).toEqual({ ttl: 768 * HOUR, warnings: [] });
  });

  it("is the role's, up to the smallest maximum", () => {
    expect(lifetime({ ...none, ttl: HOUR }, limits, 0).ttl).toBe(HOUR);
    expect(lifetime({ ...none, ttl: 3 * HOUR, maxTtl: 2 * HOUR }, limits, 0)).toEqual({
      ttl: 2 * HOUR,
      warnings: ['TTL of "3h" exceeded the effective max_ttl of "2h"; TTL value is capped accordingly'],
    });
    expect(lifetime({ ...none, ttl: 3 * HOUR, explicitMaxTtl: HOUR }, limits, 0).ttl).toBe(HOUR);
    expect(lifetime({ ...none, ttl: 1000 * HOUR }, limits, 0).ttl).toBe(768 * HOUR);
  });

  it('caps a default without a warning', () => {
    expect(lifetime({ ...none, maxTtl: HOUR }, limits, 0)).toEqual({ ttl: HOUR, warnings: [] });
  });

  it('is the requested increment at a renewal, up to the rest of the maximum', () => {
    const terms = { ...none, ttl: HOUR, maxTtl: 4 * HOUR };
    expect(lifetime(terms, limits, HOUR, 2 * HOUR).ttl).toBe(2 * HOUR);
    expect(lifetime(terms, limits, 3 * HOUR, 2 * HOUR).ttl).toBe(HOUR);
    expect(lifetime(terms, limits, HOUR).ttl).toBe(HOUR);
  });

  it('ends at the maximum', () => {
    expect(() => lifetime({ ...none, maxTtl: HOUR }, limits, HOUR)).toThrow('past the max TTL, cannot renew');
  });

  it('of a periodic token restarts at each renewal, without end or up to the explicit maximum', () => {
    const terms = { ...none, period: HOUR };
    expect(lifetime(terms, limits, 10_000 * HOUR).ttl).toBe(HOUR);
    expect(lifetime({ ...terms, explicitMaxTtl: 3 * HOUR }, limits, 2.5 * HOUR).ttl).toBe(HOUR / 2);
    expect(() => lifetime({ ...terms, explicitMaxTtl: 3 * HOUR }, limits, 3 * HOUR)).toThrow('past the max TTL');
    expect(lifetime({ ...terms, period: 1000 * HOUR }, limits, 0)).toEqual({
      ttl: 768 * HOUR,
      warnings: ['period of "1000h" exceeded the effective max_ttl of "768h"; period value is capped accordingly'],
    });
  });
});
