import { RunBench } from './run-bench.ts';
import { type Lockkeeper, startLockkeeper } from './servers.ts';

/** Size of a part, bytes. */
const PART = 65_536;
const LINE_LENGTH = 80;

export interface LongLog {
  readonly lockkeeper: Lockkeeper;
  /** Path of the run's page. */
  readonly place: string;
  readonly text: string;
}

/** Starts a server with a finished run whose log has about this size. */
export async function startLongLog(bytes: number): Promise<LongLog> {
  const storage = '{ type: sqlite, directory: data }\nworkspaces: { execution: agents }';
  const lockkeeper = await startLockkeeper(storage, undefined, 'access, workspaces, console');
  const bench = await RunBench.start(lockkeeper);
  const agent = await bench.agent();
  const asked = agent.claim(30);
  await bench.run();
  const job = await asked;
  await job.start();
  const line = (at: number) =>
    `${at}: terraform_data.a[${at}]: Creation complete after 0s`.padEnd(LINE_LENGTH - 1, '.');
  const text = Array.from({ length: Math.ceil(bytes / LINE_LENGTH) }, (_, at) => `${line(at)}\n`).join('');
  for (let at = 0; at < text.length; at += PART) await job.log(at, text.slice(at, at + PART));
  await job.finish();
  await agent.leave();
  const { data } = await bench.ask('GET', '/api/v2/organizations/bench/runs', lockkeeper.show.token);
  return { lockkeeper, place: `/app/bench/workspaces/runs/runs/${data[0].id}`, text };
}
