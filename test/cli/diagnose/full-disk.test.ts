import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../support/command.ts';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { fill, serveOnSmallDisks, smallDisks } from '../../support/small-disk.ts';

const MIB = 1_048_576;

describe.skipIf(smallDisks === undefined)('lockkeeper diagnose, beside a server whose disk is full', () => {
  const site = new Diagnosable('{ type: sqlite, directory: data, blob_directory: blobs }');
  const data = { directory: site.at('data'), bytes: 16 * MIB };
  const blobs = { directory: site.at('blobs'), bytes: 4 * MIB };
  const audit = { directory: site.at('audit'), bytes: 2 * MIB };
  let address: string;
  let server: Command;

  beforeAll(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    site.configure(
      'audit: { sinks: [{ type: file, path: audit/audit.log }, { type: file, path: audit.log }] }',
      `{ address: "127.0.0.1:${port}", services: [access, workspaces], plain_http: true }`,
    );
    server = serveOnSmallDisks(site.folder, site.config, [data, blobs, audit]);
    await server.firstLine();
  });
  afterAll(async () => {
    server.signal('SIGKILL');
    await server.ended();
    await site.remove();
  });

  it('reports the full disk and a remedy, as the server does', async () => {
    // In the mount namespace of the server, which sees the small disks.
    const user = smallDisks?.includes('--user') ? ['--user', '--preserve-credentials'] : [];
    const within = ['nsenter', '--target', `${server.process.pid}`, '--mount', ...user];
    const before = await site.diagnose([], within);
    expect([before.bad(), before.code]).toEqual([[], 0]);

    for (const disk of [data, blobs, audit]) fill(server, disk);
    // The server caches the result of its disk check for one second.
    await expect.poll(async () => (await fetch(`${address}/healthz/ready`)).status).toBe(503);
    const { code, bad, found } = await site.diagnose([], within);
    expect(code).toBe(1);
    expect(bad()).toEqual([
      'failure database / space',
      'failure database / sync',
      'failure states / round trip',
      'failure states / space',
      `failure listeners / answering / ${address}`,
      'failure audit / sinks / audit.sinks[0]',
      'failure audit / space / audit.sinks[0]',
    ]);
    expect(found('database', 'sync')).toMatch(/^failure: nothing can be written: ENOSPC/);
    expect(found('states', 'round trip')).toMatch(/^failure: ENOSPC/);
    expect(found('database', 'space')).toMatch(/^failure: 0 bytes of 16 MiB free/);
    expect(found('listeners', 'answering', address)).toMatch(
      /^failure: not ready: .*database-access \(ENOSPC\).*blobs \(ENOSPC\)/,
    );

    // The server caches these results for ten seconds, and the first `diagnose` has requested them.
    await expect.poll(() => failuresAt(address)).toEqual(['database', 'states', 'audit']);
    expect((await fetch(`${address}/healthz/ready?verbose`)).status).toBe(503);
  });
});

async function failuresAt(address: string): Promise<string[]> {
  const answer = await fetch(`${address}/healthz/ready?verbose`);
  const { diagnosis } = (await answer.json()) as { diagnosis: { name: string; status: string }[] };
  return diagnosis.filter(({ status }) => status === 'failure').map(({ name }) => name);
}
