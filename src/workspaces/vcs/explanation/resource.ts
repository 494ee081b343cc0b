import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { attribute, is, resourceOf, toOne } from '../../resource/index.ts';
import { VERDICT_ATTRIBUTES } from '../verdict/attributes.ts';
import type { CommitExplanation } from './explanations.ts';
import type { PreviewedCommit } from './previews.ts';

/** Why a commit starts a run in a workspace, or none. */
export const ExplanationResource = resourceOf<CommitExplanation>()('vcs-explanations', {
  id: ({ workspaceId, asked: { kind, commitId, pullNumber } }) => `${workspaceId}-${kind}-${commitId ?? pullNumber}`,
  attributes: {
    kind: attribute(Type.Enum(['push', 'tag', 'pull']), ({ asked }) => asked.kind),
    ref: attribute(is.text, ({ asked }) => asked.ref),
    'commit-sha': attribute(is.textOrNull, ({ asked }) => asked.commitId),
    'pull-request-number': attribute(is.integerOrNull, ({ asked }) => asked.pullNumber),
    ...VERDICT_ATTRIBUTES,
    // decided: the stored verdict. waiting: the server has seen the commit. computed: it has not.
    source: attribute(Type.Enum(['decided', 'waiting', 'computed']), ({ event }) =>
      event === undefined ? 'computed' : event.detail === null ? 'waiting' : 'decided',
    ),
    problem: attribute(is.textOrNull, ({ event }) => event?.problem ?? null),
    'decided-at': attribute(is.timeOrNull, ({ event }) => (event?.decidedAt ? isoTime(event.decidedAt) : null)),
  },
  relationships: {
    workspace: toOne('workspaces', 'workspaceId'),
    event: toOne('vcs-events', ({ event }) => event?.id ?? null),
    run: toOne('runs', ({ event }) => event?.runId ?? null),
  },
});

/** Maximum length of the first line of a commit message, characters. */
const SHOWN_CHARACTERS = 200;

/** A commit or tag of the past, and whether it would start a run. */
export const PreviewResource = resourceOf<PreviewedCommit>()('vcs-previews', {
  id: ({ commit, commitId, ref }) => (commit === null ? `tag-${ref}` : commitId),
  attributes: {
    ref: attribute(is.text, 'ref'),
    'commit-sha': attribute(is.text, 'commitId'),
    message: attribute(is.textOrNull, ({ commit }) =>
      commit === null ? null : (commit.message.split('\n', 1)[0] ?? '').slice(0, SHOWN_CHARACTERS),
    ),
    author: attribute(is.textOrNull, ({ commit }) => commit?.author ?? null),
    'committed-at': attribute(is.timeOrNull, ({ commit }) => (commit === null ? null : isoTime(commit.committedAt))),
    ...VERDICT_ATTRIBUTES,
  },
});
