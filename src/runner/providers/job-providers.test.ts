import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningAgent, startAgent, until } from '../../../test/support/runner/agent-trial.ts';
import { scripted } from '../../../test/support/runner/engine.ts';
import { type JobRecord, JobServer } from '../../../test/support/runner/job-server.ts';
import { hashOf, lockFile, PRETENDED, placeOf } from '../../../test/support/runner/pretended-providers.ts';
import { isolations } from '../../../test/support/runner/run.ts';
import type { Isolation } from '../index.ts';

const GOOD = hashOf('thing', 'good');
const EVIL = hashOf('thing', 'evil');
const HONEST = { provider: 'thing', 'main.tf': '', ...lockFile('thing', GOOD) };
const bubblewrap = isolations.find(({ name }) => name === 'bubblewrap');
const EACH = isolations.map((isolation) => ({ name: isolation.name, isolation }));
const MIB = 1_048_576;

let server: JobServer;
let cache: string;
const started: RunningAgent[] = [];
beforeEach(async () => {
  server = await JobServer.start();
  // A sandbox has its own /tmp.
  cache = mkdtempSync('/var/tmp/cache-');
});
afterEach(async () => {
  for (const { agent, ended } of started.splice(0)) {
    agent.kill();
    await ended;
  }
  await server.goAway();
  rmSync(cache, { recursive: true });
});

function start(isolation: Isolation, size = 100 * MIB): void {
  const { engines } = scripted(PRETENDED);
  const options = {
    isolation,
    slots: 2,
    engines: { ...engines, always: null },
    providerCache: { folder: cache, size },
  };
  started.push(startAgent(server, options));
}

type Files = Readonly<Record<string, string>>;
const queue = (files: Files): JobRecord =>
  server.queue({ files, attributes: { engine: { kind: 'terraform', version: null } } });
const finished = (job: JobRecord): Promise<void> => until(() => job.finished !== null, `the end of ${job.id}`);

/** Runs a job. @returns its log */
async function run(files: Files): Promise<string> {
  const job = queue(files);
  await finished(job);
  return job.log.toString();
}

/** A run whose configuration executes this during `init`. Its lock file names the hostile provider. */
const hostile = (script: string, lock: Files = lockFile('thing', EVIL)): Promise<string> =>
  run({ provider: 'thing', 'main.tf': '', ...lock, 'init.sh': script });
const kept = (): string[] =>
  readdirSync(join(cache, 'packages'))
    .map((name) => name.split('-')[0] ?? '')
    .sort();
const hex = (hash: string): string => Buffer.from(hash.slice(3), 'base64').toString('hex');

describe.each(EACH)('the provider cache of an agent, isolation $name', ({ isolation }) => {
  beforeEach(() => start(isolation));

  test('serves a run whose lock file has the hash of a package that another run downloaded', async () => {
    expect(await run(HONEST)).toMatch(/thing: fetched\nthing: good\n/);
    expect(kept()).toEqual([hex(GOOD)]);
    expect(await run(HONEST)).toMatch(/thing: from the cache\nthing: good\n/);
    const other = lockFile('thing', hashOf('thing', 'good', Buffer.from('other')), GOOD);
    expect(await run({ ...HONEST, ...other })).toMatch(/thing: from the cache\nthing: good\n/);
  });

  test('serves no run without a lock file, but stores the packages of a new lock file', async () => {
    const lock = JSON.stringify(lockFile('thing', GOOD)['.terraform.lock.hcl']);
    const unlocked = { provider: 'thing', 'main.tf': '', 'init.sh': `printf ${lock} >.terraform.lock.hcl` };
    expect(await run(unlocked)).toContain('thing: fetched');
    expect(await run(unlocked)).toContain('thing: fetched');
    expect(kept()).toEqual([hex(GOOD)]);
  });

  test('does not give other runs a package that a run replaced', async () => {
    await hostile('fetch evil "$package"');
    expect(kept()).toEqual([hex(EVIL)]);
    expect(await run(HONEST)).toMatch(/thing: fetched\nthing: good\n/);
    await hostile('fetch evil "$package"', lockFile('thing', GOOD));
    expect(await run(HONEST)).toMatch(/thing: from the cache\nthing: good\n/);
    expect(kept()).toEqual([hex(EVIL), hex(GOOD)].sort());
  });

  test('rejects a program for another platform, even if the lock file of another workspace has its hash', async () => {
    const foreign = hashOf('thing', 'good', Buffer.from('\xca\xfe\xba\xbe', 'latin1'));
    const script = 'printf "\\312\\376\\272\\276good" >"$program"';
    expect(await hostile(script, lockFile('thing', foreign))).toContain('is not a program for this machine');
    expect(kept()).toEqual([]);
    expect(await run({ ...HONEST, ...lockFile('thing', foreign, GOOD) })).toMatch(/thing: fetched\nthing: good\n/);
  });

  test.each([
    ['a link to a file', 'ln -sf /etc/hostname "$package/beside"'],
    ['a link to a folder', 'rm -r "$package"; ln -s /usr/bin "$package"'],
    [
      'a link in the path',
      'mv "$TF_PLUGIN_CACHE_DIR/registry.invalid" ~; ln -s ~/registry.invalid "$TF_PLUGIN_CACHE_DIR/"',
    ],
    ['a named pipe', 'mkfifo "$package/beside"'],
    ['a named pipe for a lock file', 'rm .terraform.lock.hcl; mkfifo .terraform.lock.hcl'],
    ['a link for a lock file', 'mv .terraform.lock.hcl ~; ln -s ~/.terraform.lock.hcl .'],
    [
      'a lock file without an end',
      `yes 'provider "registry.invalid/acme/thing" {' | head -c 1000000 >.terraform.lock.hcl`,
    ],
    ['a file name with a line break', 'touch "$package/$(printf "a\\nb")"'],
    ['more files than packages have', 'for n in $(seq 200); do : >"$package/$n"; done'],
  ])('stores nothing from %s', async (_, script) => {
    await hostile(script, lockFile('thing', GOOD));
    expect(kept()).toEqual([]);
  });

  test('keeps programs executable, whatever a run did to their mode', async () => {
    await hostile('chmod -x "$program"; chmod u+s "$program"', lockFile('thing', GOOD));
    expect(await run(HONEST)).toMatch(/thing: from the cache\nthing: good\n/);
  });

  test('does not make runs wait for the init of another run', async () => {
    const slow = queue({ ...HONEST, 'init.sh': 'echo sleeps; trap "exit 1" INT; sleep 600 & wait' });
    await until(() => slow.log.includes('sleeps'));
    expect(await run(HONEST)).toMatch(/thing: fetched\nthing: good\n/);
    expect(slow.finished).toBe(null);
    slow.cancel = 'interrupt';
    await finished(slow);
  });

  test('is shared by several agents', async () => {
    await run(HONEST);
    start(isolation);
    const logs = await Promise.all([1, 2, 3, 4].map(() => run(HONEST)));
    for (const log of logs) expect(log).toMatch(/thing: from the cache\nthing: good\n/);
    expect(started.every(({ lines }) => !lines.some((line) => line.includes('failed')))).toBe(true);
  });
});

