import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { hasEngine } from '../support/runner/run.ts';

it('prints four lines that work when pasted', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-dev-')), "it's a demo");
  const command = new Command(['dev', '--listen', '127.0.0.1:0', '--data', folder]);
  await command.firstLine();
  await expect.poll(() => command.stdout).toContain('kill ');
  const [login, list, lock, stop] = command.stdout.split('\n').filter((line) => /^(TOKEN=|curl |kill )/.test(line));
  const script = `${login}\necho\n${list}\necho\n${lock}`;
  const [token, listed = '', locked = ''] = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    .trim()
    .split(/\n+/);
  expect(token).toMatch(/^lks\./);
  expect(JSON.parse(listed).meta.pagination['total-count']).toBe(hasEngine ? 14 : 12);
  expect(JSON.parse(locked).data.attributes.locked).toBe(true);
  execFileSync('sh', ['-c', stop ?? '']);
  expect(await command.ended()).toMatchObject({ code: 0, stderr: '' });
  rmSync(folder, { recursive: true });
});
