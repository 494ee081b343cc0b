import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { buildImage, type Image, makeRootfs, ownedBy, run, within } from '../support/image.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-agent-image-'));
const data = join(folder, 'data');
let image: Image;

const inImage = (...command: string[]) => run(within(image, { '/data': data }, command));

beforeAll(async () => {
  await makeRootfs(folder, dirname(inject('program') ?? ''), 'agent');
  image = await buildImage(folder, 'agent.Containerfile');
  const repository = join(data, 'module');
  execFileSync('git', ['init', '--quiet', repository], { stdio: 'ignore' });
  writeFileSync(join(repository, 'main.tf'), 'output "x" { value = 1 }\n');
  const author = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', ['-C', repository, 'add', '.']);
  execFileSync('git', ['-C', repository, ...author, 'commit', '--quiet', '--message', 'first']);
  await ownedBy(image.config.User, data);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the image of an agent', () => {
  test('fetches modules with git, as its own user', async () => {
    const { output } = await inImage(
      '/bin/sh',
      '-c',
      'id -u; cd /data && git clone --quiet module copy && cat copy/main.tf',
    );
    expect(output).toBe('1000\noutput "x" { value = 1 }\n');
  });

  test.each([
    ['ssh', '-V', /^OpenSSH_/],
    ['bwrap', '--version', /^bubblewrap /],
    ['lockkeeper', '--version', /^\d+\.\d+\.\d+$/m],
  ])('has %s', async (program, flag, says) => {
    expect(await inImage(`/usr/bin/${program}`, flag)).toEqual({ code: 0, output: expect.stringMatching(says) });
  });

  test('starts the agent, which reports missing settings', async () => {
    const [entry = ''] = image.config.Entrypoint;
    expect(image.config.Cmd).toEqual(['agent', '--config', '/etc/lockkeeper/agent.yaml', '--folder', '/data']);
    expect(await inImage(entry, ...image.config.Cmd)).toEqual({
      code: 2,
      output: expect.stringContaining('cannot read /etc/lockkeeper/agent.yaml'),
    });
  });

  test('has no setuid programs and no package manager', () => {
    const names = readdirSync(image.root, { recursive: true, encoding: 'utf8' });
    const mode = (name: string) => statSync(join(image.root, name), { throwIfNoEntry: false })?.mode ?? 0;
    expect(names.filter((name) => (mode(name) & 0o6000) !== 0)).toEqual([]);
    expect(names.filter((name) => /bin\/(dpkg|apt|apt-get|npm|su|sudo)$/.test(name))).toEqual([]);
  });
});
