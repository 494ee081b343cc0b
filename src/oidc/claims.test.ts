import { describe, expect, it } from 'vitest';
import { type ClaimPaths, personOf } from './claims.ts';

const ISSUER = 'https://id.example.com';
const PATHS: ClaimPaths = { name: 'preferred_username', email: 'email', groups: 'groups' };
const person = (claims: object, more: object = {}, paths: Partial<ClaimPaths> = {}) =>
  personOf(ISSUER, { ...PATHS, ...paths }, [{ sub: 'ada', ...claims }, { ...more }]);
const fault = (claims: object, more: object = {}) => {
  try {
    return person(claims, more);
  } catch (error) {
    return (error as { fault: string }).fault;
  }
};

describe('a person', () => {
  it('is identified by issuer and subject alone', () => {
    expect(person({})).toEqual({
      ...{ issuer: ISSUER, subject: 'ada', name: '', groups: [], directoryId: undefined },
      ...{ verifiedEmail: undefined, session: undefined, authenticatedAt: undefined },
    });
  });

  it.each([undefined, null, '', 7, ['ada'], 'x'.repeat(256)])('is refused with the subject %j', (sub) => {
    expect(fault({ sub })).toBe('invalid');
  });

  it('has the subject of the ID token, not that of another source', () => {
    expect(person({}, { sub: 'eve' }).subject).toBe('ada');
    expect(fault({ sub: undefined }, { sub: 'eve' })).toBe('invalid');
  });

  it('has the name of the first source that has one', () => {
    expect(person({ preferred_username: 'ada' }, { preferred_username: 'eve' }).name).toBe('ada');
    expect(person({ preferred_username: null }, { preferred_username: 'ada' }).name).toBe('ada');
    expect(person({ profile: { nick: 'countess' } }, {}, { name: 'profile.nick' }).name).toBe('countess');
    expect(person({ 'https://x.y/name': 'dots' }, {}, { name: 'https://x.y/name' }).name).toBe('dots');
  });

  it.each([7, {}, 'x'.repeat(255), 'a\u0000b', 'a\nb'])('has no name if the claim is %j', (name) => {
    expect(person({ preferred_username: name }).name).toBe('');
  });

  it('has empty fields if no source has a value', () => {
    expect(person({}, {}, { name: 'constructor.name' }).name).toBe('');
    expect(person({}, {}, { groups: '__proto__' }).groups).toEqual([]);
  });
});

describe('an email address', () => {
  it.each([
    [{ email: 'ada@example.com', email_verified: true }, {}, 'ada@example.com'],
    [{ email: 'ada@example.com' }, {}, undefined],
    [{ email: 'ada@example.com', email_verified: 'true' }, {}, undefined],
    [{ email: 'ada@example.com', email_verified: 1 }, {}, undefined],
    [{}, { email: 'ada@example.com', email_verified: true }, 'ada@example.com'],
    // `email_verified` of one source says nothing about the address of another.
    [{ email: 'ada@example.com' }, { email_verified: true }, undefined],
    [{ email: 'ada@example.com' }, { email: 'eve@example.com', email_verified: true }, undefined],
    [{ email_verified: true }, { email: 'ada@example.com' }, undefined],
    [{ email: null, email_verified: true }, { email: 'ada@example.com' }, undefined],
    [{ email: ['ada@example.com'], email_verified: true }, {}, undefined],
  ])('%j and %j: %j', (claims, more, verified) => {
    expect(person(claims, more).verifiedEmail).toBe(verified);
  });
});

describe('groups', () => {
  it('are one text or a list, without duplicates', () => {
    expect(person({ groups: 'one' }).groups).toEqual(['one']);
    expect(person({ groups: ['one', 'two', 'one', 7, '', { a: 1 }, 'x\u0007'] }).groups).toEqual(['one', 'two']);
    expect(person({ realm_access: { roles: ['r'] } }, {}, { groups: 'realm_access.roles' }).groups).toEqual(['r']);
  });

  it('come from the first source that has the claim, even if the list is empty', () => {
    expect(person({ groups: [] }, { groups: ['one'] }).groups).toEqual([]);
    expect(person({}, { groups: ['one'] }).groups).toEqual(['one']);
  });

  it('are refused if the provider sends a URL instead, or too many', () => {
    expect(fault({ _claim_names: { groups: 'src' } })).toBe('groups');
    expect(fault({}, { _claim_names: { groups: 'src' } })).toBe('groups');
    expect(fault({ hasgroups: true })).toBe('groups');
    expect(fault({ hasgroups: 'true' })).toBe('groups');
    expect(fault({ groups: Array.from({ length: 1001 }, (_, index) => `g${index}`) })).toBe('groups');
    expect(person({ _claim_names: { other: 'src' }, hasgroups: false }).groups).toEqual([]);
    expect(person({ _claim_names: { groups: 'src' } }, { groups: ['one'] }).groups).toEqual(['one']);
  });
});

describe("the provider's session", () => {
  it('has a valid id, from the ID token only', () => {
    expect(person({ sid: 'one' }).session).toBe('one');
    for (const sid of ['', 7, 'x'.repeat(256), null]) expect(person({ sid }, { sid: 'two' }).session).toBeUndefined();
  });

  it('has the time of authentication, given in seconds', () => {
    expect(person({ auth_time: 1_700_000_000 }).authenticatedAt).toBe(1_700_000_000_000);
    for (const time of ['1700000000', -1, Number.NaN, 1e300, null]) {
      expect(person({ auth_time: time }, { auth_time: 1 }).authenticatedAt).toBeUndefined();
    }
  });
});
