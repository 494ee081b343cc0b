import { describe, expect, test } from 'vitest';
import { pastedIn, whyNot } from './pem.ts';
import { summaryOf, verdictsOf } from './verdicts.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const verdict = (check: string, outcome: 'passed' | 'refused') => ({ check, outcome, expected: '', actual: '' });

describe('pasted text', () => {
  test('is sent if it contains certificates only', () => {
    expect(pastedIn(CERTIFICATE + CERTIFICATE)).toEqual({ certificates: 2, holdsKey: false });
    expect(whyNot(CERTIFICATE)).toBeUndefined();
    for (const text of ['', '  \n', 'hello']) expect(whyNot(text)).toBeTypeOf('string');
  });

  test.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'OPENSSH PRIVATE KEY'])(
    'is never sent if it contains a %s',
    (kind) => expect(whyNot(`${CERTIFICATE}-----BEGIN ${kind}-----\nMII\n`)).toContain('private key'),
  );
});

describe('the verdicts of a role', () => {
  const role = (paths: ReturnType<typeof verdict>[][], admitted = false) => ({
    role: 'deploy',
    admitted,
    paths: paths.map((verdicts) => ({ certificates: [], admitted, verdicts })),
    rejected: [verdict('trust-anchor', 'refused')],
    groups: [],
    warnings: [],
  });

  test('are those of the chain with the fewest refusals', () => {
    const [near, far] = [
      [verdict('validity', 'passed'), verdict('allowed_dns_sans', 'refused')],
      [verdict('validity', 'refused'), verdict('allowed_dns_sans', 'refused')],
    ];
    expect(verdictsOf(role([far, near])).refused.map(({ check }) => check)).toEqual(['allowed_dns_sans']);
    expect(summaryOf(role([far, near]))).toBe('1 of 2 checks failed: allowed_dns_sans');
    expect(summaryOf(role([]))).toBe('no chain reaches the CA');
    expect(verdictsOf(role([])).refused.map(({ check }) => check)).toEqual(['trust-anchor']);
    expect(summaryOf(role([[verdict('validity', 'passed')]], true))).toBe('1 checks passed');
  });
});
