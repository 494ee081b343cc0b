import { askListener } from '../listeners/ask-server.ts';
import type { SeenListener, TaskFacts } from '../model/site.ts';

interface Detail {
  readonly name: string;
  readonly status: string;
  readonly found?: string;
  readonly parts?: readonly Detail[];
}

/**
 * Returns the background tasks of the server that runs on this machine, as its readiness details show them. Undefined
 * without a server, or for an older one.
 */
export async function askTasks([listener]: readonly SeenListener[]): Promise<readonly TaskFacts[] | undefined> {
  if (listener === undefined) return undefined;
  const answer = await askListener(listener.address, '/healthz/ready?verbose').catch(() => undefined);
  const { diagnosis } = JSON.parse(answer?.body ?? '{}') as { readonly diagnosis?: readonly Detail[] };
  const tasks = partOf(partOf(diagnosis, 'background'), 'tasks');
  return tasks?.map(({ name, status, found = '' }) => ({ name, found, isBad: status !== 'success' }));
}

const partOf = (parts: readonly Detail[] | undefined, name: string) => parts?.find((part) => part.name === name)?.parts;
