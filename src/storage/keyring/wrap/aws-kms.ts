import type { KMSClient } from '@aws-sdk/client-kms';
import { KEY_BYTES, type KeyWrapper, WrapFailure } from './key-wrapper.ts';
import { readSecret } from './secret-place.ts';
import type { AwsKmsSettings } from './settings.ts';

/** What is wrong, by the name of the error, in the words of whoever has to put it right. */
const REASONS: Readonly<Record<string, string>> = {
  AccessDeniedException: 'the credentials do not allow it: they need kms:Encrypt and kms:Decrypt on the key',
  NotFoundException: 'there is no such key; correct keyring_wrap.key or keyring_wrap.region',
  DisabledException: 'the key is disabled: enable it',
  KMSInvalidStateException: 'the key is not in a state to be used: it is disabled, or about to be deleted',
  InvalidKeyUsageException: 'the key is not one that encrypts',
  IncorrectKeyException: 'another key has wrapped the file',
  InvalidCiphertextException: 'another key has wrapped the file, or the file was changed',
  UnrecognizedClientException: 'the credentials are not known there',
  InvalidClientTokenId: 'the credentials are not known there',
  InvalidSignatureException: 'the secret access key is not the one of the access key, or the clock is wrong',
  ExpiredTokenException: 'the credentials have expired',
  CredentialsProviderError: 'there are no credentials',
};
/** Credentials of a machine may not be there yet when it has just started. */
const PASSING = /^(KeyUnavailable|DependencyTimeout|KMSInternal|Throttling|LimitExceeded|CredentialsProviderError)/;

/** A key in the KMS of AWS. The SDK is loaded here, once an installation has such a key: any other does not pay for it. */
export function awsKmsWrapper(settings: AwsKmsSettings): KeyWrapper {
  const { key, region } = settings;
  return {
    name: `${key} in ${region}`,
    wrap: (dataKey, context, signal) =>
      withClient(settings, async (client) => {
        const { EncryptCommand } = await import('@aws-sdk/client-kms');
        const order = new EncryptCommand({ KeyId: key, Plaintext: dataKey, EncryptionContext: contextOf(context) });
        const { CiphertextBlob } = await client.send(order, { abortSignal: signal });
        if (!CiphertextBlob?.length)
          throw new WrapFailure('what came back is no ciphertext: is it the right endpoint?');
        return Buffer.from(CiphertextBlob).toString('base64');
      }),
    unwrap: (wrapped, context, signal) =>
      withClient(settings, async (client) => {
        const { DecryptCommand } = await import('@aws-sdk/client-kms');
        // With the key: else any that the credentials may use would do.
        const CiphertextBlob = Buffer.from(wrapped, 'base64');
        const order = new DecryptCommand({ KeyId: key, CiphertextBlob, EncryptionContext: contextOf(context) });
        const { Plaintext } = await client.send(order, { abortSignal: signal });
        if (Plaintext?.length !== KEY_BYTES)
          throw new WrapFailure(`what came back is no key of ${KEY_BYTES} bytes: is it the right endpoint?`);
        return new Uint8Array(Plaintext);
      }),
  };
}

const contextOf = (context: string) => ({ purpose: context });

async function withClient<T>(settings: AwsKmsSettings, work: (client: KMSClient) => Promise<T>): Promise<T> {
  const { KMSClient } = await import('@aws-sdk/client-kms');
  const { region, endpoint, credentials } = settings;
  const client = new KMSClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && {
      credentials: {
        accessKeyId: credentials.accessKeyId,
        secretAccessKey: await readSecret(credentials.secretAccessKey, 'the secret access key'),
      },
    }),
    // It is tried again above, for every kind of wrapping alike.
    maxAttempts: 1,
  });
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof WrapFailure ? error : failureOf(error);
  } finally {
    client.destroy();
  }
}

/** Without a cause: an error of the SDK holds the request, and that the key. */
function failureOf(error: unknown): WrapFailure {
  const { name, code, $metadata } = Object(error) as Record<string, unknown>;
  const status = Object($metadata).httpStatusCode as unknown;
  const found = [status === undefined ? code : name, name].find((text) =>
    /^[A-Za-z]\w{0,60}$/.test(String(text ?? '')),
  );
  const said = `${found ?? 'unknown'}${typeof status === 'number' ? `, status ${status}` : ''}`;
  const reason = REASONS[String(found)];
  const isAway = typeof status !== 'number' || status >= 500 || status === 429;
  const isPassing = PASSING.test(String(found)) || (reason === undefined && isAway);
  const otherwise = typeof status === 'number' ? 'it refuses us' : 'it is not reached';
  return new WrapFailure(`${reason ?? otherwise} (${said})`, { isPassing });
}
