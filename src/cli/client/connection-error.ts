import { type FetchError, reasonOf } from '../../lib/http/fetch-error.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';

const UNTRUSTED =
  "its certificate is not signed by a CA that this machine trusts; set LOCKKEEPER_CACERT to the CA certificate's file";

/** Meaning of Node.js error codes, and the next step for each. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; check that the server is running and that LOCKKEEPER_ADDR is its URL',
  ECONNRESET:
    'the server closed the connection; check that the port uses TLS, and whether it requires a client certificate',
  ENOTFOUND: 'the host does not exist; check LOCKKEEPER_ADDR',
  EAI_AGAIN: 'the host name cannot be resolved; check the name server',
  EHOSTUNREACH: 'there is no route to it; check the network',
  ETIMEDOUT: 'it does not respond; check for a firewall in between',
  EPROTO: 'it does not support TLS 1.2 or later; check LOCKKEEPER_ADDR',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS; check LOCKKEEPER_ADDR',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not use TLS; check LOCKKEEPER_ADDR',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name; use a host name from the certificate',
  CERT_HAS_EXPIRED: 'its certificate has expired; the server needs a new one',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/**
 * Returns the CommandError for a failed request.
 * @param idleMs limit of silence
 */
export function connectionError(error: unknown, origin: string, idleMs: number): CommandError {
  const { kind, code } = error as FetchError;
  const isLate = kind === 'timeout';
  const reason = isLate ? `no response within ${idleMs / 1000} seconds` : (REASONS[code ?? ''] ?? reasonOf(error));
  return new CommandError(`cannot connect to ${origin}: ${reason}`, EXIT.unavailable);
}
