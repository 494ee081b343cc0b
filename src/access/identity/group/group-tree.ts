import { AppError } from '../../../lib/errors.ts';
import { type Queries, sql } from '../../../storage/index.ts';
import { inSome, SOME_IDS, type SomeIds } from '../../model/id-batches.ts';

/** @limit nesting of groups, groups -> 400 */
const MAX_DEPTH = 16;
/** @limit groups above a group (counted once for each path), groups -> 400 for another member */
const MOST_ABOVE = 1_000;
/** @limit groups below new members of a group (counted once for each path), groups -> 400 */
const MOST_BELOW = 10_000;

type Walk = { deepest: number; most: number };

const above = sql<Walk & { id: string }, { id: string; depth: number }>(
  `SELECT id, depth FROM (
     WITH RECURSIVE above (id, depth) AS (
       SELECT group_id, 1 FROM group_member WHERE member_id = :id
       UNION
       SELECT group_member.group_id, above.depth + 1 FROM above JOIN group_member ON group_member.member_id = above.id
       WHERE above.depth < :deepest
     )
     SELECT id, depth FROM above LIMIT :most) AS walked`,
);
const below = sql<Walk & SomeIds, { depth: number | null; walked: number }>(
  `SELECT MAX(depth) AS depth, COUNT(*) AS walked FROM (
     WITH RECURSIVE below (id, depth) AS (
       SELECT member_id, 1 FROM group_member WHERE group_id IN ${SOME_IDS}
       UNION
       SELECT group_member.member_id, below.depth + 1 FROM below JOIN group_member ON group_member.group_id = below.id
       WHERE below.depth < :deepest
     )
     SELECT id, depth FROM below LIMIT :most) AS walked`,
);

/**
 * Checks new members of a group: no cycles, and not too much nesting.
 * @throws AppError bad-request
 */
export async function assertTree(queries: Queries, groupId: string, members: readonly string[]): Promise<void> {
  if (members.length === 0) return;
  const itself = members.find((id) => id === groupId);
  if (itself) refuse(`member group ID "${itself}" is same as the ID of the group`);
  const walked = await queries.all(above, { id: groupId, deepest: MAX_DEPTH, most: MOST_ABOVE + 1 });
  if (walked.length > MOST_ABOVE) refuse(`a group can be in at most ${MOST_ABOVE} groups`);
  const over = new Set(walked.map(({ id }) => id));
  const cyclic = members.find((id) => over.has(id));
  if (cyclic) refuse(`cyclic relationship detected for member group ID "${cyclic}"`);
  const height = await heightOf(queries, members);
  const depth = walked.reduce((deepest, one) => Math.max(deepest, one.depth), 0);
  if (depth + 1 + height > MAX_DEPTH) refuse(`groups can be nested at most ${MAX_DEPTH} levels deep`);
}

/** Returns the depth of nesting below these groups. 0 if they contain only entities. */
async function heightOf(queries: Queries, members: readonly string[]): Promise<number> {
  let height = 0;
  for (const some of inSome(members)) {
    const found = await queries.one(below, { deepest: MAX_DEPTH, most: MOST_BELOW + 1, ...some });
    if (found && found.walked > MOST_BELOW) refuse(`at most ${MOST_BELOW} groups can be below new members`);
    height = Math.max(height, found?.depth ?? 0);
  }
  return height;
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
