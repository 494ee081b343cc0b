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
 * Edwards signatures are over the message itself, twice, so it must be in memory.
 * @limit a list signed with Ed25519 or Ed448, bytes -> its signature is not checked, and the list is not used
 */
const MAX_EDWARDS_BYTES = 32 * 2 ** 20;
const NOT_SIGNED = 'its signature is not by the key of its issuer';

/**
 * Whether an issuer signed a list, checked over the bytes of the list as they come in:
 *
 *     const check = new CrlSignatureCheck(info, issuer, { allowSha1: false });
 *     for (const piece of der) check.update(piece);
 *     const fault = await check.end();
 */
export class CrlSignatureCheck {
  readonly #range: SignedRange;
  readonly #check: MessageCheck | { readonly fault: string };
  #offset = 0;

  /** @param issuer whose name the caller has compared with the list's */
  constructor(info: CrlInfo, issuer: Certificate, rules: SignatureRules) {
    this.#range = info.signed;
    this.#check = startCheck(info, issuer, rules);
  }

  /** Takes the next bytes of the list, in order, from its first byte on. */
  update(bytes: Buffer): void {
    const { start, end } = this.#range;
    const from = Math.max(start - this.#offset, 0);
    const to = Math.min(end - this.#offset, bytes.length);
    this.#offset += bytes.length;
    if (from < to && !('fault' in this.#check)) this.#check.update(bytes.subarray(from, to));
  }

  /** After the last bytes: what is wrong, in words; undefined when the issuer did sign the list. */
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
    return { fault: `signed with ${algorithmName(algorithm)}, and not with ${ACCEPTED_SIGNATURES}` };
  }
  if (known.keyUsage !== undefined && (known.keyUsage & CRL_SIGN) === 0) {
    return { fault: 'the key of its issuer is not for signing lists' };
  }
  if (key === undefined) return { fault: publicKey.fault ?? 'the key of its issuer cannot be read' };
  if (!scheme.keyTypes.includes(key.asymmetricKeyType ?? '')) return { fault: NOT_SIGNED };
  if (scheme.hash !== undefined) return new HashedCheck(scheme.hash, scheme, key);
  if (end - start > MAX_EDWARDS_BYTES) {
    return { fault: `signed with ${scheme.name}, which is checked up to ${MAX_EDWARDS_BYTES} bytes` };
  }
  return new WholeCheck(key, end - start);
}

/** The message is hashed as it comes. */
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
      // A key may forbid this use of it (RSASSA-PSS keys name their hash).
      return false;
    }
  }
}

/** The message is kept, and checked on another thread. */
class WholeCheck implements MessageCheck {
  readonly #key: KeyObject;
  readonly #message: Buffer;
  #length = 0;

  /** @param bytes of the message */
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
