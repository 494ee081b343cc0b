import type { EndedRequest, RequestTrace, RequestTracing } from '../lib/request.ts';
import { KIND } from './span.ts';
import { now, type Tracer } from './tracer.ts';

/** Records one span for each sampled request. */
export class RequestTraces implements RequestTracing {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

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

/** Returns attributes by the semantic conventions of OpenTelemetry for HTTP. */
function attributesOf({ requestId, service, method, route, status, httpVersion, remoteAddress, bytes }: EndedRequest) {
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
