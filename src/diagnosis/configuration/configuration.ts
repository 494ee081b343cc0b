import type { Config } from '../../config/index.ts';
import { plainFileFinding, secretFileFinding } from '../disk/permissions.ts';
import type { Subject } from '../model/check.ts';
import { type Finding, type NamedFinding, skipped, success } from '../model/finding.ts';
import type { Site } from '../model/site.ts';

/** The settings, and the files that they are in. Settings that cannot be used are told before anything else is looked at. */
export const configuration: Subject = {
  name: 'configuration',
  checks: [
    { name: 'settings', run: async ({ config, configFile }) => success(summary(config), configFile) },
    { name: 'file', run: configFile },
    { name: 'secret files', run: secretFilesOf },
  ],
};

function summary({ storage, listeners, workers = 1 }: Config): string {
  return `${storage.type}, ${count(listeners.length, 'listener')}, ${count(workers, 'process', 'processes')}`;
}

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

async function configFile({ configFile: path, config }: Site): Promise<Finding> {
  if (path === undefined) return skipped('not read from a file here');
  return holdsSecret(config) ? secretFileFinding(path) : plainFileFinding(path);
}

/** Whatever it came from: a file that is known to hold none may be read by all. */
function holdsSecret({ storage, signIn }: Config): boolean {
  const isInUrl =
    storage.type === 'postgres' && process.env.LOCKKEEPER_STORAGE_URL === undefined && hasPassword(storage.url);
  const secret = storage.blobs?.credentials?.secretAccessKey;
  const isS3 =
    secret !== undefined && 'text' in secret && process.env.LOCKKEEPER_STORAGE_BLOBS_SECRET_ACCESS_KEY === undefined;
  const isOidc = signIn?.oidc?.clientSecret !== undefined && signIn.oidc.clientSecretFile === undefined;
  return isInUrl || isS3 || isOidc;
}

const hasPassword = (url: string): boolean => (URL.parse(url)?.password ?? '') !== '' || /[?&]password=/.test(url);

async function secretFilesOf({ config }: Site): Promise<Finding | NamedFinding[]> {
  const files = secretFiles(config);
  if (files.length === 0) return skipped('none are named');
  return Promise.all(files.map(async ([name, path]) => ({ name, ...(await secretFileFinding(path)) })));
}

/** Those that the settings name, each by its setting. */
function secretFiles({ listeners, storage, signIn }: Config): (readonly [name: string, path: string])[] {
  const secret = storage.blobs?.credentials?.secretAccessKey;
  const client = signIn?.oidc?.clientSecretFile;
  return [
    ...listeners.flatMap(({ tls }, index) =>
      tls ? [[`listeners[${index}].tls.private_key_file`, tls.privateKeyFile] as const] : [],
    ),
    ...(secret && 'file' in secret ? [['storage.blobs.secret_access_key_file', secret.file] as const] : []),
    ...(client === undefined ? [] : [['sign_in.oidc.client_secret_file', client] as const]),
  ];
}
