import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ran, run } from '../support/image.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Programs of a small Linux system. */
const SYSTEM = 'base64 cat chmod cp grep gzip id ln mkdir mktemp mv rm sed sh sha256sum tail uname'.split(' ');

/** A machine for a test: no Node.js, few programs, a user who is not root and owns only their home. */
export interface Machine {
  readonly home: string;
  run(...command: readonly string[]): Promise<Ran>;
  remove(): void;
}

/**
 * @param folder for the home. Its other files can be read
 * @param programs that the machine has besides those of a small system
 */
export function bareMachine(folder: string, programs: readonly string[]): Machine {
  const home = mkdtempSync(join(folder, 'home-'));
  const libraries = ['/lib', '/lib64', '/usr/lib'].filter((path) => existsSync(path));
  const tools = [...SYSTEM, ...programs].map((name) => `/usr/bin/${name}`);
  const args = [
    ...['--unshare-user', '--uid', '1000', '--gid', '1000', '--clearenv', '--setenv', 'HOME', home],
    ...['--setenv', 'PATH', '/usr/bin', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...['--ro-bind', folder, folder, '--bind', home, home],
    ...['--ro-bind', ROOT, ROOT],
    ...[...libraries, ...tools].flatMap((path) => ['--ro-bind', path, path]),
  ];
  return {
    home,
    run: (...command) => run(['bwrap', ...args, ...command]),
    remove: () => rmSync(home, { recursive: true }),
  };
}
