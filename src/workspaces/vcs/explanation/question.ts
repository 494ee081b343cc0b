import type { GitRemote } from '../../../git/git-remote.ts';
import { AppError, type Issue } from '../../../lib/errors.ts';
import { isForkOf } from '../look-up/pulls.ts';
import { defaultBranchOf } from '../look-up/refs.ts';
import type { Pull } from '../provider/port.ts';
import { failureOf } from '../repository/failures.ts';
import type { Repository } from '../repository/repository.ts';
import type { Occasion } from '../verdict/decide.ts';
import type { Target } from './target.ts';

/** Commit about which a client asks. Without any member, it is the newest commit of the workspace's branch. */
export interface Question {
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  readonly pull?: number | undefined;
}

/** The commit that a client asks about, as an event would describe it. */
export interface Asked extends Pick<Occasion, 'kind' | 'ref' | 'commitId' | 'pull' | 'isOvertaken'> {
  readonly pullNumber: number | null;
  /** Returns the commit with which it is compared if no event says so; null for none. */
  readonly base: () => Promise<string | null>;
}

const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';

/**
 * Finds the commit at the Git server or the provider.
 * @throws 422 if there is no such branch, tag, commit or pull request
 */
export function findAsked(target: Target, remote: GitRemote, question: Question): Promise<Asked> {
  const { commit, branch, tag, pull } = question;
  const given = [commit ?? branch, tag, pull].filter((value) => value !== undefined);
  if (given.length > 1)
    throw wrong('tag', 'Ask about a commit of a branch, a tag or a pull request, not about several');
  if (tag !== undefined) return findTag(remote, tag);
  if (pull !== undefined) return findPull(target, remote, pull);
  return findPush(target, remote, branch, commit);
}

async function findTag(remote: GitRemote, tag: string): Promise<Asked> {
  const commitId = await headOf(remote, TAGS + tag);
  if (commitId === undefined) throw wrong('tag', 'The repository has no such tag');
  return { kind: 'tag', ref: tag, commitId, pull: null, isOvertaken: false, pullNumber: null, base: async () => null };
}

async function findPush(target: Target, remote: GitRemote, asked?: string, commit?: string): Promise<Asked> {
  const { branch, head } = await branchHead(target, remote, asked ?? target.workspace.settings['vcs-repo']?.branch);
  const commitId = commit ?? head;
  if (commitId !== head && !(await contains(remote, head, commitId))) {
    throw wrong('commit', `The branch ${branch} does not contain this commit. Name its branch, or its pull request`);
  }
  const base = async () => (await remote.commit(commitId)).parentIds[0] ?? null;
  return { kind: 'push', ref: branch, commitId, pull: null, isOvertaken: commitId !== head, pullNumber: null, base };
}

/**
 * Returns the newest commit of a branch; without a name, of the default branch.
 * @throws 422 if there is none
 */
export async function branchHead(
  { repository }: { readonly repository: Pick<Repository, 'defaultBranch'> },
  remote: GitRemote,
  name: string | null | undefined,
): Promise<{ readonly branch: string; readonly head: string }> {
  const branch = name || repository.defaultBranch || defaultBranchOf(await remote.refs(['HEAD']));
  if (!branch) throw wrong('branch', 'The repository has no default branch. Push a first commit');
  const head = await headOf(remote, HEADS + branch);
  if (head === undefined) throw wrong('branch', `The repository has no branch ${branch}`);
  return { branch, head };
}

async function findPull({ repository, opened }: Target, remote: GitRemote, number: number): Promise<Asked> {
  const { pulls } = opened.kind.provider;
  if (pulls === undefined) throw wrong('pull', 'This provider has no pull requests that the server can read');
  const pull = await pulls.one(opened.access, repository, number);
  if (pull === undefined) throw wrong('pull', 'The repository has no such pull request');
  return {
    kind: 'pull',
    ref: pull.headRef,
    commitId: pull.state === 'open' ? pull.headId : null,
    pull: { baseRef: pull.baseRef, isFork: isForkOf(pull) },
    isOvertaken: false,
    pullNumber: number,
    base: () => baseOf(remote, pull),
  };
}

async function baseOf(remote: GitRemote, { mergeBaseId, baseRef, headId }: Pull): Promise<string | null> {
  if (mergeBaseId !== null) return mergeBaseId;
  const head = await headOf(remote, HEADS + baseRef);
  return head === undefined ? null : ((await remote.mergeBase(head, headId)) ?? head);
}

async function headOf(remote: GitRemote, name: string): Promise<string | undefined> {
  return (await remote.refs([name])).find((ref) => ref.name === name)?.commitId;
}

/** A commit of a fork can be read through the repository too, but it is in none of its branches. */
async function contains(remote: GitRemote, head: string, commitId: string): Promise<boolean> {
  try {
    return (await remote.mergeBase(head, commitId)) === commitId;
  } catch (error) {
    if (failureOf(error).isTemporary) throw error;
    return false;
  }
}

function wrong(parameter: string, detail: string): AppError {
  const issues: Issue[] = [{ detail, parameter }];
  return new AppError('unprocessable', detail, { issues });
}
