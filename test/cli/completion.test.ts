import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';

const script = async (shell: string): Promise<string> => {
  const { code, stdout } = await new Command(['completion', shell]).ended();
  expect(code).toBe(0);
  return stdout;
};

describe('lockkeeper completion', () => {
  it('completes commands, options and values in bash', async () => {
    const source = await script('bash');
    const complete = (...words: string[]): string[] => {
      const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
      const program = `${source}\n${line}\n_lockkeeper\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).split('\n').filter(Boolean);
    };
    expect(complete('lockkeeper', '')).toEqual(expect.arrayContaining(['serve', 'login', 'workspace', 'completion']));
    expect(complete('lockkeeper', 'wo')).toEqual(['workspace']);
    expect(complete('lockkeeper', 'workspace', 'l')).toEqual(['list', 'lock']);
    expect(complete('lockkeeper', 'workspace', 'unlock', 'sandbox', '--fo')).toEqual(['--force', '--format']);
    expect(complete('lockkeeper', 'read', '--format', '')).toEqual(['table', 'json', 'yaml']);
    expect(complete('lockkeeper', 'read', 'list', '--se')).toEqual([]);
  });

  it('has every command for zsh and fish', async () => {
    const zsh = await script('zsh');
    expect(zsh).toContain('#compdef lockkeeper');
    expect(zsh).toContain("'lock:Lock a workspace");
    const fish = await script('fish');
    expect(fish).toContain("complete -c lockkeeper -n '__lockkeeper_at \\'workspace\\'' -f -a 'lock' -d");
    expect(fish).toContain("-l format -x -a 'table json yaml'");
  });

  it('refuses other shells', async () => {
    expect((await new Command(['completion', 'sh']).ended()).code).toBe(2);
  });
});
