import type { Verb } from '../acl/index.ts';
import type { GuardedOperation, OpenCall } from './operation.ts';
import type { RequestedVerb } from './verb.ts';

/** What policies are asked about a request; all of the paths must be allowed. */
export interface Question {
  readonly capability: Verb;
  readonly sudo: boolean;
  readonly paths: readonly string[];
}

/** What is known of paths before anybody asks for them: told by what knows who answers for each. */
export interface PathQuestions {
  /** What policies would be asked about a request: `open` for nothing at all, undefined when there is no such operation. */
  questionOf(path: string, verb: RequestedVerb): Promise<Question | 'open' | undefined>;
  /** A path, and the same with the name in it in its proper spelling where that is another. */
  spellingsOf(path: string): Promise<readonly string[]>;
}

type Params = OpenCall['params'];

/** @param path as it was asked for; `params` as the operation found them in it */
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

/** A write of what is not there yet is its creation, where the operation can tell. */
async function capabilityOf({ exists }: GuardedOperation, verb: RequestedVerb, params: Params): Promise<Verb> {
  return verb === 'update' && exists && !(await exists({ params })) ? 'create' : verb;
}

/** What has several names must be allowed under its own as well: a rule that denies `certs/web` holds for `certs/WEB`. */
export function spellings(path: string, { canonical }: GuardedOperation, params: Params): readonly string[] {
  const text = canonical && params[canonical.param];
  if (!text) return [path];
  const proper = canonical.of(text);
  return proper === text ? [path] : [path, path.slice(0, path.length - text.length) + proper];
}
