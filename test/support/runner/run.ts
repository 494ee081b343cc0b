import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { create } from 'tar';
import {
  type Bytes,
  type Content,
  execute,
  findBubblewrap,
  type Isolation,
  type Job,
  type JobEnd,
  none,
  type Outputs,
  type Parts,
  type StateVersion,
} from '../../../src/runner/index.ts';

const PATH = process.env.PATH ?? '';
/** One folder for a plan and its apply. */
const base = mkdtempSync(join(tmpdir(), 'runner-'));

/** Whether an engine for the executor, and a sandbox, are installed. */
export const hasEngine = works('terraform', ['version']);
export const isolations: readonly Isolation[] = [
  none,
  ...(await findBubblewrap(PATH, null).then(
    (one) => [one],
    () => [],
  )),
];

/** Whether runs can have their own network here: pasta, nft, a kernel that supports both, and a default route. */
export const hasNetworks = await findBubblewrap(PATH, { denied: [], reachServer: true }).then(
  () => true,
  () => false,
);

function works(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Results of a job. */
export interface Outcome {
  readonly end: JobEnd;
  readonly log: string;
  readonly states: readonly { readonly version: StateVersion; readonly isLast: boolean }[];
  readonly planJson: string | undefined;
  readonly redacted: string | undefined;
  readonly schemas: string | undefined;
  readonly folder: Buffer | undefined;
}

/** Contents of the files, by name. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Differences of a test from the defaults. */
export interface Trial {
  readonly isolation?: Isolation;
  readonly job?: Partial<Job>;
  readonly files?: Files;
  readonly archive?: Bytes;
  readonly state?: Buffer | undefined;
  readonly folder?: Buffer | undefined;
  readonly interrupt?: AbortSignal;
  readonly kill?: AbortSignal;
  readonly parts?: Partial<Parts>;
  readonly outputs?: Partial<Outputs>;
  /** Called with the whole log so far. */
  readonly onLog?: (log: string) => void;
}

export const PLAN: Job = {
  id: 'job-1',
  phase: 'plan',
  runId: 'run-CZcmD7eagjhyX0vN',
  workspace: { id: 'ws-1', name: 'network', workingDirectory: '' },
  organization: 'acme',
  project: 'Default Project',
  commit: null,
  engine: { kind: 'terraform', version: null },
  log: 'plain',
  parameters: {
    destroy: false,
    refresh: true,
    refreshOnly: false,
    targets: [],
    replaces: [],
    invokes: [],
    generateConfiguration: false,
    debugging: false,
  },
  variables: [],
  sshKey: null,
  keepFolder: true,
  timeout: 120,
};

/** Executes a job in this process, and records its results. */
export async function executeTrial(trial: Trial): Promise<Outcome> {
  const kept: { -readonly [K in keyof Outcome]?: Outcome[K] } = {};
  const log: Uint8Array[] = [];
  const states: { version: StateVersion; isLast: boolean }[] = [];
  const outputs: Outputs = {
    async log(bytes) {
      log.push(bytes);
      trial.onLog?.(Buffer.concat(log).toString());
    },
    async state(version, isLast) {
      states.push({ version, isLast });
    },
    async planJson(content) {
      kept.planJson = await textOf(content);
    },
    async redactedPlan(content) {
      kept.redacted = await textOf(content);
    },
    async schemas(content) {
      kept.schemas = await textOf(content);
    },
    async folder(content) {
      kept.folder = await buffer(content.open());
    },
    ...trial.outputs,
  };
  const inputs = {
    configuration: async () => trial.archive ?? bytesOf(await archiveOf(trial.files ?? {})),
    state: async () => (trial.state === undefined ? null : bytesOf(trial.state)),
    folder: async () => bytesOf(trial.folder ?? Buffer.alloc(0)),
  };
  const parts: Parts = {
    inputs,
    outputs,
    isolation: trial.isolation ?? none,
    engines: { folder: null, path: PATH },
    folder: base,
    providers: null,
    server: null,
    cache: null,
    secrets: [],
    grace: 20,
    ...trial.parts,
  };
  const never = new AbortController().signal;
  const stop = { interrupt: trial.interrupt ?? never, kill: trial.kill ?? never };
  const end = await execute({ ...PLAN, ...trial.job }, parts, stop);
  return {
    end,
    log: Buffer.concat(log).toString(),
    states,
    planJson: kept.planJson,
    redacted: kept.redacted,
    schemas: kept.schemas,
    folder: kept.folder,
  };
}

/** Plans, and applies the plan. */
export async function planAndApply(trial: Trial, apply: Trial = {}): Promise<{ plan: Outcome; apply: Outcome }> {
  const plan = await executeTrial(trial);
  const job = { ...trial.job, ...apply.job, phase: 'apply' as const };
  return { plan, apply: await executeTrial({ ...trial, ...apply, folder: plan.folder, job }) };
}

/** Creates a tar.gz of files. */
export async function archiveOf(files: Files): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return await buffer(create({ cwd: folder, gzip: true, portable: true }, ['.']));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the stream as one buffer. */
export async function* bytesOf(bytes: Uint8Array): Bytes {
  yield bytes;
}

const textOf = async (content: Content): Promise<string> => (await buffer(content.open())).toString();
