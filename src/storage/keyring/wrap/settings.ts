/** Settings of the service that wraps the keyring's data key. */
export type WrapSettings = CredentialSettings | TransitSettings | AwsKmsSettings | Pkcs11Settings;

export type WrapType = WrapSettings['type'];

/** A secret in the settings, or the path of a file with the secret in one line. The file is read at each use. */
export type SecretPlace = { readonly text: string } | { readonly file: string };

/** A key of 32 bytes that another program provides, such as systemd. */
export interface CredentialSettings {
  readonly type: 'credential';
  /** `name` is a file in the folder `$CREDENTIALS_DIRECTORY`. */
  readonly key: { readonly name: string } | { readonly file: string };
}

/** The secrets engine `transit` of Vault and OpenBao. */
export interface TransitSettings {
  readonly type: 'transit';
  /** URL such as `https://vault.example.com:8200`. */
  readonly address: string;
  readonly mount: string;
  readonly key: string;
  readonly namespace?: string;
  /** CA certificates (PEM) that verify the service; absent for those of the system. */
  readonly authoritiesFile?: string;
  /** Login to the service. Absent if a proxy adds the token. */
  readonly login?:
    | { readonly token: SecretPlace }
    | {
        readonly certificateFile: string;
        readonly privateKeyFile: string;
        readonly mount: string;
        /** Name of the role. If absent, any role of the mount that accepts the certificate. */
        readonly role?: string;
      };
}

export interface AwsKmsSettings {
  readonly type: 'aws-kms';
  /** Key: its ID, its ARN or `alias/…`. */
  readonly key: string;
  readonly region: string;
  /** URL of the service. If absent, the endpoint of AWS in the region. */
  readonly endpoint?: string;
  /** Absent to use those that the AWS SDK finds (environment, profile, role of the machine). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: SecretPlace };
}

/** A security module with the PKCS #11 library of its vendor. */
export interface Pkcs11Settings {
  readonly type: 'pkcs11';
  readonly module: string;
  readonly tokenLabel: string;
  readonly key: string;
  readonly mechanism: 'aes-key-wrap' | 'rsa-oaep';
  /** Hash algorithm of RSA-OAEP. */
  readonly hash: 'sha1' | 'sha256';
  readonly pin: SecretPlace;
}

/** Wrapping of a keyring. */
export interface Wrapping {
  readonly by: WrapSettings;
  /** X25519 public keys of recovery recipients: SPKI, base64. */
  readonly recipients: readonly string[];
  /** Time for retries while the service does not respond, seconds; 0 for a single attempt. */
  readonly waitSeconds: number;
}

/** The file of a keyring and its wrapping. */
export interface KeyringPlace {
  readonly file: string;
  /** Absent if the file is not wrapped. */
  readonly wrap?: Wrapping;
}
