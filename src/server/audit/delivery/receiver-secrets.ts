/** What a collector wants to see, and what it is believed by. */
export interface ReceiverSecrets {
  /** Undefined where it wants none. */
  readonly token?: string;
  readonly tls?: {
    /** PEM; undefined: those of the system. */
    readonly ca?: string[];
    /** PEM of our own certificate and its key, where it asks for one. */
    readonly cert?: string;
    readonly key?: string;
    readonly minVersion: 'TLSv1.2';
  };
}
