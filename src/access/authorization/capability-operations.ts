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

/** Whose tokens are asked about, what they may do, and what the paths mean. */
export interface AuthorizationParts {
  readonly tokens: TokenService;
  readonly policies: PolicyService;
  readonly policyResolver: PolicyResolver;
  readonly paths: PathQuestions;
}

/**
 * Of one question; each costs a look-up.
 * @limit paths in one question about capabilities, paths -> 400
 */
export const MAX_PATHS = 1000;
/**
 * No longer one can be asked for.
 * @limit a path in a question about what policies allow, characters -> 400
 */
export const MAX_PATH_LENGTH = 2048;
/**
 * The answer repeats each path twice, and is made in one go.
 * @limit the paths of one question about capabilities together, characters -> 400
 */
export const MAX_PATHS_LENGTH = 256 * 1024;
const PATH_FIELDS = described(
  { path: listOrEmpty(), paths: listOrEmpty() },
  { path: 'The old name of `paths`.', paths: 'The paths, without `/v1/`.' },
);
const TOKEN_FIELDS = { ...PATH_FIELDS, ...described({ token: secret() }, { token: 'The token.' }) };
const ACCESSOR_FIELDS = {
  ...PATH_FIELDS,
  ...described({ accessor: text() }, { accessor: 'The accessor of the token.' }),
};
const Capabilities = mapComponent(
  'Capabilities',
  texts(),
  'What may be done with each path; of a single one under `capabilities` too. `deny`: nothing.',
);

/** What a token may do with paths: one's own, another by its text, another by its accessor. */
export function capabilityOperations(parts: AuthorizationParts): Operation[] {
  const aclOf = async (token: Token) => (await parts.policyResolver.resolveForToken(token)).acl;
  return [
    {
      path: 'capabilities-self',
      verb: 'update',
      id: 'query-token-self-capabilities',
      summary: 'What the token of the request may do with paths',
      answers: answersFlat(Capabilities),
      fields: PATH_FIELDS,
      handle: async ({ caller, data }) => answer(parts, caller.acl, data),
    },
    {
      path: 'capabilities',
      verb: 'update',
      id: 'query-token-capabilities',
      summary: 'What a token may do with paths',
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
      summary: 'What a token may do with paths, by its accessor',
      answers: answersFlat(Capabilities),
      fields: ACCESSOR_FIELDS,
      async handle({ data }) {
        pathsOf(data);
        return answer(parts, await aclOf(await tokenOfAccessor(parts, data)), data);
      },
    },
  ];
}

/** @throws AppError bad-request */
export async function tokenOf(parts: AuthorizationParts, data: Call['data']): Promise<Token> {
  const { token = '' } = parseFields(TOKEN_FIELDS, data).values;
  if (token === '') throw new AppError('bad-request', 'missing token');
  return found(await parts.tokens.find(token), 'invalid token');
}

/** @throws AppError bad-request */
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
  if (given.length > MAX_PATHS) throw new AppError('bad-request', `at most ${MAX_PATHS} paths are taken`);
  for (const one of given) assertShort(one);
  if (given.reduce((sum, { length }) => sum + length, 0) > MAX_PATHS_LENGTH)
    throw new AppError('bad-request', `the paths have at most ${MAX_PATHS_LENGTH} characters together`);
  return [...new Set(given)];
}

/** @throws AppError bad-request for a path that nobody could ask for */
export function assertShort(path: string): void {
  if (path.length > MAX_PATH_LENGTH)
    throw new AppError('bad-request', `a path is at most ${MAX_PATH_LENGTH} characters long`);
}

/** By path; for a single one under `capabilities` as well, as old clients read it. */
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

/** What may be done with a path in every spelling of it. */
async function capabilitiesOf({ paths }: AuthorizationParts, acl: Acl, path: string): Promise<string[]> {
  const spellings = (await paths.spellingsOf(trimSlashes(path))).slice(1);
  const others = spellings.map((one) => acl.capabilities(one));
  const given = acl.capabilities(path).filter((capability) => others.every((other) => other.includes(capability)));
  return given.length > 0 ? given : ['deny'];
}
