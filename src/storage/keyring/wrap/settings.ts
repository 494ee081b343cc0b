/** What wraps the key that a keyring's file is sealed with. */
export type WrapSettings = CredentialSettings | TransitSettings | AwsKmsSettings | Pkcs11Settings;

export type WrapType = WrapSettings['type'];

/** A secret as it was set, or the file that holds it in one line, which is read each time that it is needed. */
export type SecretPlace = { readonly text: string } | { readonly file: string };

/** A key of 32 bytes that somebody else puts there, as systemd does. */
export interface CredentialSettings {
  readonly type: 'credential';
  /** `name` of a file in the folder of `$CREDENTIALS_DIRECTORY`. */
  readonly key: { readonly name: string } | { readonly file: string };
}

/** The secrets engine `transit` of Vault and OpenBao. */
export interface TransitSettings {
  readonly type: 'transit';
  /** `https://vault.example.com:8200` */
  readonly address: string;
  readonly mount: string;
  readonly key: string;
  readonly namespace?: string;
  /** PEM; absent: those of the system. */
  readonly authoritiesFile?: string;
  /** Absent: somebody in between adds it. */
  readonly login?:
    | { readonly token: SecretPlace }
    | {
        readonly certificateFile: string;
        readonly privateKeyFile: string;
        readonly mount: string;
        /** Absent: whichever of the mount takes the certificate. */
        readonly role?: string;
      };
}

export interface AwsKmsSettings {
  readonly type: 'aws-kms';
  /** Id, ARN or `alias/…`. */
  readonly key: string;
  readonly region: string;
  /** Absent: the one of AWS in that region. */
  readonly endpoint?: string;
  /** Absent: what the AWS SDK finds by itself (environment, profile, role of the machine). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: SecretPlace };
}

/** A security module, by the library of its vendor. */
export interface Pkcs11Settings {
  readonly type: 'pkcs11';
  readonly module: string;
  readonly tokenLabel: string;
  readonly key: string;
  readonly mechanism: 'aes-key-wrap' | 'rsa-oaep';
  /** Of RSA-OAEP. */
  readonly hash: 'sha1' | 'sha256';
  readonly pin: SecretPlace;
}

/** How a keyring is wrapped. */
export interface Wrapping {
  readonly by: WrapSettings;
  /** X25519 public keys that open it too: SPKI, base64. */
  readonly recipients: readonly string[];
  /** For how long it is tried anew while nobody answers; 0: one try. */
  readonly waitSeconds: number;
}

/** Where a keyring is. */
export interface KeyringPlace {
  readonly file: string;
  /** Absent: it lies there as it is. */
  readonly wrap?: Wrapping;
}
