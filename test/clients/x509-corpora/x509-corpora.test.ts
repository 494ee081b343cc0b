import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Findings, isRead } from './differences/comparison.ts';
import { type Measured, measure } from './measure.ts';
import { pageOf, withoutNumbers } from './page.ts';

const PAGE = new URL('../../../docs/reference/x509-differences.md', import.meta.url);
/** Bundles of Mozilla, of ICP-Brasil, and CAs of TPM vendors. */
const BUNDLES = ['certifi', 'x509roots', 'icp-brasil', 'tpm'];

describe('certificates, CRLs and OCSP responses of public corpora, and mutations of ours', () => {
  let measured: Measured;
  beforeAll(async () => {
    measured = await measure();
  }, 180_000);

  it('are installed', () => {
    for (const corpus of Object.keys(measured.corpora)) {
      expect(
        measured.all.some(({ name }) => name.startsWith(`${corpus}/`)),
        corpus,
      ).toBe(true);
    }
    expect(measured.all.length).toBeGreaterThan(7000);
  });

  it('can all be parsed when they are CA bundles in use', () => {
    const bundled = measured.all.filter(({ name }) => BUNDLES.some((bundle) => name.startsWith(`${bundle}/`)));
    expect(bundled.filter(({ ours }) => !isRead(ours)).map(({ name, ours }) => ({ name, ours }))).toEqual([]);
    expect(bundled.length).toBeGreaterThan(200);
  });

  it('have a reason when Lockkeeper refuses them, and Go, OpenSSL or pyca/cryptography accepts them', () => {
    expectExplained(measured.refused);
  });

  it('have a reason when Lockkeeper accepts them, and another parser refuses them', () => {
    expectExplained(measured.accepted);
  });

  it('have the same values in all parsers, or a reason', () => {
    expectExplained(measured.values);
  });

  it('give the same path validation results in Go, OpenSSL and Lockkeeper, or have a reason', () => {
    expectExplained(measured.refusedPaths);
    expectExplained(measured.acceptedPaths);
    expect(measured.paths.filter(({ ours }) => isRead(ours)).length).toBeGreaterThan(300);
  });

  it('are counted by the page (node docs/generate-x509-differences.ts writes it)', () => {
    const page = readFileSync(PAGE, 'utf8');
    const sameReaders = page.includes(`Measured with ${measured.versions}.`);
    const compared = sameReaders ? (text: string) => text : withoutNumbers;
    expect(compared(page)).toBe(compared(pageOf(measured)));
  });
});

/** A class without inputs is out of date. */
function expectExplained({ unexplained, counts }: Findings<{ readonly what: string; readonly reason: string }>): void {
  expect(unexplained).toEqual([]);
  expect(counts.filter((one) => one.files + one.mutations === 0).map((one) => one.class.what)).toEqual([]);
}
