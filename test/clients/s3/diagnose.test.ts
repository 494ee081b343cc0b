import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { S3Server } from './server.ts';

it('lockkeeper diagnose stores, reads and removes something in a bucket, and compares the clocks', async () => {
  const store = await S3Server.start();
  await store.makeBucket('states');
  const storage = (bucket: string, secret?: string) => {
    const { region, endpoint, prefix, credentials } = store.settings(bucket, 'lockkeeper/');
    const { accessKeyId: access_key_id, secretAccessKey } = credentials;
    const keys = { access_key_id, secret_access_key: secret ?? secretAccessKey };
    const blobs = { type: 's3', bucket, region, endpoint, prefix, force_path_style: true, ...keys };
    return JSON.stringify({ type: 'sqlite', directory: 'data', blobs });
  };
  const site = new Diagnosable(storage('states'));
  chmodSync(site.config, 0o600);
  await site.init();
  const works = await site.diagnose();
  expect([works.bad(), works.code]).toEqual([[], 0]);
  expect(works.found('states', 'round trip')).toMatch(/^success: stored, read and removed in \d+ ms/);
  expect(works.found('states', 'clock')).toMatch(/^success: within 1 s of the clock of the store/);
  site.storage = storage('others');
  site.configure();
  const other = await site.diagnose();
  site.storage = storage('states', 'NobodyMayReadThat');
  site.configure();
  const refused = await site.diagnose();
  await store.stop();
  await site.remove();
  expect(other.found('states', 'round trip')).toMatch(/there is no such bucket/);
  expect(refused.found('states', 'round trip')).toMatch(/the secret access key does not belong to the access key/);
  expect(refused.stdout).not.toContain('NobodyMayReadThat');
});
