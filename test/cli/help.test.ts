import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { GROUPS, HELP, helpOf } from '../../src/cli/help/groups.ts';
import { wholeProgram } from '../../src/cli/program.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Placed {
  readonly path: string;
  readonly command: Command;
}

function placed(command: Command, path: string): Placed[] {
  return [{ path, command }, ...command.commands.flatMap((one) => placed(one, `${path} ${one.name()}`.trim()))];
}

function helpTextOf({ command, path }: Placed): string {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  command.configureOutput({ writeOut: write, getOutHelpWidth: () => 100, getOutHasColors: () => false });
  command.outputHelp();
  return `===== lockkeeper ${path}`.trimEnd().concat(`\n${text}`);
}

/** Splits a command line like a shell does, up to the first pipe. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    (found) => found[1] ?? found[2] ?? found[3] ?? '',
  );
  const pipe = words.indexOf('|');
  return pipe < 0 ? words : words.slice(0, pipe);
}

describe('the help', () => {
  let all: readonly Placed[];
  // Loads all server code.
  beforeAll(async () => {
    all = placed(await wholeProgram(), '');
  }, 120_000);

  it('is the same as before (npx vitest run test/cli/help.test.ts --update accepts changes)', async () => {
    const texts = all.map(helpTextOf);
    await expect(texts.join('\n')).toMatchFileSnapshot('../golden/cli-help.txt');
  });

  it('has each command in one group, with an example and a guide that exists', async () => {
    const commands = all.filter(({ command, path }) => path !== '' && command.commands.length === 0);
    expect(commands.length).toBeGreaterThan(80);
    for (const { path } of commands) {
      const [top = ''] = path.split(' ');
      expect(
        GROUPS.filter(({ commands: names }) => names.includes(top)),
        `group of ${top}`,
      ).toHaveLength(1);
      const { examples, guide = '' } = helpOf(path);
      expect(examples.length, `examples of ${path}`).toBeGreaterThan(0);
      expect(existsSync(join(ROOT, 'docs', guide)), `guide of ${path}: ${guide}`).toBe(true);
    }
    const known = new Set(all.map(({ path }) => path));
    expect(Object.keys(HELP).filter((path) => !known.has(path))).toEqual([]);
  });

  it('has examples that the commands accept', async () => {
    const commands = new Map(all.map(({ path, command }) => [path, command]));
    for (const [path, { examples }] of Object.entries(HELP)) {
      for (const example of examples) {
        const [program, ...words] = wordsOf(/lockkeeper [^)]*/.exec(example)?.[0] ?? '');
        expect(program, example).toBe('lockkeeper');
        const name = path === 'diagnose check' ? 'diagnose' : path;
        expect(words.slice(0, name.split(' ').length).join(' '), example).toBe(name);
        const command = commands.get(path) as Command;
        const rest = words.slice(name.split(' ').length);
        const flags = rest.filter((word) => word.startsWith('--'));
        for (const flag of flags) {
          expect(
            command.options.some(({ long }) => long === flag),
            `${flag} in: ${example}`,
          ).toBe(true);
        }
        for (const { long, mandatory } of command.options) {
          if (mandatory) expect(flags, example).toContain(long);
        }
        const takers = new Set(command.options.filter(({ required }) => required).map(({ long }) => long));
        const values = rest.filter((word, index) => !word.startsWith('--') && !takers.has(rest[index - 1] ?? ''));
        const required = command.registeredArguments.filter((argument) => argument.required);
        expect(values.length, example).toBeGreaterThanOrEqual(required.length);
      }
    }
  });
});
