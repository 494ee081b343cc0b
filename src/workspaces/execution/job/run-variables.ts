import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { AppliedVariables, OpenVariable } from '../../variables/index.ts';
import { isCarrier, type RunFinder } from '../run/finder.ts';
import type { RunStart } from '../run/start.ts';

/** The values that a run is carried out with, secrets included: for the agent that carries it out, and nobody else. */
export class RunVariables {
  readonly #finder: RunFinder;
  readonly #start: RunStart;
  readonly #applied: AppliedVariables;

  constructor(finder: RunFinder, start: RunStart, applied: AppliedVariables) {
    this.#finder = finder;
    this.#start = start;
    this.#applied = applied;
  }

  /** Each name once. @throws 404 for anybody but the agent that has taken the run */
  async of(actor: Actor, runId: string): Promise<OpenVariable[]> {
    const run = await this.#finder.find(actor, runId);
    if (!isCarrier(actor, run)) throw notFound();
    const given = (this.#start.variables(run) ?? []).map(({ key, value }, index) => ({
      ...({ id: `${runId}-${index}`, owner: { type: 'workspaces', id: run.workspaceId }, key, value } as const),
      ...({ category: 'terraform', hcl: true, sensitive: false } as const),
    }));
    return this.#applied.open(run.workspaceId, given);
  }
}
