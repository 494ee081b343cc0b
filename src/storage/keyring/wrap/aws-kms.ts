import type { KMSClient } from '@aws-sdk/client-kms';
import { KEY_BYTES, type KeyWrapper, WrapFailure } from './key-wrapper.ts';
import { readSecret } from './secret-place.ts';
import type { AwsKmsSettings } from './settings.ts';

/** Reasons and advice by error name, for the operator. */
const REASONS: Readonly<Record<string, string>> = {
  AccessDeniedException: 'the credentials do not allow it: they need kms:Encrypt and kms:Decrypt on the key',
  NotFoundException: 'there is no such key; correct keyring_wrap.key or keyring_wrap.region',
  DisabledException: 'the key is disabled: enable it',
  KMSInvalidStateException: 'the key cannot be used in its state: it is disabled, or about to be deleted',
  InvalidKeyUsageException: 'the key is not an encryption key',
  IncorrectKeyException: 'another key has wrapped the file',
  InvalidCiphertextException: 'another key has wrapped the file, or the file was changed',
  UnrecognizedClientException: 'AWS does not know the credentials',
  InvalidClientTokenId: 'AWS does not know the credentials',
  InvalidSignatureException: 'the secret access key does not belong to the access key, or the clock is wrong',
  ExpiredTokenException: 'the credentials have expired',
  CredentialsProviderError: 'there are no credentials',
};
/** Errors that may pass: the credentials of a machine may be missing right after its start. */
const PASSING = /^(KeyUnavailable|DependencyTimeout|KMSInternal|Throttling|LimitExceeded|CredentialsProviderError)/;

/** Wraps with a key in AWS KMS. The SDK is loaded on demand, so that other servers do not load it. */
export function awsKmsWrapper(settings: AwsKmsSettings): KeyWrapper {
  const { key, region } = settings;
  return {
    name: `${key} in ${region}`,
    wrap: (dataKey, context, signal) =>
      withClient(settings, async (client) => {
        const { EncryptCommand } = await import('@aws-sdk/client-kms');
        const order = new EncryptCommand({ KeyId: key, Plaintext: dataKey, EncryptionContext: contextOf(context) });
        const { CiphertextBlob } = await client.send(order, { abortSignal: signal });
        if (!CiphertextBlob?.length) throw new WrapFailure('the response has no ciphertext: check the endpoint');
        return Buffer.from(CiphertextBlob).toString('base64');
      }),
    unwrap: (wrapped, context, signal) =>
      withClient(settings, async (client) => {
        const { DecryptCommand } = await import('@aws-sdk/client-kms');
        // The request contains the key's name; otherwise AWS would accept any key that the credentials may use.
        const CiphertextBlob = Buffer.from(wrapped, 'base64');
        const order = new DecryptCommand({ KeyId: key, CiphertextBlob, EncryptionContext: contextOf(context) });
        const { Plaintext } = await client.send(order, { abortSignal: signal });
        if (Plaintext?.length !== KEY_BYTES)
          throw new WrapFailure(`the response is not a key of ${KEY_BYTES} bytes: check the endpoint`);
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
    // Retries happen above, in the same way for every kind of wrapping.
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

/** Has no cause, because an error of the SDK contains the request, and the request contains the key. */
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
  const otherwise = typeof status === 'number' ? 'AWS refused the request' : 'AWS cannot be reached';
  return new WrapFailure(`${reason ?? otherwise} (${said})`, { isPassing });
}
