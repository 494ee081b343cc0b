import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Repository of a demo: a bare repository that the server follows, and a working copy for the user. */
export interface DemoRepository {
  /** Folder of the bare repository. */
  readonly bare: string;
  /** Folder of the working copy. */
  readonly workingCopy: string;
}

/** Name of the repository, and of the workspace that follows it. */
export const REPOSITORY = 'infrastructure';
/** File that the printed command changes. */
export const CHANGED_FILE = 'greeting.txt';

const BRANCH = 'main';
const CONFIGURATION = `resource "terraform_data" "greeting" {
  input = trimspace(file("\${path.module}/${CHANGED_FILE}"))
}

output "greeting" {
  value = terraform_data.greeting.output
}
`;

/** Settings that replace those of the user, whose commits may need a key or a passphrase. */
const SETTINGS = {
  'user.name': 'Lockkeeper demo',
  'user.email': 'dev@lockkeeper.test',
  'commit.gpgsign': 'false',
  'push.default': 'simple',
  'core.hooksPath': '/dev/null',
};

/**
 * Creates the repository of a demo with a first commit, unless it exists.
 * @returns undefined without Git
 */
export function ensureDemoRepository(directory: string): DemoRepository | undefined {
  if (!hasGit()) return undefined;
  const folder = join(directory, 'repository');
  const repository = { bare: join(folder, `${REPOSITORY}.git`), workingCopy: join(folder, REPOSITORY) };
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return repository;
  rmSync(folder, { recursive: true, force: true });
  create(repository);
  writeFileSync(complete, '');
  return repository;
}

function create({ bare, workingCopy }: DemoRepository): void {
  for (const path of [bare, workingCopy]) mkdirSync(path, { recursive: true, mode: 0o700 });
  git(bare, 'init', '--quiet', '--bare', `--initial-branch=${BRANCH}`);
  git(bare, 'config', 'uploadpack.allowFilter', 'true');
  git(workingCopy, 'init', '--quiet', `--initial-branch=${BRANCH}`);
  for (const [name, value] of Object.entries(SETTINGS)) git(workingCopy, 'config', name, value);
  writeFileSync(join(workingCopy, 'main.tf'), CONFIGURATION);
  writeFileSync(join(workingCopy, CHANGED_FILE), 'Hello\n');
  git(workingCopy, 'add', '--all');
  git(workingCopy, 'commit', '--quiet', '--message', 'First commit of the demo');
  git(workingCopy, 'remote', 'add', 'origin', `../${REPOSITORY}.git`);
  git(workingCopy, 'push', '--quiet', '--set-upstream', 'origin', BRANCH);
}

function hasGit(): boolean {
  try {
    git('.', '--version');
    return true;
  } catch {
    return false;
  }
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd: folder, env: gitEnvironment(), stdio: 'pipe' });
}

/** Returns the environment for Git. Inside of a hook the variables of Git name another repository. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(inherited), GIT_TERMINAL_PROMPT: '0' };
}
