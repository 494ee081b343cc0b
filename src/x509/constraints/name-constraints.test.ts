import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import {
  type AuthorityOptions,
  type CertificateOptions,
  createRoot,
  directoryName,
  dnsName,
  emailName,
  generateKey,
  ipName,
  OID,
  otherName,
  registeredId,
  uriName,
} from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { comparisonCount, constrainedNames, nameViolation } from './name-constraints.ts';

const key = generateKey();
const root = createRoot({ key });

/** Returns the violation of these names against these constraints. */
function violation(constraints: Pick<AuthorityOptions, 'permitted' | 'excluded'>, names: CertificateOptions) {
  const authority = Certificate.parse(createRoot({ key, ...constraints }).der);
  const certificate = Certificate.parse(root.issue({ key, subject: [], ...names }).der);
  const { nameConstraints } = authority.known;
  if (nameConstraints === undefined) throw new Error('the CA has no constraints');
  return nameViolation(nameConstraints, constrainedNames(certificate));
}

type Row = readonly [base: string, name: string];

/** Expects each name to be within each base: permitted by it, excluded by it. */
function within(base: (text: string) => Buffer, names: (text: string) => CertificateOptions, rows: readonly Row[]) {
  test.each(rows)('%j holds %j', (text, name) => {
    expect(violation({ permitted: [base(text)] }, names(name))).toBeUndefined();
    expect(violation({ excluded: [base(text)] }, names(name))?.expected).toMatch(/^not within/);
  });
}

/** Expects each name to be outside of each base. */
function outside(base: (text: string) => Buffer, names: (text: string) => CertificateOptions, rows: readonly Row[]) {
  test.each(rows)('%j does not include %j', (text, name) => {
    expect(violation({ permitted: [base(text)] }, names(name))?.expected).toMatch(/^within/);
    expect(violation({ excluded: [base(text)] }, names(name))).toBeUndefined();
  });
}

/** Expects such a pair to be refused in both cases, because it cannot be compared. */
function refused(base: (text: string) => Buffer, names: (text: string) => CertificateOptions, rows: readonly Row[]) {
  test.each(rows)('%j cannot be compared with %j', (text, name) => {
    expect(violation({ permitted: [base(text)] }, names(name))?.actual).toMatch(/^malformed/);
    expect(violation({ excluded: [base(text)] }, names(name))?.actual).toMatch(/^malformed/);
  });
}

describe('a DNS constraint', () => {
  const names = (text: string) => ({ dns: [text] });
  within(dnsName, names, [
    ['example.com', 'example.com'],
    ['example.com', 'EXAMPLE.com'],
    ['Example.Com', 'a.example.com'],
    ['example.com', 'a.b.example.com'],
    ['example.com', '*.example.com'],
    ['example.com', 'under_score.example.com'],
    ['', 'example.com'],
    ['.example.com', 'a.example.com'],
    ['.Example.com', 'a.b.EXAMPLE.com'],
    ['.example.com', '*.example.com'],
    ['.com', 'example.com'],
  ]);
  outside(dnsName, names, [
    ['.example.com', 'example.com'],
    ['.example.com', 'badexample.com'],
    ['.example.com', 'example.org'],
    ['.a.example.com', '*.example.com'],
    ['.com', 'com'],
    ['example.com', 'example.org'],
    ['example.com', 'badexample.com'],
    ['example.com', 'com'],
    ['a.example.com', 'example.com'],
    ['a.example.com', 'b.example.com'],
    ['b.a.example.com', '*.example.com'],
  ]);
  refused(dnsName, names, [
    ['example.com', 'a.example.com.'],
    ['example.com', '.example.com'],
    ['example.com', 'a..example.com'],
    ['example.com', ''],
    ['example.com', 'a b.example.com'],
    ['example.com', '-a.example.com'],
    ['example.com', 'a.*.example.com'],
    ['example.com', '*'],
    ['example.com', `${'a'.repeat(64)}.example.com`],
    ['example.com', `${'a.'.repeat(130)}example.com`],
    ['..example.com', 'a.example.com'],
    ['.example.com.', 'a.example.com'],
    ['.', 'a.example.com'],
    ['.example.com', '.example.com'],
    ['*.example.com', 'a.example.com'],
    ['example.com.', 'a.example.com'],
  ]);

  test('that excludes a host refuses a wildcard that includes it', () => {
    expect(violation({ excluded: [dnsName('a.example.com')] }, { dns: ['*.example.com'] })).toBeDefined();
    expect(violation({ permitted: [dnsName('a.example.com')] }, { dns: ['*.example.com'] })).toBeDefined();
  });

  test('does not apply to common names', () => {
    expect(violation({ permitted: [dnsName('example.com')] }, { subject: 'host.example.org' })).toBeUndefined();
  });
});

