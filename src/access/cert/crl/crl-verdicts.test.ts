import { describe, expect, it } from 'vitest';
import { type Authority, type CrlOptions, createRoot, type Minted, OID } from '../../../pki/index.ts';
import { RevocationList, readList } from '../../../revocation/crl/index.ts';
import { AnchorSet, Certificate } from '../../../x509/index.ts';
import type { CrlSettings } from './crl.ts';
import { crlVerdicts } from './crl-verdicts.ts';
import { type LoadedCrl, signatureOf } from './loaded-crl.ts';

const HOUR = 3_600_000;
const NOW = Date.now();

const root = createRoot({ subject: 'Root' });
const intermediate = root.issueAuthority({ subject: 'Intermediate' });
const leaf = intermediate.issue({ subject: 'leaf' });
const parsed = ({ der }: Pick<Minted, 'der'>): Certificate => Certificate.parse(der);
const path = [leaf, intermediate, root].map(parsed);

interface Given {
  readonly by: Authority;
  readonly crl?: CrlOptions;
  readonly settings?: Partial<CrlSettings>;
  /** CA certificates that roles trust. */
  readonly known?: readonly Authority[];
}

async function load({ by, crl = {}, settings = {}, known = [root] }: Given): Promise<LoadedCrl> {
  const { der } = by.crl(crl);
  async function* content(): AsyncGenerator<Uint8Array> {
    yield der;
  }
  const list = new RevocationList(await readList(content()), content, { allowSha1: false });
  const signature = await signatureOf(list, AnchorSet.fromCertificates(known.map(parsed)));
  const complete: CrlSettings = { on_stale: 'use', on_unknown_issuer: 'match_serial', ...settings };
  return { name: 'list', version: 1, settings: complete, contentId: '1', list, signature };
}

/** Returns the refusal of a path with the position of the certificate, `passed`, or nothing if no CRL applies. */
async function findings(given: Given, certificates = path): Promise<unknown[]> {
  const crls = new Map([['list', await load(given)]]);
  const verdicts = await crlVerdicts({ version: 0, crls }, certificates, NOW);
  return verdicts.map(({ outcome, certificate, actual }) =>
    outcome === 'passed' ? outcome : [certificate?.index, actual],
  );
}

const revoked = (index: number) => [[index, expect.stringMatching(/^revoked on /)]];

describe('the verdict of a CRL on a path', () => {
  it('applies to certificates of its issuer', async () => {
    expect(await findings({ by: root, crl: { revoked: [intermediate.serial] } })).toEqual(revoked(1));
    expect(await findings({ by: intermediate, crl: { revoked: [leaf.serial] } })).toEqual(revoked(0));
    expect(await findings({ by: root, crl: { revoked: [1n] } })).toEqual(['passed']);
  });

  it('does not apply to other certificates with the same serial number', async () => {
    expect(await findings({ by: root, crl: { revoked: [leaf.serial] } })).toEqual(['passed']);
    const other = createRoot({ subject: 'Other' });
    expect(await findings({ by: other, crl: { revoked: [leaf.serial] }, known: [root, other] })).toEqual([]);
  });

  it('applies to any certificate while its issuer is unknown, unless on_unknown_issuer is ignore', async () => {
    const given = { by: createRoot({ subject: 'Other' }), crl: { revoked: [leaf.serial] } };
    expect(await findings(given)).toEqual(revoked(0));
    expect(await findings({ ...given, settings: { on_unknown_issuer: 'ignore' } })).toEqual([]);
    expect(
      await findings({ by: intermediate, crl: { revoked: [leaf.serial] }, settings: { on_unknown_issuer: 'ignore' } }),
    ).toEqual(revoked(0));
  });

  it("applies to the anchor, by the name of the anchor's issuer", async () => {
    expect(await findings({ by: root, crl: { revoked: [root.serial] } })).toEqual(revoked(2));
    const alone = [parsed(leaf)];
    expect(await findings({ by: intermediate, crl: { revoked: [leaf.serial] } }, alone)).toEqual(revoked(0));
    expect(await findings({ by: root, crl: { revoked: [leaf.serial] } }, alone)).toEqual([]);
  });

  it('does not apply if another key of the same name signed the CRL', async () => {
    const given = { by: createRoot({ subject: 'Root' }), crl: { revoked: [intermediate.serial] } };
    expect(await findings({ ...given, settings: { on_unknown_issuer: 'ignore' } })).toEqual([]);
    expect(await findings(given)).toEqual(revoked(1));
  });

  it('does not apply if another CA of the same name signed the CRL, and is a refusal if no known CA did', async () => {
    const names = { subject: 'Renewed', without: [OID.subjectKeyIdentifier] };
    const [before, after] = [createRoot(names), createRoot(names)];
    const current = [after.issue({ subject: 'x', without: [OID.authorityKeyIdentifier] }), after].map(parsed);
    const given = { by: before, crl: { revoked: [1n] }, known: [before, after] };
    expect(await findings(given, current)).toEqual([]);
    expect(await findings({ ...given, known: [after] }, current)).toEqual([
      [0, 'the CRL cannot be used: the signature was not made by the key of its issuer'],
    ]);
  });

  it('is a refusal for an overdue or early CRL if on_stale is refuse', async () => {
    const settings = { on_stale: 'refuse' } as const;
    for (const crl of [
      { thisUpdate: new Date(NOW - 2 * HOUR), nextUpdate: new Date(NOW - HOUR) },
      { thisUpdate: new Date(NOW + HOUR), nextUpdate: new Date(NOW + 2 * HOUR) },
    ]) {
      expect(await findings({ by: root, crl })).toEqual(['passed']);
      expect(await findings({ by: root, crl, settings })).toEqual([[1, 'the CRL is out of date']]);
      const other = createRoot({ subject: 'Other' });
      expect(await findings({ by: other, crl, settings, known: [root, other] })).toEqual([]);
    }
  });
});
