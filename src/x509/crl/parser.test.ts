import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { createRoot, nameDer, OID } from '../../pki/index.ts';
import { ParseError } from '../parse-error.ts';
import { type CrlInfo, REVOCATION_REASONS } from './crl.ts';
import { CrlParser } from './parser.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const LATER = new Date('2026-11-22T12:00:00Z');
const root = createRoot({ subject: 'CRL Test CA' });
const ecdsa = der.sequence(der.oid('1.2.840.10045.4.3.2'));

const REASON_CODE = '2.5.29.21';
const DELTA_INDICATOR = '2.5.29.27';
const ISSUING_DISTRIBUTION_POINT = '2.5.29.28';

interface Outcome {
  readonly info: CrlInfo;
  /** Entries such as `<serial in hex> <reason>`. */
  readonly revoked: readonly string[];
}

function parse(bytes: Uint8Array, pieceLength = bytes.length): Outcome {
  const revoked: string[] = [];
  const parser = new CrlParser(({ serial, reason }) =>
    revoked.push(`${serial.toString('hex')} ${REVOCATION_REASONS[reason]}`),
  );
  for (let start = 0; start < bytes.length; start += pieceLength) {
    parser.write(Buffer.from(bytes.subarray(start, start + pieceLength)));
  }
  return { info: parser.end(), revoked };
}

/** Creates a CRL; each given part replaces the correct one. */
function list(parts: {
  readonly version?: Uint8Array | null;
  readonly inner?: Uint8Array;
  readonly issuer?: Uint8Array;
  readonly times?: readonly Uint8Array[];
  readonly entries?: readonly Uint8Array[] | null;
  readonly extensions?: readonly Uint8Array[];
  readonly outer?: Uint8Array;
}): Buffer {
  const { version = der.integer(1), times = [der.time(NOW), der.time(LATER)], entries = [], extensions = [] } = parts;
  const tbs = der.sequence(
    ...(version === null ? [] : [version]),
    parts.inner ?? ecdsa,
    parts.issuer ?? root.subject,
    ...times,
    ...(entries === null ? [] : [der.sequence(...entries)]),
    ...(extensions.length === 0 ? [] : [der.constructed(0, der.sequence(...extensions))]),
  );
  return der.sequence(tbs, parts.outer ?? ecdsa, der.bitString(Buffer.from('signature')));
}

const extension = (oid: string, value: Uint8Array, critical = false): Buffer =>
  der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
const entry = (serial: bigint | number, ...extensions: Uint8Array[]): Buffer =>
  der.sequence(der.integer(serial), der.time(NOW), ...(extensions.length ? [der.sequence(...extensions)] : []));
const reason = (code: number): Buffer => extension(REASON_CODE, der.tlv(0x0a, Buffer.from([code])));
const point = (...members: Uint8Array[]): Buffer =>
  extension(ISSUING_DISTRIBUTION_POINT, der.sequence(...members), true);
const yes = Buffer.from([0xff]);

describe('a list', () => {
  test('is read with all its metadata', () => {
    const { der: bytes } = root.crl({ revoked: [1n, 2n], number: 77n, thisUpdate: NOW, nextUpdate: LATER });
    const { info, revoked } = parse(bytes);
    expect(info).toMatchObject({
      version: 2,
      number: 77n,
      thisUpdate: NOW.getTime(),
      nextUpdate: LATER.getTime(),
      scope: 'all',
      entries: 2,
      bytes: bytes.length,
      unusable: undefined,
    });
    expect(info.issuer.toString()).toBe('CN=CRL Test CA');
    expect(info.authorityKeyId).toMatch(/^[\da-f]{40}$/);
    expect(bytes.subarray(info.signed.start, info.signed.end)[0]).toBe(0x30);
    expect(revoked).toEqual(['01 unspecified', '02 unspecified']);
  });

  test('may be of version 1, without next update, without entries', () => {
    const { info, revoked } = parse(list({ version: null, times: [der.time(NOW)], entries: null }));
    expect(info).toMatchObject({ version: 1, nextUpdate: undefined, number: undefined, authorityKeyId: undefined });
    expect(revoked).toEqual([]);
    expect(parse(list({ entries: [] })).info.entries).toBe(0);
  });

  test('has serial numbers of any size and sign, with their reasons', () => {
    const long = 2n ** 1000n + 1n;
    const { revoked } = parse(list({ entries: [entry(-1n), entry(0n, reason(1)), entry(long, reason(6))] }));
    expect(revoked).toEqual([
      'ff unspecified',
      '00 keyCompromise',
      `${long.toString(16).padStart(252, '0')} certificateHold`,
    ]);
  });

  test('is read the same in pieces of any size', () => {
    const serials = Array.from({ length: 300 }, (_, i) => BigInt(i) ** 9n);
    const bytes = list({
      entries: serials.map((serial, i) => entry(serial, ...(i % 3 ? [reason((i % 3) + 1)] : []))),
      extensions: [extension(OID.crlNumber, der.integer(5))],
    });
    const whole = parse(bytes);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: bytes.length }), (pieceLength) => {
        expect(parse(bytes, pieceLength)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
    expect(parse(bytes, 1)).toEqual(whole);
  });

  test('may be much larger than the bytes in memory', () => {
    const serials = Array.from({ length: 20_000 }, (_, i) => BigInt(i));
    const { info, revoked } = parse(list({ entries: serials.map((serial) => entry(serial)) }), 10_000);
    expect(info.entries).toBe(20_000);
    expect(revoked.at(-1)).toBe('4e1f unspecified');
  });
});