describe.skipIf(bubblewrap === undefined)('in the sandbox (needs bwrap)', () => {
  beforeEach(() => bubblewrap && start(bubblewrap));

  test('no step of a run can change its packages, or see those of others', async () => {
    await run(HONEST);
    await run({ ...HONEST, provider: 'other', ...lockFile('other', hashOf('other', 'good')) });
    const tries = `
cd "$(readlink -f "$package")" || exit
for what in 'printf evil >>"$program"' 'chmod u+w "$program"' 'rm -f "$program"' 'touch beside' 'touch ../beside' 'rm -r "$PWD"' 'ls ../../cache.lock' 'ln -sf /etc/passwd ../../cache.lock'; do
  eval "$what" 2>/dev/null && echo "possible: $what"
done
echo seen: $(ls ..) in $(ls ../..)
cd - >/dev/null`;
    for (const step of ['init.sh', 'plan.sh']) {
      const log = await run({ ...HONEST, [step]: tries });
      expect(log).toMatch(new RegExp(`seen: ${hex(GOOD)}-\\d+ in packages\n`));
      expect(log).not.toContain('possible');
      expect(log).toContain('thing: good');
    }
    expect(await run(HONEST)).toMatch(/thing: from the cache\nthing: good\n/);
    expect(readdirSync(cache).sort()).toEqual(['cache.lock', 'moving', 'packages']);
  });
});

describe('without a sandbox', () => {
  beforeEach(() => start(isolations[0] as Isolation));

  test('a package that a run changed in the cache is given to no other run, and downloaded again', async () => {
    await run(HONEST);
    await hostile(`cd '${cache}/packages'/*; chmod u+w *; printf evil >>terraform-provider-thing; cd - >/dev/null`);
    expect(await run(HONEST)).toMatch(/thing: fetched\nthing: good\n/);
    expect(await run(HONEST)).toMatch(/thing: from the cache\nthing: good\n/);
  });
});

describe('a cache that is full', () => {
  const locked = (type: string): Files => ({ provider: type, 'main.tf': '', ...lockFile(type, hashOf(type, 'good')) });
  const bytes = readFileSync('/bin/true').length + 4;

  test('evicts the least recently used packages, and none that may be in use', async () => {
    start(isolations[0] as Isolation, 4.5 * bytes);
    await run(locked('used'));
    await run(locked('used'));
    for (const type of ['a', 'b', 'c', 'd', 'e']) await run(locked(type));
    expect(kept()).toEqual(['used', 'c', 'd', 'e'].map((type) => hex(hashOf(type, 'good'))).sort());
    expect(await run(locked('used'))).toContain('used: from the cache');
    expect(await run(locked('a'))).toContain('a: fetched');
    expect(readdirSync(join(cache, 'moving'))).toEqual([]);
  });

  test('stores nothing if all packages may be in use, and at most a quarter from one run', async () => {
    start(isolations[0] as Isolation, 4.5 * bytes);
    for (const type of ['a', 'b', 'c', 'd']) for (const _ of [1, 2]) await run(locked(type));
    expect(await run(locked('e'))).toContain('the cache is full of packages that are in use');
    expect(await run({ ...locked('f'), 'init.sh': 'cp "$program" "$package/beside"' })).toContain(
      'the run has used its share of the cache',
    );
    expect(kept()).toHaveLength(4);
  });

  test('an unusable cache: runs download their providers, and their log says so', async () => {
    start(isolations[0] as Isolation);
    mkdirSync(join(cache, 'cache.lock'));
    expect(await run(HONEST)).toMatch(/Cannot use providers from the cache of the agent: [^\n]+\nthing: fetched\n/);
    expect(kept()).toEqual([]);
  });
});

test('an incomplete package of a killed agent is ignored', async () => {
  mkdirSync(join(cache, 'packages', '.swp'), { recursive: true });
  mkdirSync(join(cache, 'moving', 'half'), { recursive: true });
  writeFileSync(join(cache, 'moving', 'half', 'terraform-provider-thing'), 'half');
  start(isolations[0] as Isolation);
  expect(await run(HONEST)).toMatch(/thing: fetched\nthing: good\n/);
  expect(await run(HONEST)).toMatch(/thing: from the cache\nthing: good\n/);
  expect(placeOf('thing')).toContain('thing');
});
