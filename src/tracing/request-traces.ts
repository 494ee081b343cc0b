import { KIND } from './span.ts';
import { now, type Tracer } from './tracer.ts';

/** What is known of a request once it is over. */
interface Ended {
  readonly requestId: string;
  readonly service: string;
  readonly method: string;
  /** The pattern: secrets stand in paths. */
  readonly route: string | undefined;
  readonly status: number;
  readonly httpVersion: string;
  readonly remoteAddress: string;
  readonly bytes: number;
}

/** A request that may be recorded. */
export interface RequestTrace {
  readonly traceId: string;
  /** What is begun in `work` belongs to it. */
  within<T>(work: () => T): T;
  end(record: Ended): void;
}

/** A span of each request that is recorded. */
export class RequestTraces {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** @param traceparent as the client sent it */
  begin(traceparent: unknown): RequestTrace | undefined {
    const { scope, parentId } = this.#tracer.begin(traceparent);
    if (!scope.isSampled && parentId === undefined) return undefined;
    const start = now();
    return {
      traceId: scope.traceId,
      within: (work) => this.#tracer.within(scope, work),
      end: (record) => {
        if (!scope.isSampled) return;
        const { traceId, spanId } = scope;
        this.#tracer.record({
          ...{ traceId, spanId, parentId, kind: KIND.server, start, end: now() },
          name: record.route === undefined ? record.method : `${record.method} ${record.route}`,
          attributes: attributesOf(record),
          isError: record.status >= 500,
        });
      },
    };
  }
}

/** By the semantic conventions of OpenTelemetry for HTTP. */
function attributesOf({ requestId, service, method, route, status, httpVersion, remoteAddress, bytes }: Ended) {
  return {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'http.response.body.size': bytes,
    'network.protocol.version': httpVersion,
    'client.address': remoteAddress,
    'lockkeeper.service': service,
    'lockkeeper.request_id': requestId,
  };
}
