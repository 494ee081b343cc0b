import type { Config } from '../../config/index.ts';

type Place = { readonly text: string } | { readonly file: string };

/** A secret's setting, such as `tracing.token`, and where its value is. */
export type NamedSecret = readonly [setting: string, place: Place];

/** Returns the secrets in the settings and in the files that they name. */
export function secretsIn(config: Config): NamedSecret[] {
  const { listeners, storage, signIn, tracing, backup, auditSinks = [] } = config;
  const { clientSecret, clientSecretFile } = signIn?.oidc ?? {};
  return [
    ...listeners.flatMap(({ tls }, index) => inFile(`listeners[${index}].tls.private_key`, tls?.privateKeyFile)),
    ...at('storage.blobs.secret_access_key', storage.blobs?.credentials?.secretAccessKey),
    ...(clientSecretFile === undefined && clientSecret !== undefined
      ? at('sign_in.oidc.client_secret', { text: clientSecret })
      : inFile('sign_in.oidc.client_secret', clientSecretFile)),
    ...auditSinks.flatMap((sink, index) => {
      const { token, certificate } = ('collected' in sink && sink.collected) || {};
      const name = `audit.sinks[${index}]`;
      return [...at(`${name}.token`, token), ...inFile(`${name}.private_key`, certificate?.keyFile)];
    }),
    ...at('tracing.token', tracing?.token),
    ...at('smtp.password', config.smtp?.login?.password),
    ...at('backup.s3.secret_access_key', backup?.s3?.credentials?.secretAccessKey),
    ...ofWrap(config.keyring.wrap?.by),
  ];
}

/** Returns the credentials that unwrap the keyring. */
function ofWrap(by: NonNullable<Config['keyring']['wrap']>['by'] | undefined): NamedSecret[] {
  if (by?.type === 'credential') return 'file' in by.key ? at('keyring_wrap.key', by.key) : [];
  if (by?.type === 'aws-kms') return at('keyring_wrap.secret_access_key', by.credentials?.secretAccessKey);
  if (by?.type === 'pkcs11') return at('keyring_wrap.pin', by.pin);
  if (by?.login === undefined) return [];
  return 'token' in by.login
    ? at('keyring_wrap.token', by.login.token)
    : inFile('keyring_wrap.private_key', by.login.privateKeyFile);
}

/** For a secret in a file, returns the name of the setting with the file's path. */
function at(setting: string, place: Place | undefined): NamedSecret[] {
  if (place === undefined) return [];
  return [['file' in place ? `${setting}_file` : setting, place]];
}

const inFile = (setting: string, file: string | undefined) => at(setting, file === undefined ? undefined : { file });
