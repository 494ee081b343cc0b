import { AppError } from '../../lib/errors.ts';
import { yieldIfDue } from '../../lib/slices.ts';
import { type Acl, trimSlashes } from '../acl/index.ts';
import type { Token } from '../model/token.ts';
import { answersFlat } from '../operation/answer.ts';
import { described, listOrEmpty, parseFields, secret, text } from '../operation/fields.ts';
import type { Call, Operation, Reply } from '../operation/operation.ts';
import type { PathQuestions } from '../operation/question.ts';
import { mapComponent, texts } from '../operation/schema.ts';
import type { PolicyService } from '../policies/index.ts';
import type { TokenService } from '../tokens/index.ts';
import type { PolicyResolver } from './policy-resolver.ts';

/** Services that check permissions. */
export interface AuthorizationParts {
  readonly tokens: TokenService;
  readonly policies: PolicyService;
  readonly policyResolver: PolicyResolver;
  readonly paths: PathQuestions;
}

/**
 * Maximum number of paths in one request; each costs a lookup.
 * @limit paths in one request for capabilities, paths -> 400
 */
export const MAX_PATHS = 1000;
/**
 * Maximum length of a path in a check; requests cannot have longer paths.
 * @limit length of a path in a request for capabilities or an explanation of policies, characters -> 400
 */
export const MAX_PATH_LENGTH = 2048;
/**
 * Bounds the response, which contains each path twice and is built in one step.
 * @limit total length of the paths in one request for capabilities, characters -> 400
 */
export const MAX_PATHS_LENGTH = 256 * 1024;
const PATH_FIELDS = described(
  { path: listOrEmpty(), paths: listOrEmpty() },
  { path: 'Former name of `paths`.', paths: 'The paths, without `/v1/`.' },
);
const TOKEN_FIELDS = { ...PATH_FIELDS, ...described({ token: secret() }, { token: 'The token.' }) };
const ACCESSOR_FIELDS = {
  ...PATH_FIELDS,
  ...described({ accessor: text() }, { accessor: "The token's accessor." }),
};
const Capabilities = mapComponent(
  'Capabilities',
  texts(),
  'Capabilities on each path. For a single path also under `capabilities`. `deny` means none.',
);

/** Operations that return the capabilities of a token: the caller's, or another one by its text or accessor. */
export function capabilityOperations(parts: AuthorizationParts): Operation[] {
  const aclOf = async (token: Token) => (await parts.policyResolver.resolveForToken(token)).acl;
  return [
    {
      path: 'capabilities-self',
      verb: 'update',
      id: 'query-token-self-capabilities',
      summary: "Return the capabilities of the request's token on paths",
      answers: answersFlat(Capabilities),
      fields: PATH_FIELDS,
      handle: async ({ caller, data }) => answer(parts, caller.acl, data),
    },
    {
      path: 'capabilities',
      verb: 'update',
      id: 'query-token-capabilities',
      summary: 'Return the capabilities of a token on paths',
      answers: answersFlat(Capabilities),
      fields: TOKEN_FIELDS,
      async handle({ data }) {
        pathsOf(data);
        return answer(parts, await aclOf(await tokenOf(parts, data)), data);
      },
    },
    {
      path: 'capabilities-accessor',
      verb: 'update',
      id: 'query-token-accessor-capabilities',
      summary: 'Return the capabilities of a token on paths, by its accessor',
      answers: answersFlat(Capabilities),
      fields: ACCESSOR_FIELDS,
      async handle({ data }) {
        pathsOf(data);
        return answer(parts, await aclOf(await tokenOfAccessor(parts, data)), data);
      },
    },
  ];
}

/**
 * Returns the token of the request body.
 * @throws AppError bad-request
 */
export async function tokenOf(parts: AuthorizationParts, data: Call['data']): Promise<Token> {
  const { token = '' } = parseFields(TOKEN_FIELDS, data).values;
  if (token === '') throw new AppError('bad-request', 'missing token');
  return found(await parts.tokens.find(token), 'invalid token');
}

/**
 * Returns the token with the accessor of the request body.
 * @throws AppError bad-request
 */
export async function tokenOfAccessor(parts: AuthorizationParts, data: Call['data']): Promise<Token> {
  const { accessor = '' } = parseFields(ACCESSOR_FIELDS, data).values;
  if (accessor === '') throw new AppError('bad-request', 'missing accessor');
  return found(await parts.tokens.findByAccessor(accessor), 'invalid accessor');
}

function found(token: Token | undefined, message: string): Token {
  if (!token) throw new AppError('bad-request', message);
  return token;
}

function pathsOf(data: Call['data']): readonly string[] {
  const { path = [], paths = [] } = parseFields(PATH_FIELDS, data).values;
  const given = (paths.length > 0 ? paths : path).filter((one) => one !== '');
  if (given.length === 0) throw new AppError('bad-request', 'paths must be supplied');
  if (given.length > MAX_PATHS) throw new AppError('bad-request', `at most ${MAX_PATHS} paths are allowed`);
  for (const one of given) assertShort(one);
  if (given.reduce((sum, { length }) => sum + length, 0) > MAX_PATHS_LENGTH)
    throw new AppError('bad-request', `the paths may have at most ${MAX_PATHS_LENGTH} characters together`);
  return [...new Set(given)];
}

/** @throws AppError bad-request for a path longer than a request can have */
export function assertShort(path: string): void {
  if (path.length > MAX_PATH_LENGTH)
    throw new AppError('bad-request', `a path may have at most ${MAX_PATH_LENGTH} characters`);
}

/** Returns capabilities by path. For a single path also under `capabilities`, for older clients. */
async function answer(parts: AuthorizationParts, acl: Acl, data: Call['data']): Promise<Reply> {
  const paths = pathsOf(data);
  const byPath: (readonly [string, string[]])[] = [];
  for (const path of paths) {
    byPath.push([path, await capabilitiesOf(parts, acl, path)]);
    await yieldIfDue();
  }
  const [only] = byPath;
  const single = byPath.length === 1 && only ? [['capabilities', only[1]] as const] : [];
  return { data: Object.fromEntries([...byPath, ...single]), flat: true };
}

/** Returns the capabilities that the ACL grants on every spelling of a path. */
async function capabilitiesOf({ paths }: AuthorizationParts, acl: Acl, path: string): Promise<string[]> {
  const spellings = (await paths.spellingsOf(trimSlashes(path))).slice(1);
  const others = spellings.map((one) => acl.capabilities(one));
  const given = acl.capabilities(path).filter((capability) => others.every((other) => other.includes(capability)));
  return given.length > 0 ? given : ['deny'];
}
