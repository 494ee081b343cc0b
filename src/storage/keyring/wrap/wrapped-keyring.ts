import { systemClock } from '../../../lib/clock.ts';
import { contextOf, type Envelope, EnvelopeError, freshDataKey, openEnvelope, sealEnvelope } from './envelope.ts';
import { openWrapper } from './open-wrapper.ts';
import { openSealed, readRecoveryKey, sealTo } from './recovery.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import type { Wrapping } from './settings.ts';

/**
 * @returns the text of the file
 * @throws WrapFailure
 */
export async function wrapKeyring(
  plaintext: string,
  fingerprint: string,
  { by, recipients }: Wrapping,
  retry: RetryOptions,
): Promise<string> {
  const wrapper = await openWrapper(by);
  const key = freshDataKey();
  const dataKey = await withRetries((signal) => wrapper.wrap(key, contextOf(fingerprint), signal), retry);
  const recovery = recipients.map(async (recipient) => ({ recipient, dataKey: await sealTo(recipient, key) }));
  // A path may contain characters that the file does not allow.
  const name = wrapper.name.replaceAll(/[^ -~]/g, '?');
  const wrap = { type: by.type, name, at: new Date(systemClock()).toISOString(), dataKey };
  return sealEnvelope({ fingerprint, wrap, recovery: await Promise.all(recovery) }, plaintext, key);
}

/** @throws WrapFailure; EnvelopeError if the file was changed */
export async function unwrapKeyring(envelope: Envelope, { by }: Wrapping, retry: RetryOptions): Promise<string> {
  const wrapper = await openWrapper(by);
  const context = contextOf(envelope.fingerprint);
  const key = await withRetries((signal) => wrapper.unwrap(envelope.wrap.dataKey, context, signal), retry);
  return openEnvelope(envelope, key);
}

/**
 * Opens a keyring without the wrapping service.
 * @param pem the private key of a recovery recipient
 * @throws EnvelopeError with another key, or if the file was changed
 */
export async function recoverKeyring(envelope: Envelope, pem: string): Promise<string> {
  const own = readRecoveryKey(pem);
  if (own === undefined) throw new EnvelopeError('the recovery key is not an X25519 private key in PEM');
  const sealed = envelope.recovery.find(({ recipient }) => recipient === own.recipient);
  if (sealed === undefined) {
    const others = envelope.recovery.map(({ recipient }) => recipient).join(', ') || 'none';
    throw new EnvelopeError(`this recovery key (${own.recipient}) does not open it; those that do: ${others}`);
  }
  const key = await openSealed(sealed.dataKey, own.key);
  if (key === undefined) throw new EnvelopeError('it was changed after it had been wrapped');
  return openEnvelope(envelope, key);
}
