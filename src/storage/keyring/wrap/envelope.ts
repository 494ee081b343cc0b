import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KEY_BYTES } from './key-wrapper.ts';
import type { WrapType } from './settings.ts';

/**
 * An encrypted keyring (envelope encryption): a data key encrypts the keyring, and the wrapping service and the
 * recovery recipients encrypt the data key. Each write of the file creates a new data key, which encrypts once.
 */
export interface Envelope extends EnvelopeHead {
  /** Nonce (12 bytes), ciphertext, tag (16) of AES-256-GCM, base64. The whole head is authenticated with it. */
  readonly content: string;
}

/** The unencrypted part. */
export interface EnvelopeHead {
  /** Fingerprint of the keyring inside. */
  readonly fingerprint: string;
  readonly wrap: {
    readonly type: WrapType;
    /** Name of the wrapping service, for display. */
    readonly name: string;
    /** Time of the wrapping (RFC 3339). */
    readonly at: string;
    readonly dataKey: string;
  };
  /** The data key, encrypted for each recovery recipient. */
  readonly recovery: readonly { readonly recipient: string; readonly dataKey: string }[];
}

/** Fault of a text, worded to follow `is malformed: `. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
}

/** Format 1 is an unencrypted keyring. */
export const ENVELOPE_FORMAT = 2;
/** @limit recovery recipients of a keyring, keys -> the setting is refused */
const MAX_RECIPIENTS = 8;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function freshDataKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_BYTES));
}

/** Returns the context of a wrapped key, which binds it to this keyring. */
export function contextOf(fingerprint: string): string {
  return `lockkeeper keyring ${fingerprint}`;
}

/** @returns the text of the file */
export function sealEnvelope(head: EnvelopeHead, plaintext: string, dataKey: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, dataKey, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(headText(head)));
  const sealed = [nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()];
  const content = Buffer.concat(sealed).toString('base64');
  return `${JSON.stringify({ ...headJson(head), content }, null, 2)}\n`;
}

/** @throws EnvelopeError with another key, or if anything in the file was changed */
export function openEnvelope(envelope: Envelope, dataKey: Uint8Array): string {
  const bytes = Buffer.from(envelope.content, 'base64');
  const decipher = createDecipheriv(CIPHER, dataKey, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(headText(envelope)));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    throw new EnvelopeError('it was changed after it had been wrapped');
  }
}

/**
 * Parses strictly, because unknown fields would not be authenticated.
 * @throws EnvelopeError
 */
export function parseEnvelope(json: unknown): Envelope {
  const file = members(json, ['format', 'fingerprint', 'wrap', 'recovery', 'content']);
  const wrap = members(file.wrap, ['type', 'name', 'at', 'data_key']);
  if (!Array.isArray(file.recovery) || file.recovery.length > MAX_RECIPIENTS) throw malformed;
  return {
    fingerprint: matching(file.fingerprint, /^[0-9a-f]{32}$/),
    wrap: {
      type: matching(wrap.type, /^(credential|transit|aws-kms|pkcs11)$/) as WrapType,
      name: matching(wrap.name, /^[ -~]{1,4096}$/),
      at: matching(wrap.at, /^[-0-9T:.]{1,30}Z$/),
      dataKey: matching(wrap.data_key, /^[ -~]{1,16384}$/),
    },
    recovery: file.recovery.map((one) => {
      const { recipient, data_key: dataKey } = members(one, ['recipient', 'data_key']);
      return { recipient: matching(recipient, RECIPIENT), dataKey: matching(dataKey, /^[\w.-]{1,4096}$/) };
    }),
    content: matching(file.content, /^[A-Za-z0-9+/]{40,}={0,2}$/),
  };
}

/** An X25519 public key (RFC 8410): the base64 between the lines of its PEM. */
const RECIPIENT = /^MCowBQYDK2VuAyEA[A-Za-z0-9+/]{43}=$/;

const malformed = new EnvelopeError('format 2, fingerprint, wrap, recovery and content are expected');

function members(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed;
  const found = Object.keys(value);
  if (found.length !== names.length || !names.every((name) => Object.hasOwn(value, name))) throw malformed;
  return value as Record<string, unknown>;
}

function matching(value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw malformed;
  return value;
}

/** Returns the head in a canonical form, for authentication. */
function headText(head: EnvelopeHead): string {
  return JSON.stringify(headJson(head));
}

function headJson({ fingerprint, wrap, recovery }: EnvelopeHead) {
  return {
    format: ENVELOPE_FORMAT,
    fingerprint,
    wrap: { type: wrap.type, name: wrap.name, at: wrap.at, data_key: wrap.dataKey },
    recovery: recovery.map(({ recipient, dataKey }) => ({ recipient, data_key: dataKey })),
  };
}
