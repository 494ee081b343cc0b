import { ask, type ConnectionOptions, targetOf } from '../../connection/connection.ts';
import { CommandError } from '../../errors/command-error.ts';
import { linkedId, type Resource } from '../resource.ts';
import { dataOf } from '../workspace-requests.ts';
import { lastErrorOf } from './log-reader.ts';

/**
 * Returns why a run failed: the last error in the log of the phase that failed, or the reason of its event.
 * Undefined if it is not known, or this user may not read it.
 */
export async function failureReason(run: Resource, options: ConnectionOptions): Promise<string | undefined> {
  try {
    return (await logReason(run, options)) ?? (await eventReason(run.id, options));
  } catch (error) {
    // A reason that cannot be read is no reason to show nothing of the run.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

async function eventReason(id: string, options: ConnectionOptions): Promise<string | undefined> {
  const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/runs/${id}/run-events`);
  const { data } = body as { readonly data: readonly Resource[] };
  const event = data.findLast(({ attributes }) => attributes.action === 'errored');
  return (event?.attributes.description as string | null | undefined) || undefined;
}

async function logReason({ relationships }: Resource, options: ConnectionOptions): Promise<string | undefined> {
  for (const [kind, name] of [
    ['applies', 'apply'],
    ['plans', 'plan'],
  ] as const) {
    const id = linkedId(relationships?.[name]);
    if (id === undefined) continue;
    const { attributes } = dataOf((await ask(options, 'workspaces', 'GET', `/api/v2/${kind}/${id}`)).body);
    if (attributes.status !== 'errored') continue;
    const { 'log-read-url': url, 'log-bytes': bytes } = attributes;
    return lastErrorOf(String(url), Number(bytes ?? 0), targetOf(options).ca);
  }
  return undefined;
}