describe('an e-mail constraint', () => {
  const names = (text: string) => ({ emails: [text] });
  within(emailName, names, [
    ['a@example.com', 'a@example.com'],
    ['a@example.com', 'a@EXAMPLE.com'],
    ['example.com', 'a@example.com'],
    ['.example.com', 'a@mail.example.com'],
    ['.example.com', 'a@x.mail.example.com'],
    ['', 'a@example.com'],
    ['*@example.com', '*@example.com'],
  ]);
  outside(emailName, names, [
    ['a@example.com', 'b@example.com'],
    ['a@example.com', 'A@example.com'],
    ['example.com', 'a@mail.example.com'],
    ['.example.com', 'a@example.com'],
    ['.example.com', 'a@badexample.com'],
    ['*@example.com', 'a@example.com'],
  ]);
  refused(emailName, names, [
    ['example.com', 'example.com'],
    ['example.com', '@example.com'],
    ['example.com', 'a@'],
    ['example.com', 'a@b@example.com'],
    ['example.com', '"a b"@example.com'],
    ['example.com', 'a b@example.com'],
    ['example.com', 'a@[10.0.0.1]'],
    ['@example.com', 'a@example.com'],
    ['.', 'a@example.com'],
    ['*.example.com', 'a@example.com'],
  ]);

  const inSubject = { subject: [['emailAddress', 'a@example.org'] as const] };

  test('applies to addresses in the subject of a certificate without alternative names', () => {
    expect(violation({ permitted: [emailName('example.com')] }, inSubject)).toBeDefined();
    expect(violation({ permitted: [emailName('example.org')] }, inSubject)).toBeUndefined();
    expect(violation({ permitted: [emailName('example.com')] }, { ...inSubject, dns: ['x'] })).toBeUndefined();
    const none = { extensions: [{ oid: OID.subjectAltName, value: der.sequence() }] };
    expect(violation({ excluded: [emailName('example.org')] }, { ...inSubject, ...none })).toBeDefined();
  });
});

