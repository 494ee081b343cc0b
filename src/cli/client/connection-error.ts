import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';

const UNTRUSTED =
  'its certificate is not signed by an authority that is trusted here; name the file of its authority in LOCKKEEPER_CACERT';

/** What the codes of Node.js mean, and what to do. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the server running, and LOCKKEEPER_ADDR its address?',
  ECONNRESET: 'the connection was closed; does the server speak TLS there, and does it want a client certificate?',
  ENOTFOUND: 'there is no such host; is LOCKKEEPER_ADDR right?',
  EAI_AGAIN: 'the name cannot be looked up; does the name server answer?',
  EHOSTUNREACH: 'there is no way to it; is the network up?',
  ETIMEDOUT: 'it does not answer; is a firewall in between?',
  EPROTO: 'it speaks no TLS that we know; is LOCKKEEPER_ADDR right?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS; is LOCKKEEPER_ADDR right?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks no TLS; is LOCKKEEPER_ADDR right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate has another name; use the address that the certificate names',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** What stands between us and a server. */
export function connectionError(error: NodeJS.ErrnoException, origin: string): CommandError {
  const reason = REASONS[error.code ?? ''] ?? error.message;
  return new CommandError(`cannot talk to ${origin}: ${reason}`, EXIT.unavailable);
}
