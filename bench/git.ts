/**
 * Measures what the server does with a Git repository: changed files of two commits, the merge base, and an archive.
 * Git itself serves the repositories on loopback; `git fetch` of the same objects is the reference. Prints the median
 * time, the bytes of the responses, and the peak memory of this process over its memory before.
 *
 *     npm run bench:git [-- --rounds 5]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GitThreads, openRemote } from '../src/git/index.ts';
import { transportTo } from '../test/git/support/remotes.ts';
import { type GitServer, startGitServer, type TestRepository } from '../test/support/git-server.ts';
import { median } from './support/measure.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
/** Milliseconds between two looks at the memory. */
const LOOK_MS = 5;

/** A repository with two commits. */
interface Sample {
  readonly name: string;
  readonly repository: TestRepository;
  readonly before: string;
  readonly after: string;
}

/** Commits files by `git fast-import`. @param changed number of files that the second commit changes */
async function sampleOf(server: GitServer, name: string, paths: readonly string[], changed: number): Promise<Sample> {
  const repository = await server.createRepository(`${name.replaceAll(/\W+/g, '-')}.git`);
  const file = (path: string, at: number, version: number) => {
    const content = `resource "null_resource" "r${at}" {\n  triggers = { version = ${version}, key = "${(at * 2_654_435_761) >>> 0}" }\n}\n`;
    return `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  };
  const commit = (version: number, files: readonly string[]) =>
    `commit refs/heads/main\ncommitter Ada <a@b> ${1_767_300_000 + version} +0000\ndata 1\nx\n${files.join('')}\n`;
  const step = Math.floor(paths.length / changed);
  const all = paths.map((path, at) => file(path, at, 1));
  const some = paths.flatMap((path, at) => (at % step === 0 && at / step < changed ? [file(path, at, 2)] : []));
  await repository.gitWith({ input: commit(1, all) + commit(2, some) }, 'fast-import', '--quiet');
  await repository.git('repack', '-q', '-a', '-d', '-f', '--window=5');
  return { name, repository, before: await repository.id('main~1'), after: await repository.id('main') };
}

/** A commit per line, without files. */
async function historyOf(server: GitServer, commits: number): Promise<Sample> {
  const repository = await server.createRepository('history.git');
  const lines = Array.from(
    { length: commits },
    (_, at) => `commit refs/heads/main\ncommitter Ada <a@b> ${1_767_300_000 + at} +0000\ndata 1\nx\n`,
  );
  const side = `commit refs/heads/side\ncommitter Ada <a@b> 1767300000 +0000\ndata 1\ny\nfrom refs/heads/main~${commits - 5}\n`;
  await repository.gitWith({ input: lines.join('') }, 'fast-import', '--quiet');
  await repository.gitWith({ input: side }, 'fast-import', '--quiet');
  await repository.git('repack', '-q', '-a', '-d');
  const [before, after] = [await repository.id('side'), await repository.id('main')];
  return { name: `history of ${commits} commits`, repository, before, after };
}

async function measured(server: GitServer, what: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const rss = process.memoryUsage.rss();
  let peak = rss;
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, LOOK_MS);
  let result: unknown;
  for (let round = 0; round < rounds; round++) {
    server.requests.splice(0);
    const began = performance.now();
    result = await work();
    times.push(performance.now() - began);
  }
  clearInterval(looking);
  const bytes = server.requests.reduce((sum, request) => sum + request.bytes, 0);
  const memory = `+${((peak - rss) / 1e6).toFixed(0)} MB (${(peak / 1e6).toFixed(0)} MB)`;
  console.log(
    `  ${what.padEnd(34)} ${median(times).toFixed(0).padStart(6)} ms  ${bytes.toLocaleString('en-US').padStart(12)} bytes  ${memory.padStart(20)}  ${result}`,
  );
}

/** Fetches the objects of two commits without files by git itself, into an empty repository. */
async function fetchByGit({ repository, before, after }: Sample): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-git-'));
  const env = { GIT_DIR: folder, GIT_WORK_TREE: undefined };
  await repository.gitWith({ env: { GIT_DIR: undefined, GIT_WORK_TREE: undefined } }, 'init', '-q', '--bare', folder);
  const filter = ['--depth=1', '--filter=blob:none'];
  await repository.gitWith({ env }, 'fetch', '-q', ...filter, repository.url, before, after);
  const list = await repository.gitWith({ env }, 'diff-tree', '-r', '--name-only', '--no-renames', before, after);
  rmSync(folder, { recursive: true });
  return `${list.split('\n').length} paths`;
}

const server = await startGitServer();
const threads = new GitThreads((error) => console.error(error));
try {
  const large = Array.from({ length: 100_000 }, (_, at) => `d${at % 130}/e${at % 13_000}/f${at}.tf`);
  const usual = Array.from({ length: 10_400 }, (_, at) => `env/ws${at % 520}/part${at % 7}/f${at}.tf`);
  const samples = [
    await sampleOf(server, '10,400 files, 200 changed', usual, 200),
    await sampleOf(server, '100,000 files, 10,000 changed', large, 10_000),
  ];
  for (const sample of samples) {
    const { name, repository, before, after } = sample;
    const remote = openRemote(transportTo(repository.url), {
      ...{ url: repository.url, openTransport: transportTo, threads, owner: 'bench' },
    });
    console.log(name);
    await measured(server, 'git fetch, git diff-tree', () => fetchByGit(sample));
    await measured(server, 'refs', async () => `${(await remote.refs(['refs/heads/'])).length} refs`);
    await measured(server, 'commit', async () => (await remote.commit(after)).message.trim());
    await measured(server, 'changedFiles', async () => `${(await remote.changedFiles(before, after)).length} paths`);
    await measured(server, 'archive', async () => {
      let bytes = 0;
      for await (const chunk of (await remote.archive(after, { submodules: false })).bytes) bytes += chunk.length;
      return `${bytes.toLocaleString('en-US')} bytes`;
    }).catch((error: Error) => console.log(`  archive: ${error.message}`));
  }
  const history = await historyOf(server, 20_000);
  const remote = openRemote(transportTo(history.repository.url), {
    ...{ url: history.repository.url, openTransport: transportTo, threads, owner: 'bench' },
  });
  console.log(history.name);
  const near = await history.repository.id('main~100');
  await measured(server, 'mergeBase, 100 commits away', () => remote.mergeBase(near, history.after));
  await measured(server, 'mergeBase, 19,995 commits away', () => remote.mergeBase(history.before, history.after));
} finally {
  threads.stop();
  await server.stop();
}
