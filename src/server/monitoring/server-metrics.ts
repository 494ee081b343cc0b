import { counter, gauge, histogram } from './metric-definition.ts';

/** Metrics of connections and requests. */
export const SERVER_METRICS = {
  requests: counter('http_requests_total', 'Requests answered.', ['service', 'method', 'route', 'status']),
  durations: histogram(
    'http_request_duration_seconds',
    'Time from the head of a request to the end of its response, without large transfers and long polls.',
    ['service', 'method', 'route'],
  ),
  inFlight: gauge('http_requests_in_flight', 'Requests in flight.', ['listener']),
  connections: gauge('connections', 'Open connections.', ['listener']),
  handshakeErrors: counter('tls_handshake_errors_total', 'TLS handshakes that failed.', ['listener']),
  strippedCertificates: counter(
    'forwarded_client_certificates_stripped_total',
    'Headers with a client certificate from clients that may not forward one.',
    ['listener'],
  ),
  chains: counter(
    'client_certificate_chains_total',
    'Client certificate chains that were parsed; proven: matched a role with new intermediates.',
    ['outcome'],
  ),
  chainMemory: gauge(
    'client_certificate_chain_memory_bytes',
    'Upper bound of the memory that parsing them has used; freed at process exit.',
  ),
} as const;