describe('a CRL is unusable', () => {
  test.each([
    ['a delta CRL', { extensions: [extension(DELTA_INDICATOR, der.integer(1), true)] }],
    ['an indirect CRL', { extensions: [point(der.primitive(4, yes))] }],
    ['some reasons', { extensions: [point(der.primitive(3, Buffer.from([6, 0x40])))] }],
    ['some reasons', { extensions: [point(der.primitive(3, Buffer.from([0, 0x40])))] }],
    ['attribute certificates', { extensions: [point(der.primitive(5, yes))] }],
    ['both end entities and CAs', { extensions: [point(der.primitive(1, yes), der.primitive(2, yes))] }],
    ['unknown critical extension 1.2.3', { extensions: [extension('1.2.3', der.nullValue(), true)] }],
    ['unknown critical extension 1.2.4', { entries: [entry(1, extension('1.2.4', der.nullValue(), true))] }],
    ['withdraws a revocation', { entries: [entry(1), entry(2, reason(8))] }],
    ['of another issuer', { entries: [entry(1, extension('2.5.29.29', der.sequence(), true))] }],
  ])('with a reason: %s', (why, parts) => {
    expect(parse(list(parts)).info.unusable).toContain(why);
  });
});

describe('a CRL is usable', () => {
  test('with any extensions that are not critical', () => {
    const unknown = extension('1.2.3', der.nullValue());
    const { info } = parse(list({ entries: [entry(1, unknown)], extensions: [unknown] }));
    expect(info.unusable).toBeUndefined();
  });

  test('if it is one of several parts, or covers only some kinds of certificates', () => {
    const uri = der.constructed(0, der.constructed(0, der.primitive(6, Buffer.from('http://a.example/1.crl'))));
    expect(parse(list({ extensions: [point(uri)] })).info).toMatchObject({ scope: 'all', unusable: undefined });
    expect(parse(list({ extensions: [point(uri, der.primitive(1, yes))] })).info.scope).toBe('end-entities');
    expect(parse(list({ extensions: [point(der.primitive(2, yes))] })).info.scope).toBe('authorities');
  });
});

/** Go, OpenSSL and pyca/cryptography read it in the same way. */
describe('a CRL may be encoded in other forms', () => {
  test('with entries and a list that have no extensions in their place', () => {
    const { info, revoked } = parse(
      list({ entries: [der.sequence(der.integer(5), der.time(NOW), der.sequence())], extensions: [] }),
    );
    expect(revoked).toEqual(['05 unspecified']);
    expect(info.unusable).toBeUndefined();
    const [version, empty] = [der.integer(1), der.constructed(0, der.sequence())];
    const tbs = der.sequence(version, ecdsa, root.subject, der.time(NOW), der.time(LATER), empty);
    const bytes = der.sequence(tbs, ecdsa, der.bitString(Buffer.from('signature')));
    expect(parse(bytes).info).toMatchObject({ entries: 0, number: undefined });
  });

  test('with flags that are FALSE written out', () => {
    const no = Buffer.from([0]);
    const all = point(...[1, 2, 4, 5].map((number) => der.primitive(number, no)));
    expect(parse(list({ extensions: [all] })).info).toMatchObject({ scope: 'all', unusable: undefined });
  });

  test('with a number of 30 bytes', () => {
    const number = 2n ** 236n;
    expect(parse(list({ extensions: [extension(OID.crlNumber, der.integer(number))] })).info.number).toBe(number);
  });

  test('with an undefined reason: the entry still revokes', () => {
    expect(parse(list({ entries: [entry(1, reason(7)), entry(2, reason(11))] })).revoked).toEqual([
      '01 unspecified',
      '02 unspecified',
    ]);
  });

  test('with extensions of certificates that have no meaning in a CRL', () => {
    const extensions = [extension(OID.keyUsage, der.nullValue()), extension(OID.subjectAltName, der.nullValue())];
    expect(parse(list({ extensions })).info.unusable).toBeUndefined();
  });
});

