import { counter, gauge, histogram } from './metric-definition.ts';

/** What is counted of connections and requests, whatever they ask for. */
export const SERVER_METRICS = {
  requests: counter('http_requests_total', 'Requests answered.', ['service', 'method', 'route', 'status']),
  durations: histogram(
    'http_request_duration_seconds',
    'Time from the head of a request to the end of its response; without large contents and those who want to wait.',
    ['service', 'method', 'route'],
  ),
  inFlight: gauge('http_requests_in_flight', 'Requests that are being answered.', ['listener']),
  connections: gauge('connections', 'Open connections.', ['listener']),
  handshakeErrors: counter('tls_handshake_errors_total', 'TLS handshakes that failed.', ['listener']),
  strippedCertificates: counter(
    'forwarded_client_certificates_stripped_total',
    'Headers with a client certificate from somebody who may not forward one.',
    ['listener'],
  ),
  chains: counter(
    'client_certificate_chains_total',
    'Chains of clients that had to be read: proven are those that led to a role by intermediates that were new.',
    ['outcome'],
  ),
  chainMemory: gauge(
    'client_certificate_chain_memory_bytes',
    'What reading them has taken at most; it comes back when the process ends.',
  ),
} as const;
