import { AppError } from '../../lib/errors.ts';
import {
  type Acl,
  type AclRequest,
  assertFew,
  type Decision,
  normalizePolicies,
  type PolicyDraft,
  type PolicySet,
  trimSlashes,
  type Verb,
} from '../acl/index.ts';
import { answersData } from '../operation/answer.ts';
import { described, type Field, listOrEmpty, parseFields, seconds, secret, text } from '../operation/fields.ts';
import type { Call, Operation } from '../operation/operation.ts';
import type { Question } from '../operation/question.ts';
import { type AuthorizationParts, assertShort, tokenOf, tokenOfAccessor } from './capability-operations.ts';
import { draftIn } from './policy-draft.ts';
import { PolicyExplanation } from './policy-explanation.ts';

const FIELDS = described(
  {
    token: secret(),
    accessor: text(),
    policies: listOrEmpty(),
    path: text(),
    capability: text(),
    method: text(),
    draft: text(),
    draft_name: text(),
    wrap_ttl: seconds(),
    parameters: {
      initial: null,
      schema: { type: 'object' },
      parse: (value: unknown) => value,
    } satisfies Field<unknown>,
  },
  {
    token: 'The token to explain. Without `token`, `accessor` and `policies`: the token of the request.',
    accessor: 'The accessor of the token to explain.',
    policies: "Policies to evaluate instead of a token's.",
    path: 'Path of the request to explain.',
    capability: 'Capability that the request needs.',
    method: 'HTTP method of the request, instead of `capability`.',
    parameters: "Parameters in the request's body or query.",
    wrap_ttl: 'Requested wrapping time of the answer.',
    draft: 'Text of an unsaved policy, used instead of the stored one.',
    draft_name: 'Name of the policy that `draft` replaces. The caller must be allowed to read or update it.',
  },
);

/**
 * Maximum number of ignored blocks in a response.
 * @limit ignored blocks of policies in an explanation, blocks -> the others are left out
 */
const MAX_DROPPED = 1000;
/**
 * Maximum number of warnings about all evaluated policies.
 * @limit warnings about policies in an explanation, warnings -> the others are counted
 */
export const MAX_WARNINGS = 1000;
/** @limit groups in an explanation as sources of policies, groups -> the others are left out */
const MAX_SOURCES = 100;

