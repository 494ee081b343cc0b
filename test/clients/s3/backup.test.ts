import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locate } from '../../../src/backup/index.ts';
import { expectAll, fill, storeState } from '../../operations/backup/kept.ts';
import { BackupInstallation } from '../../operations/support/backup-installation.ts';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { S3Server } from './server.ts';

const STATES = 'states';
const BACKUPS = 'backups';

describe('a server with states and backups in buckets', () => {
  let store: S3Server;
  let installation: BackupInstallation;
  let node: RunningServer;
  let workspace: string;
  const keys = async () => (await store.objects(BACKUPS)).filter((key) => key.startsWith('acme/lockkeeper-'));

  beforeAll(async () => {
    store = await S3Server.start();
    for (const bucket of [STATES, BACKUPS]) await store.makeBucket(bucket);
    const { region, endpoint, credentials } = store.settings(STATES);
    const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = credentials;
    const access = { region, endpoint, force_path_style: true, access_key_id, secret_access_key };
    const blobs = JSON.stringify({ type: 's3', bucket: STATES, ...access });
    installation = new BackupInstallation('sqlite', {
      backup: `{ destination: s3://${BACKUPS}/acme/, keep: 1, schedule: 6h }`,
      storage: `{ type: sqlite, directory: data, blobs: ${blobs} }`,
    });
    await installation.init();
    node = await installation.serve();
    ({ workspace } = await fill(installation, node));
  });
  afterAll(async () => {
    await installation.remove();
    await store.stop();
  });

  it('is backed up by its schedule, and the backup in the bucket verifies', async () => {
    await expect.poll(keys, { timeout: 60_000 }).toHaveLength(1);
    await expect.poll(() => node.logged('backup created')).toHaveLength(1);
    const verified = await installation.run(['backup', 'verify']);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    const listed = await installation.run(['backup', 'list', `s3://${BACKUPS}/acme/`, '--format', 'json']);
    expect(JSON.parse(listed.stdout).backups).toMatchObject([{ opens: 'yes', backup: (await keys())[0]?.slice(5) }]);
    expect(await store.uploads(BACKUPS)).toEqual([]);
  });

  it('can be restored when the server and the bucket of its states are lost', async () => {
    await storeState(installation, node, workspace, 2);
    const made = await installation.run(['backup', 'create', `s3://${BACKUPS}/by-hand/today`]);
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(`^s3://${BACKUPS}/by-hand/today\n`)]);
    const again = await installation.run(['backup', 'create', `s3://${BACKUPS}/by-hand/today`]);
    expect(again.stderr).toContain(`s3://${BACKUPS}/by-hand/today already exists`);
    await node.end('SIGKILL');
    await installation.lose();
    await store.empty(STATES);
    const restored = await installation.run(['backup', 'restore', `s3://${BACKUPS}/by-hand/today`]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(restored.stdout).toContain(' 2 blobs (0 more were there already)');
    node = await installation.serve();
    await expectAll(installation, node, workspace, 2);
  });

  it('aborts incomplete backup uploads, and never those of others under the same prefix', async () => {
    const own = 'acme/lockkeeper-00000000-20200101T000000Z-0123456789abcdef.backup';
    for (const key of [own, 'acme/lockkeeper-manual.pdf']) await store.beginUpload(BACKUPS, key);
    const { place } = await locate(`s3://${BACKUPS}/acme/`, store.settings(BACKUPS));
    await place.sweep(Date.now() - 3_600_000);
    expect((await store.uploads(BACKUPS)).toSorted()).toEqual([own, 'acme/lockkeeper-manual.pdf']);
    await place.sweep(Date.now() + 3_600_000);
    expect(await store.uploads(BACKUPS)).toEqual(['acme/lockkeeper-manual.pdf']);
    place.close();
  });

  it('for a missing or forbidden bucket, the error has the reason and no credentials', async () => {
    const { code, stderr } = await installation.run(['backup', 'create', 's3://nobody-has-it/']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/s3:\/\/nobody-has-it\/lockkeeper-\S+ cannot be \w+ \(NoSuchBucket, status 404\)/);
    const none = await installation.run(['backup', 'restore', `s3://${BACKUPS}/none/at-all`]);
    expect(none.stderr).toContain(`there is no s3://${BACKUPS}/none/at-all`);
    const secret = store.settings(STATES).credentials.secretAccessKey;
    expect(stderr + none.stderr).not.toContain(secret);
  });
});
