import { LineCounter, parseDocument } from 'yaml';
import { secretText } from '../lib/secret/secret-text.ts';
import { ConfigError } from './config-error.ts';

/** Raw settings before validation, with the source of each value. */
export interface RawConfig {
  readonly tree: Record<string, unknown>;
  /**
   * Source of each setting, such as `storage.type` → `LOCKKEEPER_STORAGE_TYPE`. Settings without an entry came from
   * the file.
   */
  readonly origins: ReadonlyMap<string, string>;
}

export interface Sources {
  /** The text of the file, YAML or JSON. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings from flags such as `--set storage.type=sqlite`. */
  readonly flags: readonly string[];
}

/** Maps environment variables to settings. Structured settings such as listeners have none. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  LOCKKEEPER_STORAGE_TYPE: 'storage.type',
  LOCKKEEPER_STORAGE_DIRECTORY: 'storage.directory',
  LOCKKEEPER_STORAGE_URL: 'storage.url',
  LOCKKEEPER_STORAGE_SCHEMA: 'storage.schema',
  LOCKKEEPER_STORAGE_POOL_SIZE: 'storage.pool_size',
  LOCKKEEPER_STORAGE_BLOBS_ACCESS_KEY_ID: 'storage.blobs.access_key_id',
  LOCKKEEPER_STORAGE_BLOBS_SECRET_ACCESS_KEY: 'storage.blobs.secret_access_key',
  LOCKKEEPER_BACKUP_DESTINATION: 'backup.destination',
  LOCKKEEPER_BACKUP_S3_ACCESS_KEY_ID: 'backup.s3.access_key_id',
  LOCKKEEPER_BACKUP_S3_SECRET_ACCESS_KEY: 'backup.s3.secret_access_key',
  LOCKKEEPER_WORKERS: 'workers',
  LOCKKEEPER_KEYRING_FILE: 'keyring_file',
  LOCKKEEPER_KEYRING_WRAP_KEY_FILE: 'keyring_wrap.key_file',
  LOCKKEEPER_KEYRING_WRAP_TOKEN: 'keyring_wrap.token',
  LOCKKEEPER_KEYRING_WRAP_TOKEN_FILE: 'keyring_wrap.token_file',
  LOCKKEEPER_KEYRING_WRAP_ACCESS_KEY_ID: 'keyring_wrap.access_key_id',
  LOCKKEEPER_KEYRING_WRAP_SECRET_ACCESS_KEY: 'keyring_wrap.secret_access_key',
  LOCKKEEPER_KEYRING_WRAP_PIN: 'keyring_wrap.pin',
  LOCKKEEPER_KEYRING_WRAP_PIN_FILE: 'keyring_wrap.pin_file',
  LOCKKEEPER_REVOCATION_ALLOWED_ADDRESSES: 'revocation.allowed_addresses',
  LOCKKEEPER_NOTIFICATIONS_ALLOWED_ADDRESSES: 'notifications.allowed_addresses',
  LOCKKEEPER_SMTP_USERNAME: 'smtp.username',
  LOCKKEEPER_SMTP_PASSWORD: 'smtp.password',
  LOCKKEEPER_SMTP_PASSWORD_FILE: 'smtp.password_file',
  LOCKKEEPER_VCS_ALLOWED_ADDRESSES: 'vcs.allowed_addresses',
  LOCKKEEPER_TRACING_OTLP_ENDPOINT: 'tracing.otlp_endpoint',
  LOCKKEEPER_TRACING_TOKEN: 'tracing.token',
  LOCKKEEPER_ENGINE: 'workspaces.embedded_agent.engine',
  LOCKKEEPER_LOG_LEVEL: 'log.level',
  LOCKKEEPER_AUDIT_FILE: 'audit.file',
};

/** Settings that are lists of texts, separated by commas in a variable or flag. */
const LISTS = new Set([
  'keyring_wrap.recovery_recipients',
  'notifications.allowed_addresses',
  'revocation.allowed_addresses',
  'revocation.denied_addresses',
  'smtp.recipient_domains',
  'vcs.allowed_addresses',
]);

/** Settings that stay text even if the value looks like a number. */
const TEXTS = new Set([
  ...['keyring_wrap.pin', 'keyring_wrap.token', 'keyring_wrap.key'],
  ...['smtp.username', 'smtp.password'],
]);

/** Variables with our prefix that other code reads. */
const OTHER_NAMES =
  /^LOCKKEEPER_(DEV_\w+|TEST_\w+|ADDR|TOKEN|CACERT|CERT|KEY|ROLE|MOUNT|ORGANIZATION|RUNTIME_DIR|JOB_TOKEN_FILE)$/;

/**
 * Step 1 of 3: merges the sources. Flags override the environment, which overrides the file.
 * @throws ConfigError for a file that is not a mapping, an unknown LOCKKEEPER_ name or a malformed flag.
 */
export function readConfig({ file, environment, flags }: Sources): RawConfig {
  const tree = parseFile(file);
  const origins = new Map<string, string>();
  const overlay = (path: string, text: string, origin: string) => {
    setPath(tree, path, LISTS.has(path) ? splitList(text) : TEXTS.has(path) ? text : scalar(text));
    origins.set(path, origin);
  };
  for (const [name, text] of Object.entries(environment)) {
    if (text === undefined || !name.startsWith('LOCKKEEPER_') || OTHER_NAMES.test(name)) continue;
    const path = ENVIRONMENT[name];
    if (!path) throw new ConfigError(`${name}: unknown; allowed: ${Object.keys(ENVIRONMENT).join(', ')}`);
    overlay(path, secretText(text), name);
  }
  for (const flag of flags) {
    const [, path, text] = /^([a-z_]+(?:\.[a-z_]+)*)=(.*)$/s.exec(flag) ?? [];
    if (path === undefined || text === undefined)
      throw new ConfigError(`--set ${flag}: expected KEY=VALUE, for example log.level=warn`);
    overlay(path, text, `--set ${path}`);
  }
  return { tree, origins };
}

/** @throws ConfigError if the text is not a YAML mapping */
export function parseFile(text: string): Record<string, unknown> {
  const lineCounter = new LineCounter();
  // The parser's own message would quote the line, which may hold a secret.
  const document = parseDocument(text, { uniqueKeys: true, lineCounter, prettyErrors: false });
  const problem = document.errors[0];
  if (problem) {
    const { line, col } = lineCounter.linePos(problem.pos[0]);
    throw new ConfigError(`not valid YAML: ${problem.message} at line ${line}, column ${col}`);
  }
  const tree: unknown = document.toJS({ maxAliasCount: 0 });
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) {
    throw new ConfigError('expected a mapping of settings; see docs/reference/configuration.md');
  }
  return tree as Record<string, unknown>;
}

/** Splits at commas. An empty text has no parts. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Converts text to a number or boolean if it looks like one. The schema checks the type later. */
export function scalar(text: string): unknown {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}

function setPath(tree: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() as string;
  let node = tree;
  for (const key of keys) {
    const next = Object.hasOwn(node, key) ? node[key] : undefined;
    if (typeof next === 'object' && next !== null && !Array.isArray(next)) {
      node = next as Record<string, unknown>;
    } else {
      const made: Record<string, unknown> = {};
      node[key] = made;
      node = made;
    }
  }
  node[last] = value;
}
