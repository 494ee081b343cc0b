import type { Case } from './cases.ts';
import { run } from './run.ts';

/** A line of `go test -json`. */
interface TestEvent {
  readonly Action: string;
  readonly Test?: string;
  readonly Output?: string;
}

const OUTCOMES: Readonly<Record<string, Case['outcome']>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };
/** Lines that the runner prints around the output of a test. */
const FRAME = /^\s*(===|---) /;

/** Runs Go tests, and returns the result of each test and subtest. A test that did not finish has failed. */
export async function goTest(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Case[]> {
  const { code, stdout, stderr } = await run('go', ['test', '-json', '-count=1', ...args], { cwd: folder, env });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const cases = casesOf(lines.map((line): TestEvent => JSON.parse(line)));
  if (cases.length === 0) throw new Error(`go test ended with ${code}:\n${stdout}\n${stderr}`);
  return cases;
}

function casesOf(events: readonly TestEvent[]): Case[] {
  const cases = new Map<string, Case>();
  for (const { Action, Test: name, Output = '' } of events) {
    if (name === undefined) continue;
    const { outcome, detail } = cases.get(name) ?? { outcome: 'failed', detail: '' };
    cases.set(name, {
      name,
      outcome: OUTCOMES[Action] ?? outcome,
      detail: FRAME.test(Output) ? detail : detail + Output,
    });
  }
  return [...cases.values()].map((it) => ({ ...it, detail: it.detail.trim() }));
}