describe('an invalid CRL', () => {
  const good = list({
    entries: [entry(1), entry(2, reason(1))],
    extensions: [extension(OID.crlNumber, der.integer(5))],
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a certificate', root.der],
    ['a list with bytes behind it', Buffer.concat([good, Buffer.from([0])])],
    [
      'a list of some reasons, with padding bits that are set',
      list({ extensions: [point(der.primitive(3, Buffer.from([6, 0x7f])))] }),
    ],
    ['a list of version 3', list({ version: der.integer(2) })],
    ['a list that names its default version', list({ version: der.integer(0) })],
    ['a list of version 1 with extensions', list({ version: null, extensions: [extension('1.2.3', der.nullValue())] })],
    ['a list of version 1 with extensions of an entry', list({ version: null, entries: [entry(1, reason(1))] })],
    ['a list without issuer', list({ issuer: nameDer([]) })],
    ['a list without thisUpdate', list({ times: [] })],
    ['a list with a malformed time', list({ times: [der.tlv(0x17, Buffer.from('991332000000Z'))] })],
    ['a list with three times', list({ times: [der.time(NOW), der.time(LATER), der.time(LATER)] })],
    ['a list whose two algorithms differ', list({ outer: der.sequence(der.oid('1.2.840.10045.4.3.3')) })],
    [
      'a serial number that is not in its shortest form',
      list({ entries: [der.sequence(der.tlv(2, Buffer.from([0, 1])), der.time(NOW))] }),
    ],
    ['an entry without date', list({ entries: [der.sequence(der.integer(1))] })],
    [
      'an entry with something more',
      list({ entries: [der.sequence(der.integer(1), der.time(NOW), der.sequence(reason(1)), der.nullValue())] }),
    ],
    ['an entry that is a number', list({ entries: [der.integer(1)] })],
    ['an entry with a negative reason', list({ entries: [entry(1, reason(255))] })],
    ['a number of more than 256 bytes', list({ extensions: [extension(OID.crlNumber, der.integer(2n ** 2048n))] })],
    ['an entry of 64 KiB', list({ entries: [entry(1, extension('1.2.3', Buffer.alloc(65_536)))] })],
    ['extensions of 64 KiB', list({ extensions: [extension('1.2.3', Buffer.alloc(65_536))] })],
    ['the same extension twice', list({ extensions: [extension('1.2.3', yes), extension('1.2.3', yes)] })],
    ['a negative number', list({ extensions: [extension(OID.crlNumber, der.integer(-1))] })],
    ['a list of 4 GiB', Buffer.from('3084ffffffff3084fffffff0', 'hex')],
    ['a length of five bytes', Buffer.from('30850100000000', 'hex')],
    ['an indefinite length', Buffer.from('30800000', 'hex')],
    ['a length not in its shortest form', Buffer.from('30820001', 'hex')],
  ])('is refused: %s', (_, bytes) => {
    expect(() => parse(bytes, 1024)).toThrow(ParseError);
  });

  test('is refused wherever it is truncated', () => {
    for (let length = 0; length < good.length; length++) {
      expect(() => parse(good.subarray(0, length), 50)).toThrow(ParseError);
    }
  });
});

describe('for any bytes, the parser', () => {
  const samples = [
    root.crl({
      revoked: [1n, { serial: 2n ** 150n, extensions: [{ oid: REASON_CODE, value: Buffer.from([10, 1, 1]) }] }],
    }).der,
    list({ version: null, entries: [entry(1), entry(2)] }),
    list({
      entries: [entry(3, reason(1))],
      extensions: [point(der.primitive(1, yes)), extension(OID.crlNumber, der.integer(9))],
    }),
  ];
  const exercise = (bytes: Uint8Array): void => {
    let outcome: Outcome;
    try {
      outcome = parse(bytes, 37);
    } catch (error) {
      expect(error).toBeInstanceOf(ParseError);
      return;
    }
    expect(outcome.revoked).toHaveLength(outcome.info.entries);
    expect(parse(bytes)).toEqual(outcome);
  };

  test('either parses them or throws a ParseError', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), exercise), { numRuns: 2000 });
  });

  test('survives every changed bit of a CRL', () => {
    for (const sample of samples) {
      for (let bit = 0; bit < sample.length * 8; bit++) {
        const bytes = Buffer.from(sample);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        exercise(bytes);
      }
    }
  });

  test('survives CRLs that were tampered with', () => {
    const mutation = fc.record({ at: fc.nat(), remove: fc.nat(8), insert: fc.uint8Array({ maxLength: 8 }) });
    const tampered = fc
      .tuple(fc.constantFrom(...samples), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([sample, mutations]) =>
        mutations.reduce((bytes, { at, remove, insert }) => {
          const start = at % bytes.length;
          return Buffer.concat([bytes.subarray(0, start), insert, bytes.subarray(start + remove)]);
        }, sample),
      );
    fc.assert(fc.property(tampered, exercise), { numRuns: 5000 });
  });
});
