import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { secretText } from '../../lib/secret/secret-text.ts';
import { type Answer, createClient } from '../client/client.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import type { PipelineSettings } from './host-settings.ts';
import type { KeptToken } from './token-cache.ts';

/** Token exchange of a pipeline. */
export interface PipelineLogin {
  readonly address: string;
  readonly ca: string | undefined;
  readonly team: string;
  readonly source: IdTokenSource;
}

/** Source of the pipeline's token: given directly, or requested from GitHub Actions. */
type IdTokenSource =
  | { readonly text: string }
  | { readonly url: string; readonly secret: string; readonly audience: string };

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const HOW =
  'set LOCKKEEPER_ID_TOKEN or LOCKKEEPER_ID_TOKEN_FILE (GitLab: id_tokens), or give the job of GitHub Actions `permissions: id-token: write`';

/** @throws CommandError without a token, with the ways to provide one */
export function idTokenSource(
  { idToken, idTokenFile, idTokenAudience: audience }: PipelineSettings,
  environment: Readonly<Record<string, string | undefined>>,
): IdTokenSource {
  if (idToken !== undefined && idToken !== '') return { text: secretText(idToken) };
  if (idTokenFile !== undefined) return { text: read(idTokenFile) };
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = environment;
  if (url && secret) return { url, secret, audience };
  throw new CommandError(`the pipeline has no token; ${HOW}`, EXIT.usage);
}

function read(file: string): string {
  try {
    return secretText(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`, EXIT.usage);
  }
}

/** Each job on a machine gets its own token. */
export function pipelineKey({ address, team, source }: PipelineLogin): readonly string[] {
  const proof = 'text' in source ? source.text : source.secret;
  return ['pipeline', address, team, createHash('sha256').update(proof).digest('hex')];
}

/** Exchanges the pipeline's token for a team token (RFC 8693). @throws CommandError with the next step */
export async function exchange({ address, ca, team, source }: PipelineLogin): Promise<KeptToken> {
  const token = 'text' in source ? source.text : await askGitHub(source);
  const form = { grant_type: GRANT, subject_token_type: JWT, subject_token: token, audience: team };
  const answer = await createClient({ address, ca })('POST', '/oauth2/token', new URLSearchParams(form));
  const { access_token: text, expires_in: seconds } = (answer.body ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string' || typeof seconds !== 'number') throw refused(answer);
  const ttl = seconds * 1000;
  return { token: text, ttl, expiresAt: Date.now() + ttl, renewable: false };
}

/** The server returns no reason to unauthenticated clients. An owner can request an explanation. */
function refused({ status, body }: Answer): CommandError {
  const { error_description: said } = (body ?? {}) as Record<string, unknown>;
  const hint =
    'no pipeline identity of the team accepts the token; an owner can see the failed checks with POST teams/<team id>/pipeline-explanation';
  return new CommandError(`${typeof said === 'string' ? said : `status ${status}`}\n${hint}`, EXIT.refused);
}

async function askGitHub({ url, secret, audience }: Exclude<IdTokenSource, { text: string }>): Promise<string> {
  const at = URL.parse(url);
  if (at === null) throw new CommandError('ACTIONS_ID_TOKEN_REQUEST_URL is not a URL', EXIT.usage);
  at.searchParams.set('audience', audience);
  const { status, body } = await createClient({ address: at.origin, token: secret })(
    'GET',
    `${at.pathname}${at.search}`,
  );
  const { value } = (body ?? {}) as Record<string, unknown>;
  if (typeof value === 'string') return value;
  throw new CommandError(`the job could not get a token: status ${status}; ${HOW}`, EXIT.unavailable);
}
