import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateText } from '../../api/workspaces/support/states.ts';
import { commandsOfGuide, runLine } from '../../migration/support/guide-commands.ts';
import { Command } from '../../support/command.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { S3Server } from './server.ts';

const BUCKET = 'atlantis';

describe('a move from states in a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-s3-'));
  let store: S3Server;
  let server: TestServer;
  beforeAll(async () => {
    [store, server] = [await S3Server.start(), await startTestServer('sqlite')];
    await store.makeBucket(BUCKET);
    const { endpoint, region, credentials } = store.settings(BUCKET);
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    for (const [Key, serial] of [
      ['live/prod/web/terraform.tfstate', 3],
      ['live/dev/web/terraform.tfstate', 5],
      ['live/readme', 1],
    ] as const)
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: stateText(serial) }));
    client.destroy();
    writeFileSync(join(folder, 'ca.pem'), server.ca);
    const organization = { data: { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } } };
    expect((await server.user('POST', '/api/v2/organizations', organization)).status).toBe(201);
  });
  afterAll(async () => {
    await Promise.all([store.stop(), server.stop()]);
    rmSync(folder, { recursive: true });
  });

  const run = (pattern: string, ...args: string[]) => {
    const { endpoint, credentials } = store.settings(BUCKET);
    return new Command(['import', 'states', '--from', `s3://${BUCKET}/live`, '--pattern', pattern, ...args], {
      LOCKKEEPER_ADDR: server.address,
      LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
      LOCKKEEPER_TOKEN: server.userToken,
      LOCKKEEPER_ORGANIZATION: 'acme',
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }).ended();
  };

  it('makes a workspace of each state that matches', async () => {
    const pattern = '{env}/{component}/terraform.tfstate';
    const plan = await run(pattern);
    expect([plan.code, plan.stderr]).toEqual([0, '']);
    expect(plan.stdout).toContain(
      '+ workspace dev-web\n+ workspace prod-web\n+ state of workspace dev-web: 1 version\n',
    );
    const applied = await run(pattern, '--apply');
    expect(applied.stdout).toMatch(/\nDone: 2 created, 0 changed, 2 state versions copied, 0 the same\.\n$/);
    expect((await run(pattern, '--apply')).stdout).toMatch(/\nNothing to do: 2 the same\.\n$/);
  });

  it('follows its guide', async () => {
    const { endpoint, credentials } = store.settings(BUCKET);
    await store.makeBucket('acme-states');
    const client = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
    const place = { Bucket: 'acme-states', Key: 'live/stage/db/terraform.tfstate' };
    await client.send(new PutObjectCommand({ ...place, Body: stateText(1) }));
    client.destroy();
    const commands = commandsOfGuide('move-from-atlantis.md');
    expect(commands).toHaveLength(2);
    for (const line of commands) {
      const { code, stdout, stderr } = await runLine(line, folder, {
        LOCKKEEPER_ADDR: server.address,
        LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
        LOCKKEEPER_TOKEN: server.userToken,
        LOCKKEEPER_ORGANIZATION: 'acme',
        AWS_ENDPOINT_URL_S3: endpoint,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      });
      expect(code, `${line}: ${stderr}`).toBe(0);
      expect(stdout).toContain('+ workspace stage-db\n+ state of workspace stage-db: 1 version\n');
    }
    const { body } = await server.user('GET', '/api/v2/organizations/acme/workspaces/stage-db');
    expect(body.data.attributes['execution-mode']).toBe('local');
  });

  it('names a file that is there if the pattern matches none', async () => {
    const { code, stderr } = await run('{name}.tfstate');
    expect([code, stderr]).toEqual([4, expect.stringContaining('for example, dev/web/terraform.tfstate')]);
  });
});
