import type { Server } from '../http/server.ts';
import { reportOf } from './report.ts';

/** Says of a job that cannot be read why it cannot be carried out, as far as it says how. @throws Refusal, Unanswered */
export async function decline(server: Server, answer: unknown, why: string): Promise<void> {
  const { attributes, links } =
    (answer as { data?: { attributes?: { token?: unknown }; links?: { finish?: unknown } } }).data ?? {};
  if (typeof attributes?.token !== 'string') return;
  const json = reportOf({ kind: 'failed', reason: `The agent cannot carry it out: ${why}` });
  await server.request({ method: 'POST', path: server.pathOf(links?.finish), token: attributes.token, body: { json } });
}