const VERBS: ReadonlySet<string> = new Set<Verb>(['create', 'read', 'update', 'patch', 'delete', 'list']);
const METHODS: ReadonlyMap<string, Verb> = new Map([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['POST', 'update'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
  ['LIST', 'list'],
]);

/** The policies to evaluate. */
interface Subject {
  readonly policies: readonly string[];
  readonly acl: Acl;
  /** Undefined if the request names policies instead of a token. */
  readonly sources: Sources | undefined;
}

/** Sources of a token's policies. */
interface Sources {
  readonly token: readonly string[];
  readonly entity: readonly string[];
  readonly groups: readonly GroupSource[];
}

interface GroupSource {
  readonly id: string;
  readonly name: string;
  /** Whether the entity belongs to the group through another group. */
  readonly inherited: boolean;
  readonly policies: readonly string[];
}

/** Evaluates a request without running it, and returns the rule that decides. */
export function explainOperation(parts: AuthorizationParts): Operation {
  return {
    path: 'policies/explain',
    verb: 'update',
    id: 'policies-explain',
    summary: 'Explain whether a request would be allowed, and which rule of which policy decides',
    answers: answersData(PolicyExplanation),
    fields: FIELDS,
    async handle(call) {
      const request = await requestOf(parts, call.data);
      const draft = await draftOf(parts, call);
      const { policies, acl, sources = null } = await subjectOf(parts, call, draft);
      const set = await parts.policies.setOf(policies, await parts.policies.version(), draft);
      const data = { ...report(request, policies, acl), policy_sources: sources, ...ofSet(set) };
      const idle = draft && !policies.includes(draft.name) ? [`${draft.name} is not one of these policies`] : [];
      return { data, warnings: [...idle.map((why) => `the draft has no effect: ${why}`), ...warningsOf(set)] };
    },
  };
}

/** Returns the subject: a token by its text or accessor, or a list of policies. Defaults to the caller. */
async function subjectOf(parts: AuthorizationParts, { data, caller }: Call, draft?: PolicyDraft): Promise<Subject> {
  const named = ['token', 'accessor', 'policies'].filter((field) => Object.hasOwn(data, field));
  if (named.length > 1) throw new AppError('bad-request', "set only one of 'token', 'accessor' and 'policies'");
  const [field] = named;
  if (field === 'policies') {
    const { policies = [] } = parseFields(FIELDS, data).values;
    assertFew(policies);
    const names = normalizePolicies(policies);
    return {
      policies: names,
      acl: await parts.policies.aclOf(names, await parts.policies.version(), nobody, draft),
      sources: undefined,
    };
  }
  const token =
    field === 'token' ? await tokenOf(parts, data) : field ? await tokenOfAccessor(parts, data) : caller.token;
  const { policies, acl, grants } = await parts.policyResolver.resolveForToken(token, draft);
  const groups = grants.groups.slice(0, MAX_SOURCES).map(({ id, name, direct, policies: given }) => ({
    id,
    name,
    inherited: !direct,
    policies: given,
  }));
  return { policies, acl, sources: { token: token.policies, entity: grants.own, groups } };
}

/** @throws AppError bad-request; forbidden */
async function draftOf(parts: AuthorizationParts, { data, caller }: Call): Promise<PolicyDraft | undefined> {
  const { draft, draft_name: name } = parseFields(FIELDS, data).values;
  if (draft === undefined && name === undefined) return undefined;
  if (!draft || !name) throw new AppError('bad-request', "give 'draft' and 'draft_name' together");
  return draftIn(parts, caller.acl, name, draft);
}

const nobody = async (): Promise<undefined> => undefined;

/** The request to evaluate, or only a capability. */
interface Asked extends Question, Required<Pick<AclRequest, 'data' | 'wrapTtl'>> {
  readonly path: string;
  readonly open: boolean;
}

async function requestOf(parts: AuthorizationParts, data: Call['data']): Promise<Asked> {
  const { path: written = '', capability: named = '', wrap_ttl: wrapTtl = 0 } = parseFields(FIELDS, data).values;
  assertShort(written);
  const path = trimSlashes(trimSlashes(written).replace(/^v1\//, ''));
  if (path === '') throw new AppError('bad-request', "'path' is required");
  const capability = verbOf(data);
  const question = await parts.paths.questionOf(path, capability === 'create' ? 'update' : capability);
  const asked = { path, capability, sudo: false, paths: [path], data: parametersOf(data), wrapTtl };
  if (question === 'open') return { ...asked, open: true };
  // An explicit capability takes precedence over the operation's.
  return { ...asked, ...question, ...(named !== '' && { capability }), open: false };
}

function verbOf(data: Call['data']): Verb {
  const { capability = '', method = '' } = parseFields(FIELDS, data).values;
  const verb = capability === '' ? METHODS.get(method.toUpperCase()) : capability.toLowerCase();
  if (verb && VERBS.has(verb)) return verb as Verb;
  throw new AppError('bad-request', `set 'capability' (${[...VERBS].join(', ')}) or 'method' (GET, LIST, POST, …)`);
}

function parametersOf({ parameters }: Call['data']): Readonly<Record<string, unknown>> {
  if (parameters === undefined || parameters === null) return {};
  if (typeof parameters === 'object' && !Array.isArray(parameters)) return parameters as Record<string, unknown>;
  throw new AppError('bad-request', "'parameters' must be an object");
}

function report(request: Asked, policies: readonly string[], acl: Acl) {
  const { allowed, reason, detail, rule, overridden } = decide(request, acl);
  return {
    allowed,
    reason,
    detail,
    path: request.path,
    capability: request.capability,
    needs_sudo: request.sudo,
    policies: [...policies],
    rule: rule ?? null,
    overridden,
    dropped: acl.dropped.slice(0, MAX_DROPPED),
  };
}

const OPEN: Decision = { allowed: true, reason: 'open', detail: 'the operation needs no token', overridden: [] };

/** If a path has several spellings, a refusal of one of them decides. */
function decide({ open, paths, ...request }: Asked, acl: Acl): Decision {
  if (open) return OPEN;
  const decisions = paths.map((path) => acl.decide({ ...request, path }));
  return decisions.find(({ allowed }) => !allowed) ?? decisions[0] ?? acl.decide(request);
}

const ofSet = ({ missing, unreadable }: PolicySet) => ({ missing_policies: missing, unreadable_policies: unreadable });

function warningsOf({ policies }: PolicySet): string[] {
  const told: string[] = [];
  const all = policies.reduce((sum, { policy }) => sum + (policy?.warnings.length ?? 0), 0);
  for (const { name, policy } of policies) {
    const some = policy?.warnings.slice(0, MAX_WARNINGS - told.length) ?? [];
    told.push(...some.map((warning) => `policy "${name}": ${warning}`));
  }
  return all > told.length ? [...told, `and ${all - told.length} more`] : told;
}
