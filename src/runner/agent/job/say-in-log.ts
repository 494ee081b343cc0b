import type { HandedJob } from './job-document.ts';
import type { JobLine } from './job-line.ts';

/** How long the log of a job is offered to a server that is away, ms: the reason stands in its run too. */
const PATIENCE = 30_000;

/**
 * Says why a job failed at the end of its log, in the place of the process that cannot. Does not throw.
 * @param header three lines for a log that has none, which command lines leave away
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
    // It is over, or the server is away, or the process has said something meanwhile.
  }
}
