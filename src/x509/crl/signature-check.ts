import { Buffer } from 'node:buffer';
import { createVerify, type KeyObject, type Verify, verify } from 'node:crypto';
import type { Certificate } from '../certificate/certificate.ts';
import {
  ACCEPTED_SIGNATURES,
  algorithmName,
  isAcceptedAlgorithm,
  type Scheme,
  type SignatureRules,
  schemeOf,
  verifyInput,
} from '../certificate/signature.ts';
import { keyUsageBits } from '../path/key-usage.ts';
import type { CrlInfo, SignedRange } from './crl.ts';

const CRL_SIGN = keyUsageBits(['cRLSign']);
/**
 * Edwards signatures read the message twice, so it must be in memory.
 * @limit a CRL signed with Ed25519 or Ed448, bytes -> its signature is not verified, and the CRL is not used
 */
const MAX_EDWARDS_BYTES = 32 * 2 ** 20;
const NOT_SIGNED = 'the signature was not made by the key of its issuer';

/**
 * Verifies the signature of a CRL while its bytes arrive:
 *
 *     const check = new CrlSignatureCheck(info, issuer, { allowSha1: false });
 *     for (const piece of der) check.update(piece);
 *     const fault = await check.end();
 */
export class CrlSignatureCheck {
  readonly #range: SignedRange;
  readonly #check: MessageCheck | { readonly fault: string };
  #offset = 0;

  /** @param issuer a CA whose name the caller has compared with that in the CRL */
  constructor(info: CrlInfo, issuer: Certificate, rules: SignatureRules) {
    this.#range = info.signed;
    this.#check = startCheck(info, issuer, rules);
  }

  /** Takes the next bytes of the CRL, in order, starting with its first byte. */
  update(bytes: Buffer): void {
    const { start, end } = this.#range;
    const from = Math.max(start - this.#offset, 0);
    const to = Math.min(end - this.#offset, bytes.length);
    this.#offset += bytes.length;
    if (from < to && !('fault' in this.#check)) this.#check.update(bytes.subarray(from, to));
  }

  /** Returns the fault in words after the last bytes; undefined if the issuer signed the CRL. */
  async end(): Promise<string | undefined> {
    if ('fault' in this.#check) return this.#check.fault;
    return (await this.#check.holds(this.#range.signature)) ? undefined : NOT_SIGNED;
  }
}

interface MessageCheck {
  update(bytes: Buffer): void;
  holds(signature: Buffer): Promise<boolean>;
}

function startCheck(
  info: CrlInfo,
  { known, publicKey }: Certificate,
  rules: SignatureRules,
): MessageCheck | { fault: string } {
  const { algorithm, start, end } = info.signed;
  const scheme = schemeOf(algorithm);
  const key = publicKey.fault === undefined ? publicKey.object : undefined;
  if (scheme === undefined || !isAcceptedAlgorithm(algorithm, rules)) {
    return { fault: `signed with ${algorithmName(algorithm)} instead of ${ACCEPTED_SIGNATURES}` };
  }
  if (known.keyUsage !== undefined && (known.keyUsage & CRL_SIGN) === 0) {
    return { fault: 'the key of its issuer may not sign CRLs' };
  }
  if (key === undefined) return { fault: publicKey.fault ?? 'the key of its issuer cannot be read' };
  if (!scheme.keyTypes.includes(key.asymmetricKeyType ?? '')) return { fault: NOT_SIGNED };
  if (scheme.hash !== undefined) return new HashedCheck(scheme.hash, scheme, key);
  if (end - start > MAX_EDWARDS_BYTES) {
    return { fault: `signed with ${scheme.name}, which is supported up to ${MAX_EDWARDS_BYTES} bytes` };
  }
  return new WholeCheck(key, end - start);
}

/** Hashes the message while it arrives. */
class HashedCheck implements MessageCheck {
  readonly #verify: Verify;
  readonly #input: Parameters<Verify['verify']>[0];

  constructor(hash: string, scheme: Scheme, key: KeyObject) {
    this.#verify = createVerify(hash);
    this.#input = verifyInput(scheme, key);
  }

  update(bytes: Buffer): void {
    this.#verify.update(bytes);
  }

  async holds(signature: Buffer): Promise<boolean> {
    try {
      return this.#verify.verify(this.#input, signature);
    } catch {
      // A key may forbid this use (RSASSA-PSS keys name their hash).
      return false;
    }
  }
}

/** Keeps the message, and verifies it in another thread. */
class WholeCheck implements MessageCheck {
  readonly #key: KeyObject;
  readonly #message: Buffer;
  #length = 0;

  /** @param bytes length of the message */
  constructor(key: KeyObject, bytes: number) {
    this.#key = key;
    this.#message = Buffer.allocUnsafeSlow(bytes);
  }

  update(bytes: Buffer): void {
    this.#length += bytes.copy(this.#message, this.#length);
  }

  holds(signature: Buffer): Promise<boolean> {
    return new Promise((resolve, reject) => {
      verify(null, this.#message.subarray(0, this.#length), this.#key, signature, (error, valid) => {
        if (error) reject(error);
        else resolve(valid);
      });
    });
  }
}
