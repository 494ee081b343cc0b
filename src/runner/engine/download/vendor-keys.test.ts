import { expect, test } from 'vitest';
import { signingKeysOf } from '../../../openpgp/index.ts';
import { VENDOR_KEYS } from './vendor-keys.ts';

test("the vendors' keys have the right fingerprints and can sign", () => {
  const of = (kind: 'opentofu' | 'terraform') =>
    signingKeysOf(VENDOR_KEYS[kind]).map(({ fingerprint }) => fingerprint.toUpperCase());
  expect(of('opentofu')).toEqual(['E3E6E43D84CB852EADB0051D0C0AF313E5FD9F80']);
  expect(of('terraform')).toEqual([
    'C874011F0AB405110D02105534365D9472D7468F',
    'B36CBA91A2C0730C435FC280B0B441097685B676',
    '374EC75B485913604A831CC7C820C6D5CD27AB87',
  ]);
});
