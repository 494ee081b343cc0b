import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../lib/slices.ts';
import { type CertificateOptions, selfSigned } from '../../../pki/index.ts';
import { Certificate } from '../../../x509/index.ts';
import { type CertConfig, INITIAL_CONFIG } from '../settings/cert-config.ts';
import { INITIAL_SETTINGS, type RoleSettings } from '../settings/role-settings.ts';
import { checkConstraints, compileConstraints } from './constraints.ts';
import { hintFor } from './hints.ts';

type Rules = Partial<Pick<CertConfig, 'strict_dns_names' | 'strict_dns_patterns'>>;
const LAX = { strict_dns_names: false };

const read = (options: CertificateOptions) => Certificate.parse(selfSigned(options).der);

/** Returns the checks that refuse a certificate. */
function refusals(settings: Partial<RoleSettings>, options: CertificateOptions, config: Rules = {}): string[] {
  const rules = { ...INITIAL_CONFIG, ...config };
  const constraints = runAtOnce(compileConstraints({ ...INITIAL_SETTINGS, ...settings }, rules));
  return runAtOnce(checkConstraints(constraints, { leaf: read(options), address: '' }))
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ check }) => check);
}

const WEB = { subject: 'web.example.com', dns: ['web.example.com', 'db.example.com'] };
const BARE = { subject: 'web.example.com' };
const MALFORMED = { subject: 'web.example.com', dns: ['web.example.com', 'not a name'] };

describe('a role that constrains common names', () => {
  const settings = { allowed_common_names: ['*.example.com'] };

  it('requires a common name that is also a DNS SAN, and valid DNS names as DNS SANs', () => {
    expect(refusals(settings, WEB)).toEqual([]);
    expect(refusals(settings, BARE)).toEqual(['common_name']);
    expect(refusals(settings, MALFORMED)).toEqual(['dns_sans']);
    expect(refusals({ allowed_common_names: ['device'] }, { subject: 'device', dns: ['device'] })).toEqual([
      'common_name',
    ]);
    expect(refusals(settings, { subject: [], dns: ['web.example.com'] })).toEqual([
      'common_name',
      'allowed_common_names',
    ]);
  });

  it('accepts any common name if the configuration turns the strict rules off', () => {
    for (const certificate of [WEB, BARE, MALFORMED]) expect(refusals(settings, certificate, LAX)).toEqual([]);
    expect(refusals({ allowed_common_names: ['dev*'] }, { subject: 'device' }, LAX)).toEqual([]);
  });
});

describe('a role that constrains DNS SANs', () => {
  const settings = { allowed_dns_sans: ['web.example.com'] };

  it('requires one DNS SAN to match, and all to be DNS names', () => {
    expect(refusals(settings, WEB)).toEqual([]);
    expect(refusals(settings, { ...WEB, subject: 'any name' })).toEqual([]);
    expect(refusals(settings, { dns: ['db.example.com'] })).toEqual(['allowed_dns_sans']);
    expect(refusals(settings, BARE)).toEqual(['allowed_dns_sans']);
    expect(refusals(settings, MALFORMED)).toEqual(['dns_sans']);
    expect(refusals(settings, MALFORMED, LAX)).toEqual([]);
  });
});

describe('a role that constrains names of any type', () => {
  const settings = { allowed_names: ['web.example.com', '*@example.com'] };

  it('matches a common name only if it is also a DNS SAN', () => {
    expect(refusals(settings, WEB)).toEqual([]);
    expect(refusals(settings, BARE)).toEqual(['allowed_names']);
    expect(refusals(settings, { subject: 'any name', dns: ['web.example.com'] })).toEqual([]);
    expect(refusals(settings, { subject: 'any name', emails: ['first.last@example.com'] })).toEqual([]);
    expect(refusals(settings, { subject: 'root@example.com' })).toEqual(['allowed_names']);
    expect(refusals(settings, MALFORMED)).toEqual(['dns_sans']);
    expect(refusals(settings, BARE, LAX)).toEqual([]);
  });
});

it('a role without constraints on host names still checks that DNS SANs are DNS names, and nothing else', () => {
  const settings = { allowed_email_sans: ['*@example.com'] };
  const emails = ['a.b@example.com'];
  expect(refusals(settings, { ...MALFORMED, subject: 'any name', emails })).toEqual(['dns_sans']);
  expect(refusals(settings, { ...WEB, subject: 'any name', emails })).toEqual([]);
  expect(refusals({}, MALFORMED)).toEqual(['dns_sans']);
  expect(refusals({}, MALFORMED, LAX)).toEqual([]);
  expect(refusals({}, { subject: 'any name' })).toEqual([]);
});

it('the verdict quotes each malformed DNS SAN', () => {
  const dns = ['', 'web.example.com', 'web.example.com.', '10.0.0.1'];
  const verdicts = runAtOnce(
    checkConstraints(runAtOnce(compileConstraints(INITIAL_SETTINGS, INITIAL_CONFIG)), {
      leaf: read({ dns }),
      address: '',
    }),
  );
  expect(verdicts).toMatchObject([
    { check: 'dns_sans', outcome: 'refused', actual: '"", "web.example.com.", "10.0.0.1"' },
  ]);
});

