import type { Verb } from '../acl/index.ts';
import type { GuardedOperation, OpenCall } from './operation.ts';
import type { RequestedVerb } from './verb.ts';

/** The authorization that a request needs. All paths must be allowed. */
export interface Question {
  readonly capability: Verb;
  readonly sudo: boolean;
  readonly paths: readonly string[];
}

/** Checks permissions on paths without sending requests to them. */
export interface PathQuestions {
  /**
   * Returns the authorization that a request needs: `open` if it needs none, undefined if the operation does not
   * exist.
   */
  questionOf(path: string, verb: RequestedVerb): Promise<Question | 'open' | undefined>;
  /** Returns a path, and its normalized spelling if that is different. */
  spellingsOf(path: string): Promise<readonly string[]>;
}

type Params = OpenCall['params'];

/**
 * @param path path of the request
 * @param params values of its variable segments
 */
export async function questionOf(
  operation: GuardedOperation,
  verb: RequestedVerb,
  path: string,
  params: Params,
): Promise<Question> {
  return {
    capability: await capabilityOf(operation, verb, params),
    sudo: operation.access === 'sudo',
    paths: spellings(path, operation, params),
  };
}

/** Returns `create` for a write of an object that does not exist, if the operation can check that. */
async function capabilityOf({ exists }: GuardedOperation, verb: RequestedVerb, params: Params): Promise<Verb> {
  return verb === 'update' && exists && !(await exists({ params })) ? 'create' : verb;
}

/** Returns all spellings that must be allowed: a rule that denies `certs/web` also applies to `certs/WEB`. */
export function spellings(path: string, { canonical }: GuardedOperation, params: Params): readonly string[] {
  const text = canonical && params[canonical.param];
  if (!text) return [path];
  const proper = canonical.of(text);
  return proper === text ? [path] : [path, path.slice(0, path.length - text.length) + proper];
}
