import type { PostTls } from '../../../lib/collector/http-post.ts';

/** Credentials for a collector, and CA certificates that verify it. */
export interface ReceiverSecrets {
  /** Token for the collector. Undefined if it needs none. */
  readonly token?: string;
  readonly tls?: PostTls;
}
