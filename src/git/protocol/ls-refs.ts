import type { GitBounds } from '../bounds.ts';
import { GitError, type GitTransport, type Ref } from '../git-remote.ts';
import { commandRequest, cutOff, FLUSH, readPackets, textOf } from './pkt-line.ts';
import { errorText, serverError } from './server-error.ts';

/** @limit name of a ref of a Git repository, bytes -> the ref is left out */
const MAX_NAME = 1024;
/** Git has no ref with a control character in its name. */
const CONTROL = /\p{Cc}/u;
/** `ID NAME`, and attributes such as `symref-target:refs/heads/main` and `peeled:ID`. */
const LINE = /^([\da-f]{40}) (\S+)((?: \S+)*)$/;

/**
 * Returns the refs whose names begin with one of the prefixes, in the order of the server.
 * @throws GitError
 */
export async function listRefs(
  transport: GitTransport,
  prefixes: readonly string[],
  bounds: Pick<GitBounds, 'refs' | 'refsBytes'>,
): Promise<Ref[]> {
  const wanted = prefixes.map((prefix) => `ref-prefix ${prefix}`);
  const response = await transport('git-upload-pack', commandRequest('ls-refs', ['peel', 'symrefs', ...wanted]));
  const refs: Ref[] = [];
  let isWhole = false;
  for await (const packets of readPackets(response, bounds.refsBytes)) {
    for (const content of packets) {
      if (content === FLUSH) isWhole = true;
      else if (typeof content === 'number') throw unreadable();
      else addRef(refs, content, prefixes);
    }
    if (refs.length > bounds.refs)
      throw new GitError('limit', `The repository has more than ${bounds.refs} refs with these prefixes.`);
    if (isWhole) return refs;
  }
  throw cutOff();
}

/** Servers may ignore the prefixes, so they are checked here. */
function addRef(refs: Ref[], content: Buffer, prefixes: readonly string[]): void {
  const error = errorText(content);
  if (error !== undefined) throw serverError(error);
  const [, id = '', name = '', attributes = ''] = LINE.exec(textOf(content)) ?? [];
  if (id === '') {
    // The ref `HEAD` of an empty repository has no commit.
    if (textOf(content).startsWith('unborn ')) return;
    throw unreadable();
  }
  if (!isUsable(name) || !prefixes.some((prefix) => name.startsWith(prefix))) return;
  const [, pointed = null] = / symref-target:(\S+)/.exec(attributes) ?? [];
  const [, peeled = id] = / peeled:([\da-f]{40})/.exec(attributes) ?? [];
  const target = pointed !== null && isUsable(pointed) ? pointed : null;
  refs.push({ name, commitId: peeled, target });
}

const isUsable = (name: string): boolean => Buffer.byteLength(name) <= MAX_NAME && !CONTROL.test(name);

function unreadable(): GitError {
  return new GitError('invalid', 'The Git server sent a list of refs that cannot be read.');
}
