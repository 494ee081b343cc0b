import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './settings.ts';

/**
 * Timeouts in milliseconds: for the connection; for the head of a response, the upload of a part included; for
 * inactivity in both directions.
 */
const CONNECTION_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 60_000;
const SOCKET_TIMEOUT = 120_000;
/**
 * Number of attempts for each request, the first one included.
 * @limit attempts of a request to a bucket, attempts -> 503
 */
const ATTEMPTS = 3;
/**
 * A download occupies a connection as long as it is read.
 * @limit connections to a bucket, connections -> transfers wait
 */
const MAX_SOCKETS = 200;

/** Loads the SDK on demand, so that a server without such a store does not load it. */
export async function openClient(settings: S3Settings): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { region, endpoint, forcePathStyle, credentials } = settings;
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    maxAttempts: ATTEMPTS,
    // Each part is signed with its SHA-256, and blobs are authenticated when they are read, so further checksums are
    // sent only if required.
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
