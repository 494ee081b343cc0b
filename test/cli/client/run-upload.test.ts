import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { list } from 'tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpClient } from '../../../src/lib/http/http-client.ts';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';
import { Command } from '../../support/command.ts';

/** Runs the commands as processes, against a whole server. */
describe('lockkeeper run start --upload', { timeout: 90_000 }, () => {
  let cli: CliClient;
  beforeAll(async () => {
    cli = await startCliClient();
    await cli.ok('workspace', 'create', 'network');
  });
  afterAll(() => cli.stop());

  /** Creates a folder with these files. */
  function folderOf(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(cli.folder, 'configuration-'));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return folder;
  }

  it('uploads a folder without what its ignore file leaves out, and starts a run of it', async () => {
    const folder = folderOf({
      ...{ 'main.tf': 'locals {}', 'modules/a/main.tf': 'locals {}', '@notes.tf': '' },
      ...{ 'secret.tfvars': 'no', 'logs/kept.log': 'x', 'logs/other.log': 'no' },
      ...{ '.git/config': 'no', '.terraform/providers/p': 'no', '.terraform/modules/modules.json': '{}' },
      '.terraformignore': '*.tfvars\n*.log\n!kept.log\n',
    });
    symlinkSync('main.tf', join(folder, 'link.tf'));
    const started = new Command(['run', 'start', 'network', '--upload', folder, '--plan-only'], { ...cli.environment });
    started.process.stdin?.end();
    await expect.poll(() => started.stderr, { timeout: 30_000 }).toMatch(/^Run run-/m);
    await started.kill();
    expect(started.stderr).toMatch(/: \d+ files and folders, \d+ bytes packed$/m);
    const [, run = ''] = /^Run (run-\w+)$/m.exec(started.stderr) ?? [];
    const version = (await cli.server.user('GET', `/api/v2/runs/${run}`)).body.data.relationships[
      'configuration-version'
    ].data.id;
    const found = (await cli.server.user('GET', `/api/v2/configuration-versions/${version}`)).body.data;
    expect(found.attributes).toMatchObject({ status: 'uploaded', speculative: true });
    const names: string[] = [];
    const client = new HttpClient({ connections: 'process', tls: { ca: cli.server.ca } });
    const download = new URL(`/api/v2/configuration-versions/${version}/download`, cli.server.address);
    const headers = { authorization: `Bearer ${cli.server.userToken}` };
    const limits = { timeoutMs: 30_000, maxBytes: 1_000_000 };
    const archive = await client.send(download, { headers, limits, maxRedirects: 2 });
    expect(archive.status).toBe(200);
    const reading = list({
      onReadEntry: (entry) => void names.push(entry.path.replace(/^\.\//, '').replace(/\/$/, '')),
    });
    const bytes = await archive.bytes();
    await new Promise((resolve, reject) => {
      reading.on('end', resolve).on('error', reject);
      reading.end(bytes);
    });
    expect(names.toSorted()).toEqual([
      ...['.terraform/modules', '.terraform/modules/modules.json', '.terraformignore', '@notes.tf', 'link.tf', 'logs'],
      ...['logs/kept.log', 'main.tf', 'modules', 'modules/a', 'modules/a/main.tf'],
    ]);
  });

  it.each([
    ['a device', (path: string) => symlinkSync('/dev/zero', path), /\.terraformignore is not a file/],
    [
      'a set without an end',
      (path: string) => writeFileSync(path, 'secret[.tfvars'),
      /the pattern secret\[\.tfvars has/,
    ],
  ])('sends nothing if the ignore file is %s', async (_, write, reason) => {
    const folder = folderOf({ 'main.tf': 'locals {}' });
    write(join(folder, '.terraformignore'));
    const { code, stderr } = await cli.run(['run', 'start', 'network', '--upload', folder]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
  });

  it('refuses a folder that the server would refuse, before a run is started', async () => {
    const outside = folderOf({ 'main.tf': '' });
    symlinkSync('../../secret', join(outside, 'away'));
    const cases: [string, RegExp][] = [
      [outside, /cannot be uploaded: the link "away" points outside of it/],
      [join(cli.folder, 'nothing'), /cannot be uploaded: ENOENT/],
      [folderOf({ '.git/config': '' }), /has no files to upload/],
      [folderOf({ 'main.tf': '', '.terraformignore': '#'.repeat(1_048_577) }), /is larger than 1048576 bytes/],
    ];
    for (const [folder, text] of cases) {
      const { code, stderr } = await cli.run(['run', 'start', 'network', '--upload', folder]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(text)]);
    }
    const both = await cli.run(['run', 'start', 'network', '--upload', outside, '--vcs-ref', 'HEAD']);
    expect(both.code).toBe(2);
    const versions = await cli.server.user('GET', '/api/v2/organizations/acme/runs?filter[status]=pending');
    expect(versions.body.data).toHaveLength(0);
  });
});
