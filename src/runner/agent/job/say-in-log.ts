import type { JobClient } from './job-client.ts';
import type { HandedJob } from './job-document.ts';

/** How long the agent tries to send the log, in ms. The run also shows the reason. */
const TIMEOUT = 30_000;

/**
 * Appends the reason of a failed job to its log, if the job's own process cannot. Does not throw.
 * @param header three lines for an empty log. `tofu` and `terraform` skip the first three lines of a log.
 */
export async function sayInLog(
  client: JobClient,
  { links }: HandedJob,
  { header, reason }: { readonly header: string; readonly reason: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    // A job that was not started has no log.
    await client.request({ method: 'POST', path: client.pathOf(links.start) }, signal, TIMEOUT);
    const { logBytes } = await client.report({ method: 'POST', path: client.pathOf(links.heartbeat) }, signal, TIMEOUT);
    if (logBytes === null) return;
    const bytes = Buffer.from(`${logBytes === 0 ? header : '\n'}Error: ${reason}\n`);
    const path = `${client.pathOf(links.log)}?offset=${logBytes}`;
    await client.request({ method: 'PATCH', path, body: { bytes } }, signal, TIMEOUT);
  } catch {
    // An error here means that the job is over, that the server does not respond, or that the job's process has
    // written to the log meanwhile.
  }
}
