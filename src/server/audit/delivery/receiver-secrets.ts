import type { PostTls } from '../../../lib/collector/http-post.ts';

/** What a collector wants to see, and what it is believed by. */
export interface ReceiverSecrets {
  /** Undefined where it wants none. */
  readonly token?: string;
  readonly tls?: PostTls;
}
