import type { HandedJob } from './job-document.ts';
import type { JobLine } from './job-line.ts';

/** How long the log of a job is offered to a server that is away, ms: the reason stands in its run too. */
const PATIENCE = 30_000;

/**
 * Appends the reason of a failed job to its log, if the job's own process cannot. Does not throw.
 * @param header three lines for an empty log. Command lines skip the first three lines of a log.
 */
export async function sayInLog(
  line: JobLine,
  { links }: HandedJob,
  { header, reason }: { readonly header: string; readonly reason: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    // What is not begun has no log.
    await line.ask({ method: 'POST', path: line.pathOf(links.start) }, signal, PATIENCE);
    const { logBytes } = await line.tell({ method: 'POST', path: line.pathOf(links.heartbeat) }, signal, PATIENCE);
    if (logBytes === null) return;
    const bytes = Buffer.from(`${logBytes === 0 ? header : '\n'}Error: ${reason}\n`);
    const path = `${line.pathOf(links.log)}?offset=${logBytes}`;
    await line.ask({ method: 'PATCH', path, body: { bytes } }, signal, PATIENCE);
  } catch {
    // The job is over, the server does not answer, or the process has written to the log meanwhile.
  }
}
