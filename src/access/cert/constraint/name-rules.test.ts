import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../lib/glob.ts';
import { PatternSet } from '../../../lib/pattern-set.ts';
import { runAtOnce } from '../../../lib/slices.ts';
import { type CertificateOptions, selfSigned } from '../../../pki/index.ts';
import { Certificate } from '../../../x509/index.ts';
import {
  canBeDnsName,
  canBeFullyQualified,
  commonNameFault,
  compileDnsPattern,
  DNS_PATTERNS,
  isDnsName,
  isFullyQualified,
} from './name-rules.ts';

const LABEL = 'a'.repeat(63);
const LONGEST = `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(61)}`;

describe('a fully qualified DNS name', () => {
  it.each([
    'a.b',
    'web-1.example.com',
    'WEB.Example.COM',
    'xn--bcher-kva.example',
    '1.2.3.4a',
    `${LABEL}.com`,
    LONGEST,
  ])('may be %s', (name) => {
    expect([isFullyQualified(name), isDnsName(name)]).toEqual([true, true]);
  });

  it.each(['web', '*.example.com', 'web.*.com', 'my_web.example.com', '_sip._tcp.example.com'])('is not %s', (name) => {
    expect(isFullyQualified(name)).toBe(false);
  });

  it.each([
    ['no text', ''],
    ['a final dot', 'web.example.com.'],
    ['a first dot', '.example.com'],
    ['an empty label', 'web..example.com'],
    ['only dots', '..'],
    ['a label that starts with a hyphen', '-web.example.com'],
    ['a label that ends in a hyphen', 'web-.example.com'],
    ['a label of 64 characters', `${LABEL}a.com`],
    ['254 characters', `${LONGEST}a`],
    ['an IPv4 address', '10.0.0.1'],
    ['an IPv6 address', '2001:db8::1'],
    ['a blank', 'web 1.example.com'],
    ['a trailing line feed', 'web.example.com\n'],
    ['an email address', 'root@example.com'],
    ['a URI', 'spiffe://example.com'],
    ['a non-ASCII letter', 'bücher.example.com'],
    ['a letter whose lower case is ASCII', '\u212Aube.example.com'],
  ])('cannot be %s, and neither can any DNS name', (_name, text) => {
    expect([isFullyQualified(text), isDnsName(text)]).toEqual([false, false]);
  });
});

describe('a DNS name of a certificate', () => {
  it.each(['localhost', '*.example.com', '_sip._tcp.example.com'])('may also be %s', (name) => {
    expect(isDnsName(name)).toBe(true);
  });

  it.each(['*', '*.', 'web.*.com', 'w*.example.com', '**.example.com'])('is not %s', (name) => {
    expect(isDnsName(name)).toBe(false);
  });
});

describe('a pattern for DNS names', () => {
  it.each([
    ['*.example.com', 'web.example.com', true],
    ['*.example.com', 'a.b.example.com', false],
    ['*.example.com', 'example.com', false],
    ['*.example.com', '.example.com', true],
    ['*ample.com', 'example.com', true],
    ['*ample.com', 'a.example.com', false],
    ['web-*.example.com', 'web-1.example.com', true],
    ['web-*.example.com', 'web-1.evil.example.com', false],
    ['*.*.example.com', 'a.b.example.com', true],
    ['runner-*', 'runner-1', true],
    ['runner-*', 'runner-1.example.com', true],
    ['host.*', 'host.example.com', true],
    ['host.*', 'host', false],
    ['*', 'a.b.c', true],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a.b', 'a.b', true],
    ['a.b', 'A.b', false],
  ])('%s fits %s: %s', (pattern, name, fits) => {
    expect(compileDnsPattern(pattern)(name)).toBe(fits);
  });

  it('matches no name that the same pattern for text does not match', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, name) => !compileDnsPattern(pattern)(name) || matchesGlob(pattern, name)),
    );
  });

  it('matches the same names in a pattern set', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '.', '*'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (patterns, name) => {
        const fits = patterns.some((pattern) => compileDnsPattern(pattern)(name));
        expect(runAtOnce(PatternSet.fromPatterns(patterns, DNS_PATTERNS)).matches(name)).toBe(fits);
      }),
    );
  });

  it.each([
    ['web.example.com', 'full', 'full'],
    ['*.example.com', 'full', 'full'],
    ['runner-*', 'full', 'full'],
    ['*', 'full', 'full'],
    [`${LABEL}*.com`, 'full', 'full'],
    ['*ample', 'full', 'short'],
    ['web*com', 'full', 'short'],
    ['device', 'short', 'short'],
    ['my_web.*', 'short', 'short'],
    ['my device*', 'none', 'none'],
    ['', 'none', 'none'],
    ['web.example.com.', 'none', 'none'],
    ['*.', 'none', 'none'],
    ['*..com', 'none', 'none'],
    ['.*', 'none', 'none'],
    ['-*.example.com', 'none', 'none'],
    ['*-.example.com', 'none', 'none'],
    ['10.0.0.*', 'full', 'full'],
    ['*.0.0.1', 'none', 'none'],
    [`${LABEL}a*.com`, 'none', 'none'],
    [`*.${LONGEST}a`, 'none', 'none'],
    ['*@example.com', 'none', 'none'],
    ['*/web', 'none', 'none'],
    ['b\u00fccher.*', 'none', 'none'],
  ])('%s can match a name: if stars match anything %s, if they stay within labels %s', (pattern, open, held) => {
    const means = (withinLabels: boolean) =>
      canBeFullyQualified(pattern, withinLabels) ? 'full' : canBeDnsName(pattern) ? 'short' : 'none';
    expect([means(false), means(true)]).toEqual([open, held]);
  });

  it('is not reported as impossible if a DNS name matches it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', '-', '_', '.', '*'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        if (!isDnsName(name) || !matchesGlob(pattern, name)) return;
        expect(canBeDnsName(pattern)).toBe(true);
        if (isFullyQualified(name)) expect(canBeFullyQualified(pattern, false)).toBe(true);
        if (isFullyQualified(name) && compileDnsPattern(pattern)(name)) {
          expect(canBeFullyQualified(pattern, true)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a common name', () => {
  const fault = (options: CertificateOptions) => commonNameFault(Certificate.parse(selfSigned(options).der));

  it('is valid if it is fully qualified and also a DNS SAN, in any case', () => {
    expect(fault({ subject: 'web.example.com', dns: ['a.example.com', 'web.example.com'] })).toBeUndefined();
    expect(fault({ subject: 'Web.example.com', dns: ['wEB.EXAMPLE.com'] })).toBeUndefined();
  });

  it.each<[CertificateOptions, string]>([
    [{ subject: [], dns: ['web.example.com'] }, 'none'],
    [{ subject: 'web', dns: ['web'] }, 'web, which is not a fully qualified DNS name'],
    [{ subject: '*.example.com', dns: ['*.example.com'] }, '*.example.com, which is not a fully qualified DNS name'],
    [{ subject: 'web.example.com' }, 'web.example.com, which is not among the DNS SANs (none)'],
    [
      { subject: 'web.example.com', dns: ['*.example.com', 'b.example.com'], emails: ['web.example.com'] },
      'web.example.com, which is not among the DNS SANs (*.example.com, b.example.com)',
    ],
  ])('is not valid for %j', (options, text) => {
    expect(fault(options)).toBe(text);
  });
});
