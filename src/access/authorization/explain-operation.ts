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
    token: 'Whose policies are asked. Without a token, an accessor and policies: the token of the request.',
    accessor: 'The same, by the accessor.',
    policies: 'Policies that are asked in place of those of a token.',
    path: 'The path of the request that is asked about.',
    capability: 'What it wants of the path.',
    method: 'The same, by the method of HTTP.',
    parameters: 'What it names in its body or its query.',
    wrap_ttl: 'How long its answer is to be wrapped.',
    draft: 'The text of a policy that is not stored, as it would be written; counts in place of the stored one.',
    draft_name: 'Which policy it is a draft of. Who asks has to be allowed to read or to write that one.',
  },
);

/**
 * Blocks that do not count, in one answer.
 * @limit parts of policies that an explanation says count for nothing, parts -> the others are left out
 */
const MAX_DROPPED = 1000;
/**
 * Of all policies that are asked about.
 * @limit warnings about policies that an explanation tells, warnings -> the others are counted
 */
export const MAX_WARNINGS = 1000;
/** @limit groups that an explanation names as sources of policies, groups -> the others are left out */
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

/** Whose policies they are. */
interface Subject {
  readonly policies: readonly string[];
  readonly acl: Acl;
  /** Undefined where policies were given, and no token. */
  readonly sources: Sources | undefined;
}

/** Where the policies of a token come from. */
interface Sources {
  readonly token: readonly string[];
  readonly entity: readonly string[];
  readonly groups: readonly GroupSource[];
}

interface GroupSource {
  readonly id: string;
  readonly name: string;
  /** By a group that is a member of this one. */
  readonly inherited: boolean;
  readonly policies: readonly string[];
}

/** Says whether a request would be allowed, and what decided. It does not carry it out. */
export function explainOperation(parts: AuthorizationParts): Operation {
  return {
    path: 'policies/explain',
    verb: 'update',
    id: 'policies-explain',
    summary: 'Say whether a request would be allowed, and which rule of which policy decides',
    answers: answersData(PolicyExplanation),
    fields: FIELDS,
    async handle(call) {
      const request = await requestOf(parts, call.data);
      const draft = await draftOf(parts, call);
      const { policies, acl, sources = null } = await subjectOf(parts, call, draft);
      const set = await parts.policies.setOf(policies, await parts.policies.version(), draft);
      const data = { ...report(request, policies, acl), policy_sources: sources, ...ofSet(set) };
      const idle = draft && !policies.includes(draft.name) ? [`${draft.name} is none of these policies`] : [];
      return { data, warnings: [...idle.map((why) => `the draft counts for nothing: ${why}`), ...warningsOf(set)] };
    },
  };
}

/** A token by its text or accessor, or a list of policies; without any of these, the caller. */
async function subjectOf(parts: AuthorizationParts, { data, caller }: Call, draft?: PolicyDraft): Promise<Subject> {
  const named = ['token', 'accessor', 'policies'].filter((field) => Object.hasOwn(data, field));
  if (named.length > 1) throw new AppError('bad-request', "give one of 'token', 'accessor' and 'policies'");
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

/** What is asked about: one request, or a capability alone. */
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
  // Whoever names a capability means that one.
  return { ...asked, ...question, ...(named !== '' && { capability }), open: false };
}

function verbOf(data: Call['data']): Verb {
  const { capability = '', method = '' } = parseFields(FIELDS, data).values;
  const verb = capability === '' ? METHODS.get(method.toUpperCase()) : capability.toLowerCase();
  if (verb && VERBS.has(verb)) return verb as Verb;
  throw new AppError('bad-request', `give 'capability' (${[...VERBS].join(', ')}) or 'method' (GET, LIST, POST, …)`);
}

function parametersOf({ parameters }: Call['data']): Readonly<Record<string, unknown>> {
  if (parameters === undefined || parameters === null) return {};
  if (typeof parameters === 'object' && !Array.isArray(parameters)) return parameters as Record<string, unknown>;
  throw new AppError('bad-request', "'parameters' is an object");
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

/** Of several spellings of the path, the one that is refused decides. */
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
