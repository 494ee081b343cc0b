import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SOURCE = readFileSync(new URL('./home-folder.ts', import.meta.url), 'utf8');

/** Calls the function in a process of its own. */
function homeIn(env: NodeJS.ProcessEnv, uid?: number): string {
  const input = `${SOURCE}\nprocess.stdout.write(String(homeFolder()));`;
  const as = uid === undefined ? {} : { uid, cwd: '/' };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript'], { input, env, ...as });
  expect(String(stderr)).toBe('');
  return String(stdout);
}

describe('the home folder', () => {
  it('is that of the environment', () => {
    expect([homeIn({ HOME: '/home/ada' }), homeIn({ HOME: '' })]).toEqual(['/home/ada', 'undefined']);
  });

  it.runIf(process.getuid?.() === 0)('is missing for a user without an account', () => {
    expect(homeIn({}, 54_321)).toBe('undefined');
  });
});
