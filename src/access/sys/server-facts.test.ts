import { expect, it } from 'vitest';
import { createKeyringOf } from '../../storage/sealing.ts';
import { serverFacts } from './server-facts.ts';

const keyring = (byte: number) =>
  createKeyringOf({ encryption: new Map([[1, new Uint8Array(32)]]), hash: new Uint8Array(32).fill(byte) });

/** Pattern from semver.org ("suggested regular expression"), without pre-releases. */
const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

it("the version is a semantic version with the API's and the server's version", () => {
  const { version } = serverFacts('0.1.0', keyring(1), 'sqlite');
  expect(version).toBe('1.16.0+lockkeeper.0.1.0');
  expect(version).toMatch(SEMVER);
  // The Terraform provider takes a version with `ent` for one with enterprise features.
  expect(version).not.toContain('ent');
});

it('a server has one UUID, derived from its keyring', () => {
  const idOf = (version: string, byte: number, storage: string) =>
    serverFacts(version, keyring(byte), storage).cluster.cluster_id;
  const clusterId = idOf('0.1.0', 1, 'sqlite');
  expect(clusterId).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(idOf('0.2.0', 1, 'postgres')).toBe(clusterId);
  expect(idOf('0.1.0', 2, 'sqlite')).not.toBe(clusterId);
  expect(clusterId.replaceAll('-', '')).not.toContain(keyring(1).fingerprint.slice(0, 8));
});
