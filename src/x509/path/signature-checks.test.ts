import { expect, test } from 'vitest';
import { createRoot } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { SignatureChecks } from './signature-checks.ts';
import { WorkLimit } from './work-limit.ts';

test('a signature counts once against the limit, however often it is checked', () => {
  const root = createRoot();
  const issuer = Certificate.parse(root.der);
  const stranger = Certificate.parse(createRoot().der);
  const leaf = Certificate.parse(root.issue().der);
  const limit = new WorkLimit();
  const signatures = new SignatureChecks(limit);
  for (let i = 0; i < 100; i++) {
    expect(signatures.isIssuedBy(leaf, issuer)).toBe(true);
    expect(signatures.isIssuedBy(leaf, stranger)).toBe(false);
  }
  expect(limit.isExceeded).toBe(false);
});
