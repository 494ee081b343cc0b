import { namedIds, newSpanId, traceparentOf } from './context.ts';
import { KIND } from './span.ts';
import { now, type Tracer } from './tracer.ts';

/** A finished run. */
interface EndedRun {
  readonly id: string;
  readonly status: string;
  readonly workspaceId: string;
  /** Times of status changes, milliseconds since 1970, by status. */
  readonly timestamps: Readonly<Record<string, number | undefined>>;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** A job of the run as its agent reports it: milliseconds since the start of the job. */
interface EndedJob {
  readonly id: string;
  readonly runId: string;
  readonly isError: boolean;
  readonly took: number;
  readonly steps: readonly {
    readonly name: string;
    readonly start: number;
    readonly end: number;
    readonly ok: boolean;
  }[];
}

/**
 * Records one trace for each run. Its IDs are derived from those of the run and its jobs, so every node and agent uses
 * the same trace, even after a restart, and nothing is stored.
 */
export class RunTraces {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** Returns the `traceparent` that the agent of a job sends with its requests; undefined if the run is not sampled. */
  traceparentOf(runId: string, jobId: string): string | undefined {
    const { traceId } = namedIds(runId);
    if (!this.#tracer.isSampled(traceId)) return undefined;
    return traceparentOf({ traceId, spanId: namedIds(jobId).spanId, isSampled: true });
  }

  jobEnded({ id, runId, isError, took, steps }: EndedJob): void {
    const { traceId, spanId: runSpan } = namedIds(runId);
    if (!this.#tracer.isSampled(traceId)) return;
    const { spanId } = namedIds(id);
    const end = now();
    const began = end - took;
    const job = { 'lockkeeper.job_id': id, 'lockkeeper.run_id': runId };
    this.#tracer.record({
      ...{ traceId, spanId, parentId: runSpan, name: 'job', kind: KIND.consumer, start: began, end, isError },
      ...{ attributes: job, by: 'agent' },
    });
    for (const step of steps) {
      this.#tracer.record({
        ...{ traceId, spanId: newSpanId(), parentId: spanId, name: step.name, kind: KIND.internal },
        ...{ start: began + step.start, end: began + step.end, isError: !step.ok, attributes: job, by: 'agent' },
      });
    }
  }

  runEnded({ id, status, workspaceId, timestamps, createdAt, finishedAt }: EndedRun): void {
    const { traceId, spanId } = namedIds(id);
    if (!this.#tracer.isSampled(traceId)) return;
    const times = Object.entries(timestamps).flatMap(([name, time]) => (time === undefined ? [] : [{ name, time }]));
    this.#tracer.record({
      ...{ traceId, spanId, parentId: undefined, name: 'run', kind: KIND.internal, start: createdAt },
      end: finishedAt ?? now(),
      attributes: { 'lockkeeper.run_id': id, 'lockkeeper.run_status': status, 'lockkeeper.workspace_id': workspaceId },
      isError: status === 'errored',
      events: times.sort((a, b) => a.time - b.time),
    });
  }
}
