import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './process.ts';

export interface Step {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Steps of other lanes that must end first, whether they pass or fail. */
  readonly after?: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly code: number;
  readonly seconds: number;
}

/** Steps in order. A lane at its end takes the last step of the longest lane in its group. */
export type Lane = readonly Step[];

/**
 * Runs lanes side by side, and the steps of each lane one after the other. Prints the output of a step when it ends, so
 * that two steps never mix their lines. A failed step stops neither its lane nor the others.
 * @returns the results in the order in which the steps ended
 */
export async function runLanes(
  groups: readonly (readonly Lane[])[],
  folder: string,
  print: (text: string) => void,
): Promise<StepResult[]> {
  const ends = new Map(groups.flat(2).map(({ name }) => [name, Promise.withResolvers<void>()]));
  const results: StepResult[] = [];
  const runStep = async ({ name, argv, env = {}, after = [] }: Step): Promise<void> => {
    await Promise.all(after.map((other) => ends.get(other)?.promise));
    const log = join(folder, `${name}.log`);
    const from = performance.now();
    print(`-- ${name} starts`);
    const code = await run({ argv, env, log });
    const seconds = Math.round((performance.now() - from) / 1000);
    results.push({ name, code, seconds });
    print(`\n== ${name}, ${seconds} s\n${readFileSync(log, 'utf8')}`);
    if (code !== 0) print(`!! ${name} failed`);
    ends.get(name)?.resolve();
  };
  const runLane = async (lane: Step[], group: readonly Step[][]): Promise<void> => {
    for (let step = nextOf(lane, group); step !== undefined; step = nextOf(lane, group)) await runStep(step);
  };
  const left = groups.map((group) => group.map((lane) => [...lane]));
  await Promise.all(left.flatMap((group) => group.map((lane) => runLane(lane, group))));
  return results;
}

function nextOf(lane: Step[], group: readonly Step[][]): Step | undefined {
  return lane.shift() ?? group.toSorted((a, b) => b.length - a.length)[0]?.pop();
}
