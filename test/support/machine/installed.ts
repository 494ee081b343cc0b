import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs third-party software into a folder. An existing installation stays until a file with its version and hash
 * changes.
 */
export function installOnce(folder: string, lockFiles: readonly string[], install: (folder: string) => void): void {
  const hash = createHash('sha256');
  for (const file of lockFiles) hash.update(readFileSync(file));
  const wanted = hash.digest('hex');
  const stamp = join(folder, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(stamp, wanted);
}

/** Downloads a Go module, pinned by a file with its path, version and sum. @returns its folder */
export function downloadModule(lockFile: string): string {
  const { path, version, sum } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const module = JSON.parse(output('go', ['mod', 'download', '-json', `${path}@${version}`], tmpdir()));
  if (module.Sum !== sum) throw new Error(`${path}@${version} is ${module.Sum}, not ${sum}`);
  return module.Dir;
}

/** How a program is built, if not as a release. */
export interface BuildOptions {
  /** Build tags of a program with C code. */
  readonly tags?: string;
  /** Without optimizations the build takes two thirds of the CPU time, and the program is slower. */
  readonly isUnoptimized?: boolean;
}

/**
 * Builds a program of a Go module whose go.sum pins its dependencies. Go caches compiled packages in its own folder.
 * @param flags flags of the linker
 */
export function buildModule(
  lockFile: string,
  what: string,
  program: string,
  flags: string,
  { tags, isUnoptimized = false }: BuildOptions = {},
): void {
  const folder = downloadModule(lockFile);
  const tagged = tags === undefined ? [] : ['-tags', tags];
  const compiled = isUnoptimized ? ['-gcflags', 'all=-N -l'] : [];
  const environment = {
    CGO_ENABLED: tags === undefined ? '0' : '1',
    ...(isUnoptimized && { CGO_CFLAGS: '-O0' }),
  };
  const options = ['-trimpath', ...tagged, ...compiled, '-ldflags', flags];
  run('go', ['build', ...options, '-o', program, what], folder, environment);
}

export function output(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' }).trim();
}

export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): void {
  const env = { ...process.env, ...environment };
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
}
