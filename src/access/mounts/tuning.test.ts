import { describe, expect, it } from 'vitest';
import { INITIAL_TUNING } from '../model/mount.ts';
import { description, mergeTuning } from './tuning.ts';

const INSTALLATION = { defaultTtl: 3600, maxTtl: 7200 };
const merge = (body: Record<string, unknown>, stored = INITIAL_TUNING) => mergeTuning(stored, body, INSTALLATION);

describe('the tuning of a mount', () => {
  it('merges the fields of a request, in every form that clients send', () => {
    const tuned = merge({
      default_lease_ttl: '30m',
      max_lease_ttl: 3600,
      token_type: 'batch',
      listing_visibility: 'unauth',
      options: { version: '1' },
      audit_non_hmac_request_keys: 'a, b',
      passthrough_request_headers: ['X-A'],
      force_no_cache: true,
    });
    expect(tuned).toEqual({
      ...INITIAL_TUNING,
      default_lease_ttl: 1800,
      max_lease_ttl: 3600,
      token_type: 'batch',
      listing_visibility: 'unauth',
      options: { version: '1' },
      audit_non_hmac_request_keys: ['a', 'b'],
      passthrough_request_headers: ['X-A'],
      force_no_cache: true,
    });
    expect(merge({ token_type: 'service' }, tuned)).toEqual({ ...tuned, token_type: 'service' });
  });

  it('keeps values that clients always send empty', () => {
    const stored = merge({ default_lease_ttl: 60, max_lease_ttl: 120, token_type: 'batch', options: { a: 'b' } });
    const untouched = { default_lease_ttl: '', max_lease_ttl: null, token_type: '', options: null };
    expect(merge({ ...untouched, audit_non_hmac_request_keys: null }, stored)).toEqual(stored);
  });

  it('adds options to stored ones, and removes one with an empty value', () => {
    const stored = merge({ options: { a: '1', b: '2' } });
    expect(merge({ options: {} }, stored)).toEqual(stored);
    expect(merge({ options: { b: '3', c: '4' } }, stored).options).toEqual({ a: '1', b: '3', c: '4' });
    expect(merge({ options: { a: '', b: '' } }, stored).options).toBeNull();
  });

  it.each(['system', 0, '0', '0s'])('returns to the server default with %j', (value) => {
    const stored = merge({ default_lease_ttl: 60, max_lease_ttl: 120 });
    expect(merge({ default_lease_ttl: value, max_lease_ttl: value }, stored)).toEqual(INITIAL_TUNING);
  });

  it('may allow more or less than the server', () => {
    expect(merge({ max_lease_ttl: 12_345_678 }).max_lease_ttl).toBe(12_345_678);
    expect(merge({ max_lease_ttl: 60 }).max_lease_ttl).toBe(60);
  });

  it.each([
    [{ default_lease_ttl: 61, max_lease_ttl: 60 }, 'given default lease TTL greater than given max lease TTL'],
    [{ default_lease_ttl: 7201 }, 'given default lease TTL greater than system max lease TTL'],
    [{ default_lease_ttl: 'soon' }, 'unable to parse default TTL'],
    [{ default_lease_ttl: -1 }, 'unable to parse default TTL'],
    [{ max_lease_ttl: [] }, 'unable to parse max TTL'],
    [{ max_lease_ttl: 1e300 }, 'unable to parse max TTL'],
    [{ token_type: 'paper' }, "invalid value for 'token_type'"],
    [{ token_type: {} }, "invalid value for 'token_type'"],
    [{ listing_visibility: 'all' }, "invalid value for 'listing_visibility'"],
    [{ options: 'x' }, "'options' must be an object"],
    [{ options: { a: 1 } }, "'options' must contain"],
    [{ options: { a: 'x'.repeat(257) } }, "'options' must contain"],
    [{ options: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, 'x'])) }, "'options' must contain"],
    [{ audit_non_hmac_request_keys: ','.repeat(100) }, "'audit_non_hmac_request_keys' must contain"],
    [{ allowed_response_headers: { a: 1 } }, 'error converting input for field "allowed_response_headers"'],
  ])('refuses %j', (body, text) => {
    expect(() => merge(body)).toThrow(text);
  });

  it('refuses a maximum below the stored default', () => {
    expect(() => merge({ max_lease_ttl: 30 }, merge({ default_lease_ttl: 60 }))).toThrow('greater than given max');
  });

  it('never repeats a value in a message', () => {
    expect(() => merge({ default_lease_ttl: 'hunter2' })).not.toThrow('hunter2');
    expect(() => merge({ default_lease_ttl: 'hunter2' })).toThrow('unable to parse');
  });

  it('has a description of limited length', () => {
    expect(description('x')).toBe('x');
    expect(description(undefined)).toBeUndefined();
    for (const wrong of [1, {}, 'x'.repeat(2049), 'a\0b']) expect(() => description(wrong)).toThrow("'description'");
  });
});