describe('a URI constraint', () => {
  const names = (text: string) => ({ uris: [text] });
  within(uriName, names, [
    ['example.com', 'https://example.com'],
    ['example.com', 'https://EXAMPLE.com/path?query#fragment'],
    ['example.com', 'https://user:secret@example.com:8443/'],
    ['example.com', 'spiffe://example.com/workload'],
    ['.example.com', 'https://a.example.com/'],
    ['', 'https://example.com/'],
  ]);
  outside(uriName, names, [
    ['example.com', 'https://a.example.com/'],
    ['.example.com', 'https://example.com/'],
    ['example.com', 'https://example.com@example.org/'],
    ['example.com', 'https://example.org/example.com'],
    ['example.com', 'https://example.org?@example.com'],
    ['example.com', 'https://example.org#@example.com'],
  ]);
  refused(uriName, names, [
    ['example.com', 'https://example.org\\@example.com/'],
    ['example.com', 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    ['example.com', 'mailto:a@example.com'],
    ['example.com', 'https:///path'],
    ['example.com', 'https://10.0.0.1/'],
    ['example.com', 'https://[::1]/'],
    ['example.com', 'https://a b/'],
    ['example.com', '//example.com/'],
    ['https://example.com', 'https://example.com'],
  ]);
});

describe('an IP constraint', () => {
  const names = (text: string) => ({ ips: [text] });
  within(ipName, names, [
    ['10.0.0.0/255.0.0.0', '10.255.0.1'],
    ['10.1.2.3/255.255.255.255', '10.1.2.3'],
    ['10.1.2.3/255.255.0.0', '10.1.9.9'],
    ['0.0.0.0/0.0.0.0', '192.168.0.1'],
    ['192.168.128.0/255.255.192.0', '192.168.191.1'],
    ['2001:db8::/ffff:ffff::', '2001:db8::1'],
  ]);
  outside(ipName, names, [
    ['10.0.0.0/255.0.0.0', '11.0.0.1'],
    ['192.168.128.0/255.255.192.0', '192.168.192.1'],
    ['2001:db8::/ffff:ffff::', '2001:db9::1'],
    ['0.0.0.0/0.0.0.0', '::1'],
    ['::/::', '10.0.0.1'],
  ]);
  refused(ipName, names, [
    ['10.0.0.0/255.0.255.0', '10.0.0.1'],
    ['10.0.0.0/0.0.0.255', '10.0.0.1'],
    ['10.0.0.0/253.0.0.0', '10.0.0.1'],
  ]);
});

describe('a directory name constraint', () => {
  const acme = directoryName([['O', 'Acme']]);

  test('applies to subjects that start with it', () => {
    expect(
      violation(
        { permitted: [acme] },
        {
          subject: [
            ['O', 'ACME'],
            ['CN', 'a'],
          ],
        },
      ),
    ).toBeUndefined();
    expect(
      violation(
        { permitted: [acme] },
        {
          subject: [
            ['CN', 'a'],
            ['O', 'Acme'],
          ],
        },
      ),
    ).toBeDefined();
    expect(
      violation(
        { permitted: [acme] },
        {
          subject: [
            ['O', 'Acme Ltd'],
            ['CN', 'a'],
          ],
        },
      ),
    ).toBeDefined();
    expect(
      violation(
        { excluded: [acme] },
        {
          subject: [
            ['O', 'acme'],
            ['CN', 'a'],
          ],
        },
      ),
    ).toBeDefined();
    expect(
      violation(
        { excluded: [acme] },
        {
          subject: [
            ['O', 'Other'],
            ['CN', 'a'],
          ],
        },
      ),
    ).toBeUndefined();
  });

  test('applies to alternative names too', () => {
    const elsewhere = { subject: [['O', 'Acme'] as const], otherNames: [directoryName([['O', 'Other']])] };
    expect(violation({ permitted: [acme] }, elsewhere)?.actual).toBe('directoryName:O=Other');
  });

  test('does not apply to an empty subject', () => {
    expect(violation({ permitted: [acme] }, { subject: [] })).toBeUndefined();
  });

  test('that is empty includes every name', () => {
    expect(violation({ permitted: [directoryName([])] }, { subject: 'a' })).toBeUndefined();
    expect(violation({ excluded: [directoryName([])] }, { subject: 'a' })).toBeDefined();
  });
});

describe('constraints', () => {
  test('on one type of name do not apply to others', () => {
    const constraints = { permitted: [dnsName('example.com')], excluded: [ipName('10.0.0.0/255.0.0.0')] };
    expect(violation(constraints, { emails: ['a@example.org'], uris: ['https://example.org'] })).toBeUndefined();
  });

  test('apply to every name, not to one of them', () => {
    expect(violation({ permitted: [dnsName('example.com')] }, { dns: ['a.example.com', 'example.org'] })).toEqual({
      expected: 'within dns:example.com',
      actual: 'dns:example.org',
    });
  });

  test('exclude names that they permit elsewhere', () => {
    const constraints = { permitted: [dnsName('example.com')], excluded: [dnsName('bad.example.com')] };
    expect(violation(constraints, { dns: ['good.example.com'] })).toBeUndefined();
    expect(violation(constraints, { dns: ['a.bad.example.com'] })?.expected).toBe('not within dns:bad.example.com');
  });

  test.each([
    ['otherName', otherName('1.2.3', der.utf8String('x'))],
    ['registeredId', registeredId('1.2.3')],
    ['x400Address', der.constructed(3, der.sequence())],
    ['ediPartyName', der.constructed(5, der.utf8String('x'))],
  ])('on names of type %s refuse such names, and nothing else', (type, name) => {
    expect(violation({ permitted: [name] }, { otherNames: [name] })?.actual).toBe(
      `a constraint on names of type ${type}`,
    );
    expect(violation({ excluded: [name] }, { otherNames: [name] })).toBeDefined();
    expect(violation({ excluded: [name] }, { dns: ['example.com'] })).toBeUndefined();
  });

  test('list at most five bases in an explanation', () => {
    const permitted = Array.from({ length: 7 }, (_, i) => dnsName(`${i}.example`));
    expect(violation({ permitted }, { dns: ['x'] })?.expected).toBe(
      'within dns:0.example, dns:1.example, dns:2.example, dns:3.example, dns:4.example …',
    );
  });

  test('can compute their cost in advance', () => {
    const { nameConstraints } = Certificate.parse(
      createRoot({ key, permitted: [dnsName('a')], excluded: [dnsName('b')] }).der,
    ).known;
    const names = constrainedNames(Certificate.parse(root.issue({ key, subject: 'x', dns: ['a', 'b'] }).der));
    expect(nameConstraints && comparisonCount(nameConstraints, names)).toBe(6);
  });
});
