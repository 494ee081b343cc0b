import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './settings.ts';

/** Milliseconds: to be connected; for the head of an answer, a part that is sent included; without a byte in either direction. */
const CONNECTION_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 60_000;
const SOCKET_TIMEOUT = 120_000;
/**
 * Of each request, the first one included.
 * @limit tries of a request to a bucket, tries -> 503
 */
const ATTEMPTS = 3;
/**
 * A download holds a connection for as long as its reader takes.
 * @limit connections to a bucket, connections -> transfers wait
 */
const MAX_SOCKETS = 200;

/** The SDK is loaded here, once an installation has such a store: any other does not pay for it. */
export async function openClient(settings: S3Settings): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { region, endpoint, forcePathStyle, credentials } = settings;
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    maxAttempts: ATTEMPTS,
    // Each part is signed with its SHA-256, and content is authenticated when it is read: other checksums are for those who need them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      throwOnRequestTimeout: true,
      socketTimeout: SOCKET_TIMEOUT,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
}