it.each([
  [{ allowed_dns_sans: ['*.example.com'] }, { dns: ['a.b.example.com'] }],
  [{ allowed_names: ['*.example.com'] }, { dns: ['a.b.example.com'] }],
  [{ allowed_common_names: ['*.example.com'] }, { subject: 'a.b.example.com', dns: ['a.b.example.com'] }],
])('a star in %j matches any characters, or stays within its label', (settings, options) => {
  expect(refusals(settings, options)).toEqual([]);
  expect(refusals(settings, options, LAX)).toEqual([]);
  expect(refusals(settings, options, { strict_dns_patterns: true })).toEqual(Object.keys(settings));
  expect(refusals(settings, options, { ...LAX, strict_dns_patterns: true })).toEqual(Object.keys(settings));
});

it('DNS names, and hosts in email addresses and URIs, compare without case; everything else with case', () => {
  const dns = { dns: ['WEB.Example.com'], subject: 'web.EXAMPLE.com' };
  expect(refusals({ allowed_dns_sans: ['web.eXample.com'], allowed_common_names: ['*.Example.com'] }, dns)).toEqual([]);
  expect(refusals({ allowed_dns_sans: ['*.Example.COM'] }, dns, { strict_dns_patterns: true })).toEqual([]);
  expect(refusals({ allowed_names: ['W*.example.com'] }, dns)).toEqual([]);
  expect(refusals({ allowed_names: ['a@EXAMPLE.com'] }, { emails: ['a@example.COM'] })).toEqual([]);
  expect(refusals({ allowed_email_sans: ['A@example.com'] }, { emails: ['a@example.com'] })).toEqual([
    'allowed_email_sans',
  ]);
  expect(refusals({ allowed_uri_sans: ['spiffe://Example.org/a'] }, { uris: ['SPIFFE://example.org/a'] })).toEqual([]);
  expect(refusals({ allowed_uri_sans: ['spiffe://example.org/A'] }, { uris: ['spiffe://example.org/a'] })).toEqual([
    'allowed_uri_sans',
  ]);
  expect(refusals({ allowed_common_names: ['Device'] }, { subject: 'device' }, LAX)).toEqual(['allowed_common_names']);
  expect(refusals({ allowed_common_names: ['A.example'] }, { subject: 'a.EXAMPLE' }, LAX)).toEqual([]);
  expect(refusals({ allowed_organizational_units: ['Ops'] }, { subject: [['OU', 'ops']] })).toEqual([
    'allowed_organizational_units',
  ]);
});

it('the texts of a verdict are cut to fit into a log entry', () => {
  const patterns = Array.from({ length: 1000 }, (_, i) => `host-${i}.example.org`);
  const dns = patterns.map((name) => name.replace('.org', '.com'));
  const settings = { ...INITIAL_SETTINGS, allowed_dns_sans: patterns, allowed_common_names: patterns };
  const constraints = runAtOnce(compileConstraints(settings, INITIAL_CONFIG));
  const verdicts = runAtOnce(checkConstraints(constraints, { leaf: read({ dns }), address: '' }));
  expect(verdicts.map(({ check }) => check)).toEqual([
    'dns_sans',
    'common_name',
    'allowed_common_names',
    'allowed_dns_sans',
  ]);
  for (const { expected, actual } of verdicts) expect(expected.length + actual.length).toBeLessThan(700);
  expect(verdicts.at(-1)?.actual).toMatch(/^host-0\.example\.com, host-1\.example\.com, .*…$/);
});

it('every check has a hint', () => {
  const settings = {
    ...INITIAL_SETTINGS,
    allowed_names: ['x'],
    allowed_common_names: ['x'],
    allowed_dns_sans: ['x'],
    allowed_email_sans: ['x'],
    allowed_uri_sans: ['x'],
    allowed_organizational_units: ['x'],
    allowed_organizations: ['x'],
    allowed_other_sans: ['UPN:x'],
    allowed_ip_sans: ['10.0.0.1'],
    allowed_subject_attributes: ['UID=x'],
    group_sources: ['subject:OU'],
    required_extensions: ['1.2.3:x'],
    token_bound_cidrs: ['10.0.0.0/8'],
  };
  const constraints = runAtOnce(compileConstraints(settings, INITIAL_CONFIG));
  expect(constraints.map(({ check }) => hintFor(check) ?? check)).toEqual(
    constraints.map(() => expect.stringMatching(/^[A-Z].* .*\.$/)),
  );
  expect(constraints).toHaveLength(15);
  for (const check of ['common_name', 'dns_sans']) expect(hintFor(check)).toContain('strict_dns_names');
});

it.each(['allowed_names', 'allowed_dns_sans', 'required_extensions'] as const)('%s are compiled in slices', (field) => {
  const settings = { ...INITIAL_SETTINGS, [field]: Array.from({ length: 1000 }, (_, i) => `1.2.3:a*${i}*b`) };
  expect([...compileConstraints(settings, INITIAL_CONFIG)].length).toBeGreaterThanOrEqual(50);
});
