import type { Case } from './cases.ts';
import { run } from './run.ts';

/** A line of `go test -json`. */
interface TestEvent {
  readonly Action: string;
  readonly Test?: string;
  readonly Output?: string;
}

const OUTCOMES: Readonly<Record<string, Case['outcome']>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };
/** What the runner prints around what a test says. */
const FRAME = /^\s*(===|---) /;

/** Runs tests in Go, and says of each test and subtest how it ended. One that did not end has failed. */
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
