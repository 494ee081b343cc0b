import { StorageError } from '../errors.ts';
import { fingerprintOf } from '../sealing.ts';
import { type DatedKeys, keyringText, parseJson, parseKeyring, refusal } from './keyring-text.ts';
import { readPrivate } from './private-file.ts';
import { ENVELOPE_FORMAT, type Envelope, EnvelopeError, parseEnvelope } from './wrap/envelope.ts';
import { WrapFailure } from './wrap/key-wrapper.ts';
import type { KeyringPlace, Wrapping } from './wrap/settings.ts';
import { recoverKeyring, unwrapKeyring, wrapKeyring } from './wrap/wrapped-keyring.ts';

/**
 * Maximum size of a keyring file: far more than any keyring needs.
 * @limit the keyring, bytes -> the server does not start
 */
const MAX_BYTES = 65_536;

/** Called for each failed attempt to unwrap that is retried. */
export type Note = (reason: string) => void;

/**
 * Reads the keys of a file. A file that should be wrapped and is not is refused.
 * @throws StorageError if the file is missing, malformed, changed, or readable by others than its owner. Its cause is a
 * WrapFailure if the data key could not be unwrapped.
 */
export async function readKeyring({ file, wrap }: KeyringPlace, note?: Note): Promise<DatedKeys> {
  const found = await readFile(file);
  if (!('envelope' in found)) {
    if (wrap === undefined) return parseKeyring(file, found.plain);
    throw refusal(file, `is not wrapped, but keyring_wrap is configured: wrap it with \`lockkeeper keyring wrap\``);
  }
  const { envelope } = found;
  if (wrap === undefined)
    throw refusal(file, `is wrapped by ${envelope.wrap.type} (${envelope.wrap.name}): configure this in keyring_wrap`);
  if (envelope.wrap.type !== wrap.by.type) {
    throw refusal(
      file,
      `is wrapped by ${envelope.wrap.type}, but keyring_wrap has ${wrap.by.type}: ` +
        'correct it, or wrap the file again with `lockkeeper keyring rewrap`',
    );
  }
  return opened(file, envelope, () => unwrapKeyring(envelope, wrap, retryOptionsOf(wrap, note)), envelope.wrap.name);
}

/**
 * Opens a wrapped file with the private key of a recovery recipient, without the wrapping service.
 * @throws StorageError
 */
export async function recoverKeys(file: string, pem: string): Promise<DatedKeys> {
  const found = await readFile(file);
  if (!('envelope' in found)) throw refusal(file, 'is not wrapped: there is nothing to recover');
  const { envelope } = found;
  return opened(file, envelope, () => recoverKeyring(envelope, pem), envelope.wrap.name);
}

/**
 * Returns the content of a file for this place.
 * @throws StorageError if it cannot be wrapped
 */
export async function keyringTextFor({ file, wrap }: KeyringPlace, keys: DatedKeys, note?: Note): Promise<string> {
  const plain = keyringText(keys);
  if (wrap === undefined) return plain;
  return wrapKeyring(plain, fingerprintOf(keys), wrap, retryOptionsOf(wrap, note)).catch((error: unknown) => {
    throw error instanceof WrapFailure
      ? refusal(file, `cannot be wrapped by ${wrap.by.type}: ${error.message}`, error)
      : error;
  });
}

/**
 * Returns undefined for a keyring that is not wrapped.
 * @throws StorageError
 */
export async function readEnvelope(file: string): Promise<Envelope | undefined> {
  const found = await readFile(file);
  return 'envelope' in found ? found.envelope : undefined;
}

async function readFile(file: string): Promise<{ readonly plain: unknown } | { readonly envelope: Envelope }> {
  const text = await readPrivate(file, MAX_BYTES, (what, cause) =>
    refusal(file, cause ? 'cannot be read. Restore it from its backup, or create one for a new server' : what, cause),
  );
  const json = parseJson(file, text);
  if (Object(json).format !== ENVELOPE_FORMAT) return { plain: json };
  try {
    return { envelope: parseEnvelope(json) };
  } catch (error) {
    throw error instanceof EnvelopeError ? refusal(file, `is malformed: ${error.message}`) : error;
  }
}

async function opened(file: string, envelope: Envelope, open: () => Promise<string>, name: string): Promise<DatedKeys> {
  const text = await open().catch((error: unknown) => {
    if (error instanceof EnvelopeError)
      throw refusal(file, `cannot be used: ${error.message}. Restore it from its backup`);
    if (!(error instanceof WrapFailure)) throw error;
    const lost =
      envelope.recovery.length > 0 ? '. If that is lost for good, `lockkeeper keyring recover` opens the file' : '';
    throw refusal(file, `cannot be unwrapped by ${envelope.wrap.type} (${name}): ${error.message}${lost}`, error);
  });
  const keys = parseKeyring(file, parseJson(file, text));
  // Anybody can encrypt a keyring of their own to a public key, but it has another fingerprint.
  if (fingerprintOf(keys) !== envelope.fingerprint) throw refusal(file, 'holds another keyring than its header names');
  return keys;
}

/** Returns whether a retry may succeed although the file has not changed. */
export function mayPass(error: unknown): boolean {
  return error instanceof StorageError && error.cause instanceof WrapFailure && error.cause.isPassing;
}

function retryOptionsOf({ waitSeconds }: Wrapping, note?: Note) {
  return { waitSeconds, note: ({ message }: WrapFailure) => note?.(message) };
}
