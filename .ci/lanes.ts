import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './process.ts';

export interface Step {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Steps that must end first, whether they pass or fail. */
  readonly after?: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly code: number;
  readonly seconds: number;
}

/** Steps that share lanes: as many run at a time as there are lanes. */
export interface Group {
  readonly lanes: number;
  /** The longest should be first, so that the lanes end together. */
  readonly steps: readonly Step[];
}

/**
 * Runs groups side by side. A lane takes the first step of its group that waits for no other. Prints the output of a
 * step when it ends, so that two steps never mix their lines. A failed step stops no other.
 * @returns the results in the order in which the steps ended
 */
export async function runLanes(
  groups: readonly Group[],
  folder: string,
  print: (text: string) => void,
): Promise<StepResult[]> {
  const unfinished = new Map(
    groups.flatMap(({ steps }) => steps.map(({ name }) => [name, Promise.withResolvers<void>()] as const)),
  );
  const results: StepResult[] = [];
  const runStep = async ({ name, argv, env = {} }: Step): Promise<void> => {
    const log = join(folder, `${name}.log`);
    const from = performance.now();
    print(`-- ${name} starts`);
    const code = await run({ argv, env, log });
    const seconds = Math.round((performance.now() - from) / 1000);
    results.push({ name, code, seconds });
    print(`\n== ${name}, ${seconds} s\n${readFileSync(log, 'utf8')}`);
    if (code !== 0) print(`!! ${name} failed`);
    unfinished.get(name)?.resolve();
    unfinished.delete(name);
  };
  const runLane = async (left: Step[]): Promise<void> => {
    while (left.length > 0) {
      const ready = left.findIndex(({ after = [] }) => !after.some((name) => unfinished.has(name)));
      const [step] = ready === -1 ? [] : left.splice(ready, 1);
      if (step) await runStep(step);
      else
        await Promise.race(
          left.flatMap(({ after = [] }) => after.flatMap((name) => unfinished.get(name)?.promise ?? [])),
        );
    }
  };
  await Promise.all(
    groups.flatMap(({ lanes, steps }) => {
      const left = [...steps];
      return Array.from({ length: lanes }, () => runLane(left));
    }),
  );
  return results;
}
