import type { Server } from '../http/server.ts';
import { reportOf } from './report.ts';

/**
 * Reports a job whose description this agent cannot read as failed, if the description contains a token and a link.
 * @throws Refusal, Unanswered
 */
export async function decline(server: Server, answer: unknown, why: string): Promise<void> {
  const { attributes, links } =
    (answer as { data?: { attributes?: { token?: unknown }; links?: { finish?: unknown } } }).data ?? {};
  if (typeof attributes?.token !== 'string') return;
  const json = reportOf({ kind: 'failed', reason: `The agent cannot execute the job: ${why}` });
  await server.request({ method: 'POST', path: server.pathOf(links?.finish), token: attributes.token, body: { json } });
}
