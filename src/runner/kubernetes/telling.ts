import type { HandedJob } from '../agent/job/job-document.ts';
import type { JobLine } from '../agent/job/job-line.ts';

/** How long the log of a job is offered to a server that is away, ms: the reason stands in its run too. */
const PATIENCE = 30_000;
/** Three lines, which command lines leave away. */
const HEADER = 'Lockkeeper agent\non Kubernetes\nStarting a pod...\n';

/** Says why a job failed at the end of its log, in the place of the pod that cannot. Does not throw. */
export async function sayInLog(
  line: JobLine,
  { links }: HandedJob,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    // What is not begun has no log.
    await line.ask({ method: 'POST', path: line.pathOf(links.start) }, signal, PATIENCE);
    const { logBytes } = await line.tell({ method: 'POST', path: line.pathOf(links.heartbeat) }, signal, PATIENCE);
    if (logBytes === null) return;
    const bytes = Buffer.from(`${logBytes === 0 ? HEADER : '\n'}Error: ${reason}\n`);
    const path = `${line.pathOf(links.log)}?offset=${logBytes}`;
    await line.ask({ method: 'PATCH', path, body: { bytes } }, signal, PATIENCE);
  } catch {
    // It is over, or the server is away, or the pod has said something meanwhile.
  }
}
