import type { Logger } from 'pino';
import type { RequestRecord } from '../request/request-context.ts';

/** Logs exactly one event for each request: a warning for server errors, information otherwise. */
export function requestLog(logger: Logger): (record: RequestRecord) => void {
  return (record) => {
    logger[record.status >= 500 ? 'warn' : 'info'](
      {
        ...record.fields,
        request_id: record.requestId,
        ...(record.traceId !== undefined && { trace_id: record.traceId }),
        listener: record.listener,
        service: record.service,
        method: record.method,
        route: record.route,
        status: record.status,
        duration_ms: Math.round(record.durationMs * 100) / 100,
        remote_address: record.remoteAddress,
        http_version: record.httpVersion,
        bytes: record.bytes,
      },
      'request',
    );
  };
}
