import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';

/** Finds runs for those who may see them. */
export interface RunLookup {
  /** @throws 404 when there is none, or the actor may not */
  find(actor: Actor, id: string): Promise<{ readonly workspaceId: string }>;
}

/** Where the wings above take part in states. Filled while the parts are put together, before any request. */
export class StateHooks {
  /** Without it there are no runs. */
  runs: RunLookup = {
    find: async () => {
      throw notFound();
    },
  };
}
